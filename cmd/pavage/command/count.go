package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

type countVerb struct {
	*app
	source
	json, mcc bool
	distinct  distinct
	explain   explain
	forecast  bool     // --estimate
	modulo    []string // --modulo
	cert      string   // --certificate
}

func newCount(a *app) *cobra.Command {
	v := &countVerb{app: a}
	cmd := &cobra.Command{
		Use:   "count PUZZLE",
		Short: "Count all tilings of a puzzle",
		Long: `Count all tilings of a puzzle. The count is exact, and the tilings are not
listed.

--distinct also counts up to symmetry: tilings that are the same after a
rotation or reflection of the board count once. On a solid board only rotations
are used. --distinct=rotations and --distinct=all choose.

The output is one line: the count, or with --distinct both counts and the group
of symmetries. --json writes one object, with the work that the count took.
--mcc writes the lines of the model counting competition.

The engine auto, the default, chooses between sweep and search. It sweeps the
first levels, tries the search on some samples, and goes on with the engine
that it expects to be faster. --explain writes to standard error what it
expected and why it chose, also if the count then reaches a limit. With --json
this is part of the object. With --distinct it is about the count of all
tilings. The forecast for a search is more often too low than too high. The
engine sat lists all tilings with a SAT solver. It is slow and shares no code
with the others.

--estimate forecasts the count and does not count. For a sweep it tells the
states, the memory of the largest level, the time, and the order of the cells;
for a search the tries. It makes the first levels and draws samples of the
others. This can take a minute.

--certificate writes a proof of the count to a file: all states of a sweep, and
where each choice leads. "pavage verify --certificate" checks it, or a program
of your own; doc/certificate.md describes the file.

A sweep that does not fit in --memory keeps its levels in files in --disk, and
takes twice as long. --modulo counts only the remainder of the count modulo a
number. This uses other arithmetic than the count itself, so it can check it.

With --checkpoint a sweep saves its level in a directory: every five minutes
(see --checkpoint-every), when you interrupt it, and when it reaches a limit.
Give the same command again and the count goes on from there. When the count is
done, the files are removed.`,

		Example: `  pavage count examples/pentominoes-6x10.yaml
  pavage count name:pentominoes-6x10 --json
  pavage count name:pentominoes-6x10 --distinct
  pavage count name:pentominoes-6x10 --explain
  pavage count --board 12x12 --piece tetrominoes=any --estimate
  pavage count --board 8x8 --piece domino=any --mcc
  pavage count --board 7x9 --cover at-most --piece tetrominoes --timeout 10m --memory 8GiB
  pavage count --board 12x12 --piece tetrominoes=any --checkpoint tetrominoes-12x12
  echo '{"board": "2x3", "pieces": [{"name": "domino", "copies": "any"}]}' | pavage count -`,
		RunE: a.run(v.run),
	}
	v.takePuzzle(cmd)
	cmd.Flags().BoolVar(&v.json, "json", false, "write one JSON object")
	cmd.Flags().BoolVar(&v.mcc, "mcc", false, "write the lines of the model counting competition")
	v.distinct.flag(cmd.Flags(), "count also the tilings that differ")
	v.explain.flag(cmd.Flags())
	cmd.Flags().BoolVar(&v.forecast, "estimate", false, "do not count, but forecast what it would take: states, bytes, seconds")
	cmd.Flags().StringSliceVar(&v.modulo, "modulo", nil, "count only the remainder modulo `M`, a number from 2 to 2^63, or several: M,M,...")
	cmd.Flags().StringVar(&v.cert, "certificate", "", "write a certificate, a proof of the count, to `FILE`")
	config.Flags(cmd.Flags(), "engine", "threads", "memory", "disk", "timeout", "checkpoint.dir", "checkpoint.every")
	return cmd
}

