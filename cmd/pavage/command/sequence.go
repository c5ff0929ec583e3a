package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/job/sequence"
)

type sequenceVerb struct {
	*Call
	table      job.Sequence
	recurrence job.Recurrence
	Recurrence bool            `flag:"" doc:"find a recurrence in the number of rows, for boards of one width"`
	Format     sequence.Format `flag:"FORMAT" doc:"format of the table: text, csv, json or bfile; of a recurrence: text or json"`
	Output     string          `flag:"FILE" doc:"write to FILE; if FILE exists already, go on where FILE ends"`
}

func newSequence(c *Call) *cobra.Command {
	v := &sequenceVerb{Call: c}
	cmd := c.Verb(&cobra.Command{
		Use:   "sequence [PUZZLE] --rows A..B --columns A..B",
		Short: "Count tilings for boards of many sizes, find recurrences",
		Long: `Count the tilings of rectangles of many sizes by the same pieces: the table
T(n,k) for n rows and k columns, or with --diagonal only the squares. With
--layers the boards are solid. If every piece may be used any number of times,
one sweep counts all boards of one width.

The pieces come from --piece, or from a PUZZLE, whose board must be a full
rectangle (or box) of cells that are all alike; its size does not matter. A
board without cells has one tiling, unless some piece must be used. With
conditions each board is counted by itself, so a table takes longer. --engine
dimer counts boards that are too wide for a sweep: dominoes on 100x100.

--per-cell writes the natural logarithm of each count divided by the number of
cells, which physicists call the entropy, or free energy, per site. All 20
digits are right. Text has these numbers, or the counts up to symmetry of
--distinct, in place of the counts; CSV and JSON have them beside the counts.

--format is one of
  text   a table with aligned columns (the default), written at the end, or when
         a limit is reached; columns that do not fit the terminal follow below
  csv    one value a line (the default with --output)
  json   one object a line; the first one describes the table
  bfile  an OEIS b-file with lines "n a(n)". If one side is fixed, n is the
         other side; with --diagonal, n is the side of the square. A table is
         read by its complete antidiagonals T(1,1), T(1,2), T(2,1), T(1,3), …,
         from n = 1; its rows and columns must begin with the same number

All formats but text write each value as soon as it is known. After a limit, an
interrupt or a crash, the same command with --output FILE goes on where the file
ends.

--recurrence finds the linear recurrence of the counts of one width (--columns W
alone, or --rows H alone), and their generating function. The output states
whether the recurrence is proved, or was checked on terms that were not used to
find it. --height counts one board by the recurrence.`,
		Example: `  pavage sequence --piece domino=any --rows 1..8 --columns 1..8
  pavage sequence --piece tetrominoes=any --rows 1..10 --columns 1..10 --format bfile --output b.txt
  pavage sequence --piece '##/#.=any' --rows 0..6 --columns 0..9
  pavage sequence --piece domino=any --rows 2..100 --columns 2..100 --diagonal --per-cell
  pavage sequence --piece domino=any --columns 4 --recurrence
  pavage sequence --piece domino=any --columns 6 --height 1000000000000000000 --modulo 1000000007`,
	}, v.run, []string{"engine", "threads", "memory", "timeout"}, v, &v.table, &v.recurrence)
	// For --board, run returns an error that names the flags to use.
	_ = cmd.Flags().MarkHidden("board")
	_ = cmd.Flags().MarkHidden("wrap")
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "--board", "the boards") })
	return cmd
}

func (v *sequenceVerb) run(ctx context.Context) error {
	switch v.table.Puzzle = v.inline(); {
	case v.Given("board"):
		return usage("--board given, expected --rows and --columns for the sizes of the boards")
	case v.Given("wrap") && v.source.Wrap != "none":
		return usage("--wrap is %.40q, but the command sequence supports only boards that do not wrap: use pavage count --wrap for one board at a time", v.source.Wrap)
	case len(v.Args) > 0:
		var err error
		if v.table.Puzzle, err = v.read(ctx); err != nil {
			return err
		}
	}
	v.recurrence.Boxes = v.table.Boxes
	if height := v.Given("height"); v.Recurrence || height || v.Given("modulo") || v.Given("terms") {
		switch {
		case v.table.Diagonal || v.Given("output") || v.table.Distinct != "" || v.table.PerCell:
			return usage("--diagonal, --distinct, --per-cell and --output are for tables, not for recurrences")
		case !v.table.IsEmpty():
			return usage("conditions such as --fault-free are for tables, not for recurrences: under conditions each board is counted by itself")
		case height && v.Recurrence:
			return usage("both --recurrence and --height given, expected one or the other")
		case !height && !v.Recurrence && v.Given("terms"):
			return usage("--terms given without --recurrence or --height")
		case height && v.Format != "":
			return usage("both --height and --format given, expected one or the other")
		case v.Format != "" && v.Format != sequence.Text && v.Format != sequence.JSON:
			return usage("--format is %s, expected text or json with --recurrence", v.Format)
		}
		a, err := do(ctx, v.watch(job.Counting, false), &v.recurrence)
		return answer(v.Call, jsonFlag{v.Format == sequence.JSON}, func(a *job.Recurred) error {
			text := a.Text
			if a.Height != nil {
				text = a.Height.Count + "\n"
			}
			_, err := io.WriteString(v.Out, text)
			return err
		}, a, err)
	}
	switch {
	case v.Format == "" && v.Output == "":
		v.Format = sequence.Text
	case v.Format == "":
		v.Format = sequence.CSV
	}
	v.table.Format, v.table.Engine = v.Format, v.Config.Engine
	t, err := v.table.Table(ctx)
	if err != nil {
		return err
	}
	var out sequence.Writer
	switch {
	case v.Output != "":
		out, v.table.Known, err = sequence.Open(v.Output, t)
	case t.Format == sequence.Text:
		out = sequence.NewText(v.Out, t, columns(v.Out))
	default:
		out, err = sequence.NewLines(v.Out, t)
	}
	if err != nil {
		return err
	}
	w := v.watch(job.Counting, v.Format == sequence.JSON)
	w.Values = out.Take
	_, err = do(ctx, w, &v.table)
	if err = errors.Join(v.coded(err), out.Close()); err != nil {
		var f *failure
		if v.Output == "" || !errors.As(err, &f) || f.code != codeLimit && f.code != codeInterrupted {
			return err
		}
		return fail(f.code, fmt.Errorf("%w; %s has %d of %d values: the same command adds the other values", err, v.Output, out.Written(), t.Sizes()))
	}
	return nil
}
