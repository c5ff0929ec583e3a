package command

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
)

type queryVerb struct {
	*Call
	output
	request job.Query
	CSV     bool   `flag:"" doc:"write numbers as comma-separated values"`
	Rank    string `flag:"FILE|NUMBERS" doc:"rank of each tiling in FILE or of the placements NUMBERS: FILE has JSON lines (- is standard input), NUMBERS are the numbers of all placements of a tiling, such as 0,2,6, or '' for the empty tiling"`
	Shades  shades `flag:"WHAT" doc:"scale of a heat-map: zero (0 to the largest number), mean (two standard deviations below and above the mean), fit (the smallest number to the largest), full (0 to 100 percent), own (0 to the largest number of each panel) or auto (mean on boards of 256 cells or more with a standard deviation of at most a quarter of the mean, zero elsewhere)"`
}

type shades string

func (shades) Choices() []string { return append(render.HeatScale("").Choices(), ownShades) }

const ownShades = "own"

func newQuery(c *Call) *cobra.Command {
	v := &queryVerb{Call: c, request: job.Query{Method: job.AutoMethod}, Shades: "auto"}
	return c.Verb(&cobra.Command{
		Use:   "query PUZZLE",
		Short: "Ask about all tilings of a puzzle together",
		Long: `Ask one question about all tilings of a puzzle together, without a list of them.
With conditions (pavage help conditions), only tilings that satisfy all of the
conditions are asked about.

Every tiling has a rank, from 0 to the count minus 1. --unrank writes the tiling
of a rank, as "pavage sample" does. --rank does the opposite: it reads lines
that "pavage sample --json" or "pavage list --json" wrote.

--marginals counts, for each cell and piece, the tilings in which the piece
covers the cell; with =orientations, for each orientation of a piece; with
=kinds, also by the colour of the placement's first cell on a chessboard.
=placements counts the tilings of each placement, with its number.
--correlate PLACEMENTS writes for each cell and piece the covariance r - p q,
where p is the share of tilings with any of PLACEMENTS, q the share in which the
piece covers the cell, and r the share with both.

With --weight, --marginals, --correlate and --pairs answer with sums of weights
in place of numbers of tilings; --weight without a question means --entropy.
--entropy then has the total weight Z of all tilings, ln(Z) per cell, Shannon's
entropy -Σ p ln p, where the probability p of a tiling is its weight divided by
Z, and the expected number of copies of each piece. All 20 digits of the numbers
per cell are right.

Numbers are a table, with --json one object, with --csv lines for other
programs. --svg, --png and --tikz draw a heat-map of marginals or correlations,
or a bar chart of numbers of copies.

--by-copies counts the tilings for each choice of copies of these pieces.
--having RANGE keeps only choices whose number of tilings is in RANGE, and
writes each as soon as it is found. For very many choices, or with --method
search, a search lists the tilings. --timeout or an interrupt may end the search
early. To go on, give --after and the cursor from standard error, or from the
answer of --json, which has at most 16,384 choices.

--method chooses how the question is answered, see pavage help methods.`,
		Example: `  pavage query --board 8x8 --piece domino=any --unrank 1000000 --json
  pavage query name:bedlam --marginals --of bedlam-01 --svg cross.svg
  pavage query --board 6x6 --piece domino=any --piece monomino=any --by-copies all
  pavage query --board 5x5 --piece pentominoes=0..1 --by-copies all --having 8
  pavage query --board 8x8 --piece domino=any --pairs 0,0=domino:1,7,7=domino:2
  pavage query --board 6x6 --piece domino=any --entropy --weight domino:1=3/2 --json
  pavage query --board 2x3 --piece domino=any --rank 0,2,6
  pavage query --board 60x60 --piece domino=any --marginals=kinds --svg kinds.svg`,
	}, v.run, []string{"threads", "memory", "timeout"}, v, &v.request)
}