func (v *countVerb) run(ctx context.Context, args []string) error {
	if v.json && v.mcc {
		return usage("both --json and --mcc given, want one or the other")
	}
	if v.distinct != "" && v.mcc {
		return usage("both --distinct and --mcc given, whose lines have no place for a second number")
	}
	if err := cmp.Or(v.checkEstimate(), v.checkCertificate(), v.checkSAT(), v.checkDisk()); err != nil {
		return err
	}
	var moduli []uint64
	if v.given("modulo") {
		var err error
		if moduli, err = v.moduli(); err != nil {
			return err
		}
	}
	start := time.Now()
	model, err := v.model(ctx, v.In, args)
	switch {
	case err != nil:
		return err
	case v.forecast:
		return v.estimate(ctx, model)
	case moduli != nil:
		return v.residues(ctx, model, moduli)
	}
	v.explain.model = model
	bar := v.newBar("counting")
	c, err := v.openCheckpoint(bar)
	if err != nil {
		return err
	}
	defer c.close()
	o := v.options(bar.report)
	v.explain.ask(&o)
	result, err := v.counted(ctx, model, o, c)
	bar.done()
	if err != nil {
		v.explain.writeLast(v.Err)
		return c.resumable(err)
	}
	seconds := time.Since(start).Seconds()
	v.log.Info().Str("engine", string(result.Engine)).Int64("states", result.States).Int64("nodes", result.Nodes).
		Int64("bytes", result.Bytes).Int64("disk", result.Disk).Float64("seconds", seconds).Msg("counted")
	if err := v.write(model, result, seconds); err != nil {
		return err
	}
	return c.remove()
}

// counted counts in the way that was asked for.
func (v *countVerb) counted(ctx context.Context, m *tiling.Model, o count.Options, c *checkpoint) (*counted, error) {
	switch {
	case v.cert != "":
		return v.certify(ctx, m, o)
	case v.config.Engine == engineSAT:
		return v.countSAT(ctx, m, c.bar)
	case c.Checkpoint != nil:
		r, err := c.Count(ctx, m.Problem, o)
		return &counted{Result: r}, err
	}
	return v.distinct.count(ctx, m, v.engine(), o)
}

func (v *countVerb) write(m *tiling.Model, r *counted, seconds float64) error {
	switch {
	case v.json:
		o := countObject(m, r, seconds)
		o.Plan = v.explain.object(r.Plan)
		return writeJSON(v.Out, o)
	case v.mcc:
		return errors.Join(writeMCC(v.Out, r.Count), v.explain.write(v.Err, r.Result))
	}
	if r.Count.Sign() == 0 && count.Unbalanced(m.Problem) {
		fmt.Fprintln(v.Err, "no choice of copies has as many cells as the board")
	}
	return errors.Join(r.writeText(v.Out), v.explain.write(v.Err, r.Result))
}

// countJSON is the object of count --json. A count has any number of digits
// and is a string.
type countJSON struct {
	Title    string        `json:"title"`
	Count    string        `json:"count"`
	Distinct *distinctJSON `json:"distinct,omitempty"`
	Engine   string        `json:"engine"`
	Plan     *planJSON     `json:"plan,omitempty"`
	Items    int           `json:"items"`
	Options  int           `json:"options"`
	Effort   effort        `json:"effort"`
	Seconds  float64       `json:"seconds"`
	Peak     int64         `json:"peak_memory_bytes"`
	Disk     int64         `json:"disk_bytes,omitempty"` // of levels that did not fit in memory
}

type effort struct {
	States int64 `json:"states"`          // of a sweep's levels; of a search: choices made
	Tries  int64 `json:"tries,omitempty"` // of a search, as the plan forecasts them
	Nodes  int64 `json:"nodes"`           // of the reduced diagram, terminals included; 0 where none is built
}

func countObject(m *tiling.Model, r *counted, seconds float64) countJSON {
	return countJSON{
		Title:    m.Puzzle.Title,
		Count:    r.Count.String(),
		Distinct: r.object(),
		Engine:   string(r.Engine),
		Items:    len(m.Problem.Items),
		Options:  len(m.Problem.Options),
		Effort:   effortOf(r.Result),
		Seconds:  seconds,
		Peak:     peakMemory(),
		Disk:     r.Disk,
	}
}

func effortOf(r *count.Result) effort {
	return effort{States: r.States, Tries: r.Tries, Nodes: r.Nodes}
}

// writeJSON writes x on one line.
func writeJSON(w io.Writer, x any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

// writeMCC writes a count as the model counting competitions want it, see
// https://mccompetition.org/assets/files/mccomp_format_24.pdf.
func writeMCC(w io.Writer, n *big.Int) error {
	_, err := fmt.Fprintf(w, "c s type mc\nc s log10-estimate %s\nc s exact arb int %v\n", log10(n), n)
	return err
}

// log10 is the decimal logarithm of n ≥ 0 with 15 significant digits, -inf
// for 0. The top 64 bits of n hold more than a float64 can tell.
func log10(n *big.Int) string {
	if n.Sign() == 0 {
		return "-inf"
	}
	shift := max(n.BitLen()-64, 0)
	top := new(big.Int).Rsh(n, uint(shift)).Uint64()
	return strconv.FormatFloat(math.Log10(float64(top))+float64(shift)*math.Log10(2), 'g', 15, 64)
}
