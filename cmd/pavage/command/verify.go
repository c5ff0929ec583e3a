package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/evidence"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

type verifyVerb struct {
	*app
	source
	json        bool
	method      string
	limit       whole
	cubes       whole
	small       whole
	seed        whole
	distinct    distinct
	certificate string
	solver      string
}

func newVerify(a *app) *cobra.Command {
	v := &verifyVerb{app: a, cubes: evidence.DefaultCubes, small: evidence.DefaultSmall}
	cmd := &cobra.Command{
		Use:   "verify PUZZLE",
		Short: "Check a count by other means, or check a certificate",
		Long: `Check a count by other means. The program counts the tilings of a puzzle, and
then finds the same number in ways that share as little as possible with the
count. The output is the number, what was established (+), and what was not
(?).

--method list lists all tilings with a SAT solver. It checks each one by its
cells and copies, and compares the set with a decision diagram of all tilings.

--method spots looks at parts of the count. It draws random tilings and fixes
so many placements of each that few tilings contain all of them. It counts each
such part with the SAT solver, with an engine, and in the diagram. Then it
counts everything once more, modulo random primes, in another order of the
cells.

--method auto, the default, lists up to twenty million tilings and looks at
parts of larger counts.

--solver runs a program of yours on the formula that "pavage convert --to
dimacs" writes; {} stands for the name of the file. A model counter must find
the same count. A SAT solver must find one tiling, and no other one after all
listed tilings are excluded.

--certificate checks a file that "pavage count --certificate" has written. It
goes through this proof step by step. It does not count or search again.

The exit code is 4 if anything disagrees, and then both numbers are written. It
is 3, undecided, if a limit was reached before the end.`,
		Example: `  pavage verify name:pentominoes-3x20
  pavage verify --board 8x8 --piece domino=any --json
  pavage verify --board 16x16 --piece domino=any --piece monomino=any --cubes 100
  pavage verify --board 6x6 --piece domino=any --solver 'minisat {}'
  pavage count --board 8x8 --piece domino=any --certificate dominoes.cert
  pavage verify --board 8x8 --piece domino=any --certificate dominoes.cert`,
		RunE: a.run(v.run),
	}
	v.takePuzzle(cmd)
	cmd.Flags().BoolVar(&v.json, "json", false, "write one JSON object")
	cmd.Flags().StringVar(&v.method, "method", string(evidence.Auto), "how to check, `METHOD`: auto, list or spots")
	cmd.Flags().Var(&v.limit, "limit", "list at most `N` tilings, and end undecided if there are more; without it list all")
	cmd.Flags().Lookup("limit").DefValue = ""
	cmd.Flags().Var(&v.cubes, "cubes", "with --method spots: look at `N` parts of the count")
	cmd.Flags().Var(&v.small, "small", "with --method spots: look at parts of at most `N` tilings")
	cmd.Flags().Var(&v.seed, "seed", "begin the random numbers with `N`, 0 to 2^64-1; without it every run looks at other parts")
	cmd.Flags().Lookup("seed").DefValue = ""
	v.distinct.flag(cmd.Flags(), "verify also the count of tilings that differ")
	cmd.Flags().StringVar(&v.certificate, "certificate", "", "check this certificate, a `FILE`, and count nothing")
	cmd.Flags().StringVar(&v.solver, "solver", "", "let this SAT solver or model counter check the count, a `COMMAND` with {} for the file")
	config.Flags(cmd.Flags(), "engine", "threads", "memory", "disk", "timeout")
	return cmd
}

// Limits that nobody meets who waits for the end.
const (
	maxCubes = 1_000_000
	maxSmall = 1_000_000_000
)

