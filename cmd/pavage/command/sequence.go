package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/tiling"
)

// maxValues bounds a table, whose values are all held in memory.
const maxValues = 1 << 20

type sequenceVerb struct {
	*app
	pieces         []string
	cover, motions string
	sides          [3]sides // layers, rows, columns
	diagonal       bool
	format, output string
	given          *pflag.FlagSet
	recurrence     recurrenceFlags
}

func newSequence(a *app) *cobra.Command {
	v := &sequenceVerb{app: a}
	cmd := &cobra.Command{
		Use:   "sequence --piece NAME=any --rows A..B --columns A..B",
		Short: "Count the tilings of boards of many sizes, find recurrences",
		Long: `Count the tilings of rectangles of many sizes by the same pieces: the table
T(n,k) for n rows and k columns, or with --diagonal only the squares. With
--layers the boards are solid. If every piece may be used any number of times,
one sweep counts all boards of one width.

--format is one of
  text   a table with aligned columns (the default). It is written at the end,
         or when a limit is reached
  csv    one value a line (the default with --output)
  json   one object a line; the first one describes the table
  bfile  an OEIS b-file with lines "n a(n)". If one side is fixed, n is the
         other side; with --diagonal, n is the side of the square. A table is
         read by its complete antidiagonals T(1,1), T(1,2), T(2,1), T(1,3), …,
         from n = 1; its rows and columns must begin with the same number

All formats but text write each value as soon as it is known. With --output
FILE you can run the same command again after a limit, an interrupt or a crash:
it goes on where the file ends. It counts a value again if its line was cut.

--recurrence finds the linear recurrence of the counts of one width (--columns
W alone, or --rows H alone), and their generating function. It says what is
certain: the recurrence is proved, or it was checked on terms that were not
used to find it. --height N uses the recurrence to count the board of height N,
exactly up to 1000000, and with --modulo M up to 1000000000000000000.`,
		Example: `  pavage sequence --piece domino=any --rows 1..8 --columns 1..8
  pavage sequence --piece tetrominoes=any --rows 1..10 --columns 1..10 --format bfile --output b.txt
  pavage sequence --piece monomino=any --piece domino=any --rows 1..12 --columns 1..12 --diagonal
  pavage sequence --piece domino=any --layers 2 --rows 2 --columns 1..9
  pavage sequence --piece domino=any --columns 4 --recurrence
  pavage sequence --piece domino=any --columns 6 --height 100000
  pavage sequence --piece domino=any --columns 6 --height 1000000000000000000 --modulo 1000000007`,
		Args: cobra.NoArgs,
		RunE: a.run(v.run),
	}
	flags := cmd.Flags()
	v.given = flags
	flags.StringArrayVar(&v.pieces, "piece", nil, "a piece or set, `NAME` or NAME=COPIES: domino=any, O4, I3=0..2; repeat the flag for more")
	flags.StringVar(&v.cover, "cover", "", "which cells must be covered, `RULE`: exact means all (the default), at-most means that every cell may stay empty")
	flags.StringVar(&v.motions, "motions", "", "what the pieces may do, `MOTIONS`: free (rotate and reflect), one-sided (rotate) or fixed")
	for axis, name := range sideNames {
		flags.Var(&v.sides[axis], name, "`RANGE` of "+name+", A..B or one number")
	}
	flags.BoolVar(&v.diagonal, "diagonal", false, "count squares only (or cubes)")
	flags.StringVar(&v.format, "format", "", "`FORMAT` of the table: text, csv, json or bfile; of a recurrence: text or json")
	flags.StringVar(&v.output, "output", "", "write to `FILE`; if it is there already, go on where it ends")
	v.recurrence.flags(flags)
	config.Flags(flags, "threads", "memory", "timeout")
	return cmd
}

// sideNames are what the sides of a box are called, by axis.
var sideNames = [3]string{"layers", "rows", "columns"}

// sides is a range of sides; 0..0 where none was given.
type sides struct{ least, most int }

var _ pflag.Value = (*sides)(nil)

func (s *sides) Type() string { return "RANGE" }

func (s *sides) String() string {
	switch {
	case *s == sides{}:
		return ""
	case s.least == s.most:
		return strconv.Itoa(s.least)
	}
	return fmt.Sprintf("%d..%d", s.least, s.most)
}

func (s *sides) Set(text string) error {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		to = from
	}
	least, err := strconv.ParseUint(from, 10, 32)
	most, err2 := strconv.ParseUint(to, 10, 32)
	switch {
	case err != nil || err2 != nil || least < 1 || most > tiling.MaxSide || strings.ContainsAny(text, "+_"):
		return fmt.Errorf("want A..B or one number, from 1 to %d", tiling.MaxSide)
	case most < least:
		return fmt.Errorf("runs backwards, want %d..%d", most, least)
	}
	*s = sides{int(least), int(most)}
	return nil
}

