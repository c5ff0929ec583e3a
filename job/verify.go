package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
	"github.com/pavage/pavage/verify/evidence"
)

// Verify asks for a count and evidence for it. If the error is a Disagreement or a Limit, Run also
// returns an answer.
type Verify struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Method   string   `json:"method,omitempty" flag:"METHOD" words:"auto list spots dimer" doc:"how to check: auto, list, spots or dimer; auto by default"`
	Engine   string   `json:"engine,omitempty" words:"auto sweep search diagram dimer" why:": the count is compared with the count of sat" doc:"engine of the count: auto, sweep, search, diagram or dimer; auto by default"`
	Limit    *Whole   `json:"limit,omitempty" flag:"N" doc:"list at most N tilings, and end undecided if there are more; by default, list all tilings"`
	Spots    *Whole   `json:"spots,omitempty" flag:"N" doc:"check N small sets of tilings (method spots); 100 by default"`
	Small    *Whole   `json:"small,omitempty" flag:"N" doc:"check only sets of at most N tilings (method spots); 1000 by default"`
	Seed     *Whole   `json:"seed,omitempty" flag:"N" doc:"seed of the random numbers, 0 to 2^64-1; without it every run checks other spots and primes"`
	Distinct Distinct `json:"distinct,omitempty" flag:"" alone:"usual" doc:"verify also the count up to the symmetries of the board: usual (of solid boards only rotations), rotations or all"`

	Conditions
}

const (
	maxSpots = 1_000_000
	maxSmall = 1_000_000_000
)

// The defaults of Verify.
const (
	DefaultSpots = evidence.DefaultSpots
	DefaultSmall = evidence.DefaultSmall
)

// FileMark stands for the name of the formula's file in Solve.Command.
const FileMark = verify.FileMark

// Kind implements [Request].
func (*Verify) Kind() Kind { return "verify" }

func (r *Verify) check() error {
	method := evidence.Method(r.Method)
	partly := method == evidence.Spots || method == evidence.Dimer
	switch {
	case r.Limit != nil && (*r.Limit < 1 || *r.Limit > math.MaxInt64):
		return bad("{limit} is %d, expected a number from 1 to 2^63-1", *r.Limit)
	case r.Limit != nil && partly:
		return bad("both {limit} and {method} %s given, expected {method} list: only the method list lists tilings", method)
	case r.Spots != nil && (*r.Spots < 1 || *r.Spots > maxSpots):
		return bad("{spots} is %d, expected a number from 1 to %d", *r.Spots, maxSpots)
	case r.Small != nil && (*r.Small < 1 || *r.Small > maxSmall):
		return bad("{small} is %d, expected a number from 1 to %d", *r.Small, maxSmall)
	case r.Distinct != "" && partly:
		return bad("both {distinct} and {method} %s given, expected {method} list: only the method list verifies the count up to symmetry", method)
	}
	for _, x := range []struct {
		field string
		value *Whole
		of    []evidence.Method // methods that do not use the field
	}{
		{"spots", r.Spots, []evidence.Method{evidence.List, evidence.Dimer}},
		{"small", r.Small, []evidence.Method{evidence.List, evidence.Dimer}},
		{"seed", r.Seed, []evidence.Method{evidence.List}},
	} {
		if x.value != nil && slices.Contains(x.of, method) {
			return bad("both {method} %s and {"+x.field+"} given, expected {method} spots", method)
		}
	}
	return nil
}

func (r *Verify) shared() bool { return r.Seed != nil || r.Method == string(evidence.List) }

// predict forecasts the count. The evidence may need more time than the count, so Known is false.
func (r *Verify) predict(ctx context.Context, m *tiling.Model) Forecast {
	f := (&Count{Engine: r.Engine, Distinct: r.Distinct}).predict(ctx, m)
	f.Known = false
	return f
}

func (r *Verify) do(ctx context.Context, w *work) (*Verified, error) {
	o := evidence.Options{Method: evidence.Method(r.Method), Engine: count.Engine(r.Engine)}
	if r.Limit != nil {
		o.Limit = int64(*r.Limit)
	}
	if r.Spots != nil {
		o.Spots = int(*r.Spots)
	}
	if r.Small != nil {
		o.Small = int64(*r.Small)
	}
	if r.Seed != nil {
		o.Source = sample.Seeded(uint64(*r.Seed))
	}
	return w.verify(ctx, &r.Puzzle, &r.Conditions, r.Distinct, o)
}