func (v *queryVerb) run(ctx context.Context) error {
	if v.Rank == "-" && slices.Equal(v.Args, []string{"-"}) {
		return usage("both PUZZLE and --rank are standard input, expected a file for one of them")
	}
	err := v.check()
	if err != nil {
		return err
	}
	v.request.Puzzle = v.Puzzle
	if v.Given("rank") {
		if v.request.Rank, err = v.tilings(); err != nil {
			return err
		}
	}
	w := v.watch(job.Compiling, v.lines() || v.CSV)
	w.tilings(&v.output, v.wanted())
	rows := &rowsFound{having: v.request.Having, csv: v.CSV}
	if v.request.Having != "" && v.format == nil && !v.lines() {
		w.Copies = func(pieces []string, copies []int, tilings string) error {
			return rows.add(w, pieces, copies, tilings)
		}
	}
	w.Answer = func(a job.Answer) error {
		q := a.(*job.Queried)
		if w.Copies != nil {
			return rows.end(w, q)
		}
		if v.wanted() == 0 && v.format != nil && v.format.Most > 0 {
			if err := q.Drawable(); err != nil {
				return err
			}
		}
		w.tell()
		if v.wanted() > 0 {
			return w.close(nil)
		}
		heat, cells := q.Heat()
		heat.Scale = render.HeatScale(v.Shades)
		if heat.Own = v.Shades == ownShades; heat.Own {
			heat.Scale = "zero"
		}
		bars, copies := q.Bars()
		switch {
		case v.lines():
			return v.JSON(q)
		case v.CSV && q.Entropy != nil:
			return writeCSV(v.Out, tableOfEntropy(q))
		case v.CSV:
			return writeCSV(v.Out, tableOf(q))
		case v.format != nil && cells:
			return atomicfile.Write(v.path, func(w io.Writer) error { return render.HeatMap(w, q.Puzzle, heat, v.PictureOptions) })
		case v.format != nil && copies:
			return atomicfile.Write(v.path, func(w io.Writer) error { return render.BarChart(w, bars, v.PictureOptions) })
		case cells && q.Heights == nil && q.Count != "0":
			return render.HeatText(v.Out, q.Puzzle, heat, render.TextOptions{Color: colored(v.Config.Color, v.Out)})
		case copies && len(q.Pieces) == 1:
			return render.BarsText(v.Out, bars, render.TextOptions{})
		case q.Ranks != nil:
			_, err := io.WriteString(v.Out, strings.Join(q.Ranks, "\n")+"\n")
			return err
		}
		return writeNumbers(v.Out, q)
	}
	q, err := do(ctx, w, &v.request)
	if err != nil && q != nil && v.lines() {
		err = errors.Join(v.JSON(q), err)
	}
	return err
}

func (v *queryVerb) wanted() uint64 {
	switch r := v.request; {
	case r.Best != nil:
		return uint64(*r.Best)
	case r.Worst != nil:
		return uint64(*r.Worst)
	}
	return uint64(len(v.request.Unrank))
}

func (v *queryVerb) check() error {
	switch {
	case v.Given("shades") && v.request.Marginals == "" && v.request.Correlate == "":
		return usage("--shades is given without --marginals or --correlate")
	case v.CSV && v.format != nil:
		return usage("both --csv and --%s given, expected one or the other", v.format.Name)
	case v.CSV && v.wanted() > 0:
		return usage("--csv is only for numbers, but this question is about tilings: use text, --json, --compact or pictures")
	case v.wanted() > 0:
		return v.checkOutput(v.Call, v.wanted())
	case v.format == nil || v.format.Name == "json":
		return v.checkPicture(v.Call, "", "svg", "png", "tikz")
	}
	f := v.format
	switch {
	case pen.Of(f.Extension) == nil || f.Most > 1:
		return usage("--%s is only for tilings, but this question is about numbers: expected --svg, --png or --tikz", f.Name)
	case v.request.Marginals == "" && v.request.Correlate == "" && len(v.request.ByCopies) == 0, v.request.Marginals == "placements":
		return usage("--%s draws only tilings, marginals, correlations and numbers of copies: use text, --json or --csv here", f.Name)
	}
	return v.checkFile(v.Call)
}

func (v *queryVerb) tilings() ([]job.GivenTiling, error) {
	var numbers []int // a list of numbers with commas is JSON without the brackets
	if json.Unmarshal([]byte("["+strings.ReplaceAll(v.Rank, "#", "")+"]"), &numbers) == nil {
		return []job.GivenTiling{{Numbers: numbers}}, nil
	}
	in, name := v.In, "standard input"
	if v.Rank != "-" {
		f, err := os.Open(v.Rank)
		if err != nil {
			return nil, usage("--rank: %w", err)
		}
		defer f.Close()
		in, name = f, v.Rank
	}
	var all []job.GivenTiling
	for d := json.NewDecoder(in); ; {
		var t job.GivenTiling
		switch err := d.Decode(&t); {
		case err == nil:
			all = append(all, t)
		case !errors.Is(err, io.EOF):
			return nil, usage("--rank: %s: value %d is not a tiling, expected a JSON object as sample --json writes it: %w", name, len(all)+1, err)
		case len(all) == 0:
			return nil, usage("--rank: %s has no tiling, expected one JSON object on each line, as sample --json writes it", name)
		default:
			return all, nil
		}
	}
}