func (s sides) single() bool { return s.least == s.most }
func (s sides) len() int     { return s.most - s.least + 1 }
func (s sides) given() bool  { return s.least > 0 }

func (v *sequenceVerb) run(ctx context.Context, _ []string) error {
	if v.config.Engine == job.EngineSAT {
		return usage("engine is sat, which counts no sequences, want auto, sweep, search or diagram")
	}
	if len(v.pieces) == 0 {
		return usage("no pieces given, want --piece NAME=any, or several")
	}
	f, err := v.family()
	if err != nil {
		return fail(codeUsage, err)
	}
	if v.recurrence.wanted(v.given) {
		return v.runRecurrence(ctx, f)
	}
	t, err := v.table(f)
	if err != nil {
		return err
	}
	return v.runTable(ctx, f, t)
}

// family makes a puzzle of the smallest board, to check the pieces as ever.
func (v *sequenceVerb) family() (*tiling.Family, error) {
	board := "1x1"
	if v.sides[0].given() {
		board = "1x1x1"
	}
	p, err := tiling.Inline(board, v.pieces, v.cover, v.motions)
	if err != nil {
		return nil, err
	}
	return tiling.NewFamily(p)
}

// table says which values are wanted, and checks how.
func (v *sequenceVerb) table(f *tiling.Family) (*table, error) {
	if v.given.Changed("output") && v.output == "" {
		return nil, usage("--output is empty, want a path")
	}
	for axis, s := range v.sides {
		if axis > 0 && !s.given() {
			return nil, usage("no --%s given, want %s and columns, A..B (or, with --recurrence, one of them)", sideNames[axis], sideNames[1])
		}
	}
	t := &table{family: f, sides: v.sides, diagonal: v.diagonal, format: v.format, command: v.command()}
	if !v.sides[0].given() {
		t.sides[0] = sides{1, 1}
		t.flat = true
	}
	switch {
	case t.format == "" && v.output == "":
		t.format = formatText
	case t.format == "":
		t.format = formatCSV
	case t.format == formatText && v.output != "":
		return nil, usage("--format text is for reading, a file that can be gone on with wants csv, json or bfile")
	}
	return t, t.plan()
}

// command is the call that asks for the same, however it was written.
func (v *sequenceVerb) command() string {
	text := "pavage sequence"
	for _, p := range v.pieces {
		text += " --piece " + p
	}
	if v.cover != "" && v.cover != "exact" {
		text += " --cover " + v.cover
	}
	standard := tiling.Free
	if v.sides[0].given() {
		standard = tiling.OneSided
	}
	if v.motions != "" && v.motions != standard.String() {
		text += " --motions " + v.motions
	}
	for axis, s := range v.sides {
		if s.given() {
			text += fmt.Sprintf(" --%s %v", sideNames[axis], &s)
		}
	}
	if v.diagonal {
		text += " --diagonal"
	}
	return text
}

// runTable counts and writes all values, the rest of them if some are written
// already.
func (v *sequenceVerb) runTable(ctx context.Context, f *tiling.Family, t *table) error {
	bar := v.newBar("counting")
	defer bar.done()
	b := newBoxes(v.app, f, bar)
	w, done, err := v.open(t, b)
	if err != nil {
		return err
	}
	b.want(t.sizes[done:])
	err = t.write(ctx, w, b, done)
	states := b.states()
	bar.done()
	if err = errors.Join(err, w.close()); err != nil {
		return v.goOn(err, w.written(), len(t.sizes))
	}
	v.log.Info().Int("values", len(t.sizes)).Int("read", done).Int64("states", states).Msg("counted")
	return nil
}

// open begins the output, or goes on with it behind the values already there.
func (v *sequenceVerb) open(t *table, b *boxes) (w valueWriter, done int, err error) {
	switch {
	case v.output != "":
		f, known, err := openResumable(v.output, t)
		if err != nil {
			return nil, 0, err
		}
		for i, n := range known {
			b.learn(t.sizes[i], n)
		}
		return f, len(known), nil
	case t.format == formatText:
		return &alignedWriter{out: v.Out, table: t}, 0, nil
	}
	w, err = newStreamWriter(v.Out, t)
	return w, 0, err
}

// goOn adds to the end of a run before its time how to go on.
func (v *sequenceVerb) goOn(err error, written, all int) error {
	var f *failure
	if err = v.coded(err); v.output == "" || !errors.As(err, &f) || f.code != codeLimit && f.code != codeInterrupted {
		return err
	}
	return fail(f.code, fmt.Errorf("%w; %s has %d of %d values, the same command goes on", f.err, v.output, written, all))
}