// Solve asks for a count, and compares it with the answer of a program that reads the formula of
// the puzzle. The program is a SAT solver or a model counter. Limits.Programs must be set.
type Solve struct {
	Puzzle  Puzzle `json:"puzzle"`
	Command string `json:"command" doc:"the command line of the program, with {} for the name of the file"`
	Engine  string `json:"engine,omitempty" words:"auto sweep search diagram dimer" why:": the count is compared with the count of sat" doc:"engine of the count: auto, sweep, search, diagram or dimer; auto by default"`

	Conditions
}

// Kind implements [Request].
func (*Solve) Kind() Kind { return "solve" }

func (r *Solve) check() error {
	if !strings.Contains(r.Command, FileMark) {
		return bad("{command} is %.60q, expected a command with %s for the name of the file", r.Command, FileMark)
	}
	return nil
}

func (r *Solve) do(ctx context.Context, w *work) (*Verified, error) {
	if !w.limits.Programs {
		return nil, bad("{command} names a program, but no program can be run here")
	}
	o := evidence.Options{Method: evidence.Solver, Solver: r.Command, Engine: count.Engine(r.Engine)}
	return w.verify(ctx, &r.Puzzle, &r.Conditions, "", o)
}

func (w *work) verify(ctx context.Context, puzzle *Puzzle, c *Conditions, d Distinct, o evidence.Options) (*Verified, error) {
	m, s, err := w.onDisk(ctx, puzzle, c, d)
	if err != nil {
		return nil, err
	}
	o.Count = w.options(Counting)
	o.Count.Progress = nil // o.Stage reports the progress instead
	o.Stage = w.stage
	o.Group = s.group()
	report, err := evidence.Verify(ctx, m.Problem, o)
	decided := !errors.Is(err, verify.ErrUndecided)
	if err != nil && decided && !errors.Is(err, count.ErrDisagrees) && !errors.Is(err, verify.ErrExternal) {
		return nil, err
	}
	if err == nil {
		err = w.verifyStored(ctx, puzzle, c, report)
	}
	err = explained(ctx, err)
	answer := &Verified{
		Title: m.Puzzle.Title, Method: string(report.Method), Disagreement: report.Disagreement, Established: append([]string{}, report.Established...),
		Open: append([]string{}, report.Open...), Seconds: report.Elapsed.Seconds(),
		Listed: report.Listing, Spots: report.Spots, Residues: residues(report.Residues.Moduli, report.Residues.Rests),
		Nodes: report.Nodes, Solver: report.Solver, Conditions: puzzle.told(c),
	}
	if report.Result != nil {
		answer.Count, answer.Engine = report.Result.Count.String(), string(report.Result.Engine)
	}
	if report.Distinct != nil {
		answer.Distinct = s.count(report.Distinct)
	}
	if agrees := report.Agrees(); err == nil || report.Disagreement != "" {
		answer.Agrees = &agrees
	} else {
		answer.Undecided = whyUndecided(err)
	}
	if d := report.Dimer; d != nil {
		answer.Dimer = &DimerCheck{residues(d.Moduli, d.Rests), d.Splits, d.Elapsed.Seconds()}
	}
	if !decided {
		err = &Error{Kind: KindOf(err), err: &told{text: "undecided: " + whyUndecided(err), is: []error{err}}}
	}
	return answer, err
}

func (w *work) verifyStored(ctx context.Context, p *Puzzle, c *Conditions, report *evidence.Report) error {
	if p.opened == nil {
		return nil
	}
	silent := &work{limits: w.limits, begun: w.begun}
	s, err := silent.subject(ctx, p, c, true)
	if err != nil {
		return err
	}
	stored, err := s.load(ctx, silent)
	switch {
	case errors.Is(err, compiled.ErrFile):
		report.Disagreement = err.Error()
	case err != nil:
		return err
	case stored.Result.Count.Cmp(report.Result.Count) != 0:
		report.Disagreement = fmt.Sprintf("the diagram in %s has %s, but the engine %s counts %v tilings",
			p.Name, human.Count(stored.Result.Count.String(), "tiling"), report.Result.Engine, report.Result.Count)
	default:
		report.Established = append(report.Established, "the diagram in the file has the same number of tilings, and the stored counts of all its nodes are right")
		return nil
	}
	return fmt.Errorf("%w: %s", count.ErrDisagrees, report.Disagreement)
}

func whyUndecided(err error) string {
	return strings.TrimPrefix(human.OneLine(err.Error()), verify.ErrUndecided.Error()+": ")
}

func (w *work) stage(doing string) func(count.Progress) {
	if w.watch.Progress == nil {
		return nil
	}
	w.watch.Progress(Progress{Doing: doing})
	return w.engine(doing, new(float64))
}