func (v *verifyVerb) check() error {
	asked := evidence.Method(v.method)
	switch {
	case asked != evidence.Auto && asked != evidence.List && asked != evidence.Spots:
		return usage("--method is %.40q, want auto, list or spots", v.method)
	case v.limit < 1 && v.given("limit") || v.limit > math.MaxInt64:
		return usage("--limit is %d, want a number from 1 to 2^63-1", v.limit)
	case v.given("limit") && asked == evidence.Spots:
		return usage("both --limit and --method spots given, want --method list: nothing is listed otherwise")
	case v.cubes < 1 || v.cubes > maxCubes:
		return usage("--cubes is %d, want a number from 1 to %d", v.cubes, maxCubes)
	case v.small < 1 || v.small > maxSmall:
		return usage("--small is %d, want a number from 1 to %d", v.small, maxSmall)
	case v.given("certificate") && v.certificate == "":
		return usage("--certificate is empty, want a file")
	case v.given("solver") && !strings.Contains(v.solver, verify.FileMark):
		return usage("--solver is %.60q, want a command with %s for the name of the file", v.solver, verify.FileMark)
	case v.given("engine") && v.config.Engine == engineSAT:
		return usage("--engine is sat, which the count is compared with, want another one to count")
	case v.given("distinct") && asked == evidence.Spots:
		return usage("both --distinct and --method spots given, want --method list: only that verifies both counts")
	}
	for _, flag := range []string{"cubes", "small", "seed"} {
		if asked == evidence.List && v.given(flag) {
			return usage("both --method list and --%s given, which is for --method spots", flag)
		}
	}
	return cmp.Or(
		v.alone("certificate", "solver", "method", "limit", "cubes", "small", "seed", "distinct", "engine", "disk"),
		v.alone("solver", "method", "limit", "cubes", "small", "seed", "distinct"),
		v.checkDisk())
}

func (v *verifyVerb) run(ctx context.Context, args []string) error {
	if err := v.check(); err != nil {
		return err
	}
	m, err := v.model(ctx, v.In, args)
	if err != nil {
		return err
	}
	if v.certificate != "" {
		return v.checkCertificate(ctx, m)
	}
	bars := &stages{app: v.app}
	report, err := evidence.Verify(ctx, m.Problem, v.evidenceOptions(m, bars))
	bars.end()
	decided := !errors.Is(err, evidence.ErrUndecided)
	if err != nil && decided && !errors.Is(err, evidence.ErrDisagrees) && !errors.Is(err, verify.ErrExternal) {
		return err
	}
	err = v.coded(err)
	if written := v.write(m, report, err); written != nil {
		return written
	}
	var f *failure
	if !decided && errors.As(err, &f) {
		return fail(f.code, errors.New("undecided: "+undecided(f.err)))
	}
	return err
}

// undecided is why.
func undecided(err error) string {
	return strings.TrimPrefix(oneLine(err.Error()), evidence.ErrUndecided.Error()+": ")
}

func (v *verifyVerb) evidenceOptions(m *tiling.Model, bars *stages) evidence.Options {
	o := evidence.Options{
		Engine: v.engine(), Count: v.options(nil), Method: evidence.Method(v.method), Solver: v.solver,
		Limit: int64(v.limit), Cubes: int(v.cubes), Small: int64(v.small), Stage: bars.begin,
	}
	if v.solver != "" {
		o.Method = evidence.Solver
	}
	if v.given("seed") {
		o.Source = sample.Seeded(uint64(v.seed))
	}
	if v.config.Engine == engineSAT { // a setting for count
		o.Engine = count.Auto
	}
	if v.distinct != "" {
		o.Group = v.distinct.group(m).Symmetries()
	}
	return o
}

// stages shows a bar for each stage of the work.
type stages struct {
	*app
	bar *bar
}

// begin implements evidence.Options.Stage.
func (s *stages) begin(doing string) func(count.Progress) {
	s.end()
	s.bar = s.newBar(doing)
	return s.bar.report
}

func (s *stages) end() {
	if s.bar != nil {
		s.bar.done()
		s.bar = nil
	}
}

// write writes a report; err is what it ended with.
func (v *verifyVerb) write(m *tiling.Model, r *evidence.Report, err error) error {
	if v.json {
		return writeJSON(v.Out, v.object(m, r, err))
	}
	if r.Result == nil {
		return nil
	}
	verdict := "agrees"
	switch {
	case r.Disagreement != "":
		verdict = "DISAGREES: " + r.Disagreement
	case err != nil:
		verdict = "undecided"
	}
	text := r.Result.Count.String() + "\n"
	if r.Distinct != nil {
		text += fmt.Sprintf("%v up to %s\n", r.Distinct, v.distinct.upTo(m))
	}
	return writeFindings(v.Out, text+verdict+"\n", r.Established, r.Open)
}

// writeFindings writes a text, and below it what is known and what is not, a
// paragraph each.
func writeFindings(w io.Writer, text string, established, open []string) error {
	for _, s := range established {
		text += paragraph("  + ", s)
	}
	for _, s := range open {
		text += paragraph("  ? ", s)
	}
	_, err := io.WriteString(w, text)
	return err
}