// Verified is the answer to [Verify], [Solve] and [Check]. If Agrees is nil, Undecided says why.
type Verified struct {
	Title        string         `json:"title"`
	Count        string         `json:"count,omitempty"`
	Distinct     *DistinctCount `json:"distinct,omitempty"`
	Engine       string         `json:"engine,omitempty" words:"auto sweep search diagram dimer" why:": the count is compared with the count of sat"`
	Method       string         `json:"method"`
	Agrees       *bool          `json:"agrees" doc:"null: undecided"`
	Undecided    string         `json:"undecided,omitempty" doc:"why"`
	Disagreement string         `json:"disagreement,omitempty"`
	Listed       *ListCheck     `json:"listed,omitempty"`
	Spots        *SpotCheck     `json:"spots,omitempty"`
	Residues     []Residue      `json:"residues,omitempty"`
	Dimer        *DimerCheck    `json:"dimer,omitempty"`
	Nodes        int64          `json:"nodes,omitempty" doc:"of the diagram"`
	Solver       *SolverCheck   `json:"solver,omitempty"`
	Certificate  *Certificate   `json:"certificate,omitempty"`
	Established  []string       `json:"established"`
	Open         []string       `json:"open"`
	Seconds      float64        `json:"seconds"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request: other tilings are not counted"`
}

// The results of methods of package evidence.
type (
	ListCheck   = evidence.ListCheck
	SpotCheck   = evidence.SpotCheck
	SolverCheck = evidence.SolverCheck
)

// DimerCheck is the result of the checks of a count of dimers by determinants.
type DimerCheck struct {
	Residues []Residue `json:"residues" null:"if there was no memory for a determinant in another order" doc:"residues from determinants of the same cells in another order"`
	Splits   int       `json:"splits" doc:"the number of placements for which tilings with and without the placement were counted"`
	Seconds  float64   `json:"seconds"`
}

// Certify asks for a count with a certificate. Watch.Output receives the certificate. After an
// error, the bytes in Watch.Output are no valid certificate.
type Certify struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Engine   string   `json:"engine,omitempty" words:"auto sweep diagram" why:": only these write certificates" doc:"auto, sweep or diagram; auto by default"`
	Distinct Distinct `json:"distinct,omitempty" doc:"certify also the count up to the symmetries of the board: usual (of solid boards only rotations), rotations or all"`
	Formula  bool     `json:"formula,omitempty" doc:"add the type of the puzzle's formula to the answer"`

	Conditions
}

// Kind implements [Request].
func (*Certify) Kind() Kind { return "certify" }

// predict forecasts a sweep unless the engine is diagram, since auto chooses a sweep here.
func (r *Certify) predict(ctx context.Context, m *tiling.Model) Forecast {
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	e := count.Sweep
	if count.Engine(r.Engine) == count.Diagram {
		e = count.Diagram
	}
	return forecast(count.Predict(ctx, m.Problem, e), s.elements())
}

func (r *Certify) do(ctx context.Context, w *work) (*Counted, error) {
	out, err := w.output()
	if err != nil {
		return nil, err
	}
	m, s, err := w.onDisk(ctx, &r.Puzzle, &r.Conditions, r.Distinct)
	if err != nil {
		return nil, err
	}
	as := &Count{Puzzle: r.Puzzle, Conditions: r.Conditions, Formula: r.Formula}
	e, o := count.Engine(r.Engine), w.options(Counting)
	if s == nil {
		result, err := count.Certify(ctx, m.Problem, out, e, o)
		if err != nil {
			return nil, err
		}
		return as.answer(ctx, w, m, result, nil)
	}
	result, err := count.CertifyDistinct(ctx, m.Problem, s.group(), out, e, o)
	if err != nil {
		return nil, err
	}
	return as.answer(ctx, w, m, result.Total, s.distinct(result))
}

// Check asks whether the certificate in Watch.Input proves the count of a puzzle. If it does not,
// or if a limit is reached, Run returns an error and an answer.
type Check struct {
	Puzzle Puzzle `json:"puzzle"`
	Name   string `json:"name,omitempty" doc:"the name of the certificate in errors"`

	Distinct Distinct `json:"distinct,omitempty" doc:"the certificate must be of the count up to these symmetries of the board: usual, rotations or all; without it, the certificate may be of this count or of the count of all tilings"`

	Conditions
}

// Kind implements [Request].
func (*Check) Kind() Kind { return "check" }

func (r *Check) do(ctx context.Context, w *work) (*Verified, error) {
	if w.watch.Input == nil {
		return nil, errors.New("there is no certificate to check")
	}
	m, s, err := w.onDisk(ctx, &r.Puzzle, &r.Conditions, r.Distinct)
	if err != nil {
		return nil, err
	}
	from := &counting{from: w.watch.Input}
	o := verify.CertificateOptions{Memory: w.limits.Memory, Disk: w.limits.Disk, Progress: func(c verify.Certified) {
		if w.watch.Progress != nil {
			w.watch.Progress(Progress{
				Doing: CheckingCertificate, Fraction: min(1, float64(from.read)/float64(max(1, w.watch.InputBytes))), Done: c.States, Unit: "states",
			})
		}
	}}
	o.Group = func(order int) []cover.Symmetry {
		if r.Distinct == "" {
			s = symmetryOf(ctx, m, order)
		}
		return s.group()
	}
	c, err := verify.CheckCertificate(ctx, m.Problem, from, o)
	if err == nil && r.Distinct != "" && c.Distinct == nil {
		err = fmt.Errorf("%w: the certificate proves the count of all tilings, expected a certificate of the count up to symmetry", verify.ErrCertificate)
	}
	if err != nil && errors.Is(err, verify.ErrCertificate) && r.Name != "" {
		err = fmt.Errorf("%s: %w", r.Name, err)
	}
	err = explained(ctx, err)
	agrees := err == nil
	answer := &Verified{
		Title: m.Puzzle.Title, Method: "certificate", Agrees: &agrees, Established: []string{}, Open: []string{}, Conditions: r.Puzzle.told(&r.Conditions),
	}
	switch {
	case agrees:
		seconds := c.Elapsed.Seconds()
		answer.Count, answer.Seconds = c.Count.String(), seconds
		states, levels, arcs := wording.Plural(c.States, "state"), wording.Plural(c.Levels, "level"), wording.Plural(c.Arcs, "arc")
		if d := c.Distinct; d != nil {
			answer.Distinct = s.count(d.Count)
			for _, k := range d.Classes {
				answer.Distinct.Fix = append(answer.Distinct.Fix, Fix{Motion: s.Elements[k.Element].Motion, Elements: k.Elements, Count: k.Fixed.String()})
			}
			answer.Established = append(answer.Established,
				fmt.Sprintf(provesAll, len(d.Classes), states, levels, arcs, d.Order),
				fmt.Sprintf(group, s.place(), s.title()))
		} else if u := c.Unmet; u != nil {
			answer.Established = append(answer.Established, fmt.Sprintf(unmet, m.Problem.Items[u.Item].Name, u.Min))
		} else {
			answer.Established = append(answer.Established, fmt.Sprintf(proves, states, levels, arcs))
		}
		if c.Parts > 0 {
			answer.Established = append(answer.Established, fmt.Sprintf(parts, human.Count(human.Grouped(int64(c.Parts)), "part")))
		}
		answer.Open = append(answer.Open, certifies)
		answer.Certificate = &Certificate{c.Digest, c.Levels, c.States, c.Arcs, c.Bytes, seconds, float64(c.States) / max(seconds, 1e-9)}
	case errors.Is(err, verify.ErrCertificate):
		answer.Disagreement = human.OneLine(err.Error())
	default:
		answer.Agrees, answer.Undecided = nil, human.OneLine(err.Error())
	}
	return answer, err
}

func symmetryOf(ctx context.Context, m *tiling.Model, order int) *symmetry {
	for _, d := range []Distinct{DistinctRotations, DistinctAll} {
		if s, err := d.symmetry(ctx, m); err == nil && len(s.Elements) == order {
			return s
		}
	}
	s, _ := DistinctUsual.symmetry(ctx, m)
	return s
}

type counting struct {
	from io.Reader
	read int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.read += int64(n)
	return n, err
}

// Certificate describes a certificate that proves the count.
type Certificate struct {
	Digest  string  `json:"digest" doc:"the SHA-256 of the exact cover"`
	Levels  int     `json:"levels"`
	States  int64   `json:"states"`
	Arcs    int64   `json:"arcs"`
	Bytes   int64   `json:"bytes" doc:"uncompressed"`
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"states_per_second"`
}

const (
	provesAll = "The certificate proves how many tilings each motion of the board leaves as they are. It has a certificate for each of the %d classes of motions; in all of them each choice leads to the right state, no choice is missing, and all sums are right (%s on %s, %s). The mean of the numbers for the %d motions is the count up to symmetry."
	group     = "The motions of the %s were found again: the %s. They map placements to placements, the product of two motions is a motion, and each motion is in one of the classes."
	proves    = "The certificate proves the count: each choice of each state leads to the right state, no choice is missing, and all sums are right (%s on %s, %s)."
	unmet     = "The certificate proves that there is no tiling: %q must be used %d times or more, and no choice of placements uses it so often."
	parts     = "The certificate splits the exact cover into parts, and each of its steps keeps the solutions: the count is the product of the counts of %s."
	certifies = "Not proved: that the tilings of the puzzle are the solutions of the exact cover that the certificate counts; pavage convert --to cover writes this cover."
)