// paragraphWidth fits a terminal.
const paragraphWidth = 78

func paragraph(mark, text string) string {
	all, line := "", mark
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > paragraphWidth:
			all += line + "\n"
			line = strings.Repeat(" ", len(mark)) + word
		default:
			line += " " + word
		}
	}
	return all + line + "\n"
}

// verifyJSON is the object of verify --json. Agrees is null where it is undecided.
type verifyJSON struct {
	Title        string           `json:"title"`
	Count        string           `json:"count,omitempty"`
	Distinct     *distinctJSON    `json:"distinct,omitempty"`
	Engine       string           `json:"engine,omitempty"`
	Method       string           `json:"method"`
	Agrees       *bool            `json:"agrees"`
	Undecided    string           `json:"undecided,omitempty"`
	Disagreement string           `json:"disagreement,omitempty"`
	Listed       *listedJSON      `json:"listed,omitempty"`
	Cubes        *cubesJSON       `json:"cubes,omitempty"`
	Residues     []residueJSON    `json:"residues,omitempty"`
	Nodes        int64            `json:"nodes,omitempty"` // of the diagram
	Solver       *solverJSON      `json:"solver,omitempty"`
	Certificate  *certificateJSON `json:"certificate,omitempty"`
	Established  []string         `json:"established"`
	Open         []string         `json:"open"`
	Seconds      float64          `json:"seconds"`
}

type listedJSON struct {
	Tilings   int64   `json:"tilings"`
	Models    int64   `json:"models"` // found by the solver; the others are images of these
	Distinct  int64   `json:"distinct,omitempty"`
	InDiagram bool    `json:"in_diagram"`
	Seconds   float64 `json:"seconds"`
	Rate      float64 `json:"models_per_second"`
}

type cubesJSON struct {
	Number    int     `json:"number"`
	Tilings   int64   `json:"tilings"` // of all of them
	Least     int64   `json:"least"`   // of one
	Most      int64   `json:"most"`
	Fixed     int     `json:"fixed_placements"` // of all of them
	Of        int     `json:"of_placements"`
	InDiagram bool    `json:"in_diagram"`
	Seconds   float64 `json:"seconds"`
}

type solverJSON struct {
	Command  string  `json:"command"`
	Count    string  `json:"count,omitempty"`
	Model    bool    `json:"model"`
	Excluded int64   `json:"excluded"`
	Seconds  float64 `json:"seconds"`
}

func (v *verifyVerb) object(m *tiling.Model, r *evidence.Report, err error) verifyJSON {
	o := verifyJSON{
		Title: m.Puzzle.Title, Method: string(r.Method), Disagreement: r.Disagreement,
		Established: append([]string{}, r.Established...), Open: append([]string{}, r.Open...), Seconds: r.Elapsed.Seconds(),
	}
	if r.Result != nil {
		o.Count, o.Engine = r.Result.Count.String(), string(r.Result.Engine)
	}
	if r.Distinct != nil {
		g := v.distinct.group(m)
		o.Distinct = &distinctJSON{Count: r.Distinct.String(), Group: g.Name, Order: len(g.Elements), Reflections: g.Reflections}
	}
	switch agrees := r.Agrees(); {
	case err == nil || r.Disagreement != "":
		o.Agrees = &agrees
	default:
		o.Undecided = undecided(err)
	}
	if r.Diagram != nil {
		o.Nodes = r.Diagram.Nodes
	}
	if l := r.Listing; l != nil {
		o.Listed = &listedJSON{l.Solutions, l.Models, l.Distinct, l.InDiagram, l.Elapsed.Seconds(), float64(l.Models) / max(l.Elapsed.Seconds(), 1e-9)}
	}
	if c := r.Cubes; c != nil {
		o.Cubes = &cubesJSON{c.Cubes, c.Solutions, c.Least, c.Most, c.Fixed, c.Of, c.InDiagram, c.Elapsed.Seconds()}
	}
	if c := r.Residues; c != nil {
		for i, m := range c.Moduli {
			o.Residues = append(o.Residues, residueJSON{strconv.FormatUint(m, 10), strconv.FormatUint(c.Residues[i], 10)})
		}
	}
	if e := r.External; e != nil {
		o.Solver = &solverJSON{Command: e.Command, Model: e.Model, Excluded: e.Excluded, Seconds: e.Elapsed.Seconds()}
		if e.Count != nil {
			o.Solver.Count = e.Count.String()
		}
	}
	return o
}
