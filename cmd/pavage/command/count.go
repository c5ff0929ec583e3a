package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

type countVerb struct {
	*Call
	jsonFlag
	request     job.Count
	Estimate    bool     `flag:"" doc:"forecast the cost in place of counting: states, bytes, seconds"`
	Each        []string `flag:"VALUES" list:"," doc:"count once for each of these values of parameters: NAME for all values, NAME=A..B or NAME=A"`
	Certificate string   `flag:"FILE" doc:"write a certificate, a proof of the count, to FILE"`
	Modulo      []string `flag:"M" list:"," doc:"count only the remainder modulo M, a number from 2 to 2^63"`
	Mcc         bool     `flag:"" doc:"write the answer in the format of the model counting competition"`
}

func newCount(c *Call) *cobra.Command {
	v := &countVerb{Call: c}
	return c.Verb(&cobra.Command{
		Use:   "count PUZZLE",
		Short: "Count all tilings of a puzzle",
		Long: `Count all tilings of a puzzle, exactly and without a list of them. The output is
one line: the count, or with --distinct the count, the count up to symmetry, and
the group of symmetries. If the count is 0 and the program sees the reason
without a search, it writes the reason to standard error.

--engine chooses the method, see pavage help methods. auto, the default,
forecasts each method and uses the fastest. --explain writes the forecasts and
the reason of the choice; with --distinct the forecasts are for the count of all
tilings. --estimate writes forecasts and does not count.

A sweep that does not fit in --memory keeps its levels in files in --disk. With
--checkpoint it also saves its level, and the same command goes on from there
(pavage help limits). A count with --checkpoint is always a sweep, even if a
search would be much faster.

--certificate writes a proof: all states of a sweep, and where each choice
leads. "pavage verify --certificate" checks the file, and a program of your own
can do so too; doc/certificate.md describes the file. --modulo counts in other
arithmetic than the count itself, so it can check a count.

--up-to N ends a count at N tilings. With 2 the answer is 0, 1 or "2 or more".

--each counts all puzzles that one file with parameters describes, such as the
days of a calendar. Two parameters make a table: lines for the values of the
first, columns for those of the second.`,

		Example: `  pavage count name:pentominoes-6x10 --json
  pavage count name:pentominoes-6x10 --distinct
  pavage count name:kanoodle-5x11 --up-to 2
  pavage count name:calendar --set month=oct,day=6
  pavage count name:calendar --each day=1..31,month=1..12
  pavage count --board 12x12 --piece tetrominoes=any --estimate
  pavage count --board 12x12 --piece tetrominoes=any --checkpoint tetrominoes-12x12
  echo '{"board": "2x3", "pieces": [{"name": "domino", "copies": "any"}]}' | pavage count -`,
	}, v.run, []string{"engine", "threads", "memory", "disk", "timeout", "checkpoint.dir", "checkpoint.every"}, &v.request, v)
}

func (v *countVerb) run(ctx context.Context) error {
	v.request.Puzzle, v.request.Engine, v.request.Formula = v.Puzzle, v.Config.Engine, v.Mcc
	dir, engine := v.Config.Checkpoint.Dir, v.Config.Engine
	switch {
	case dir == "" && v.Given("checkpoint"):
		return usage("--checkpoint is empty, expected a directory")
	case dir == "" && v.Given("checkpoint-every"):
		return usage("--checkpoint-every given without --checkpoint")
	case v.Estimate && engine == job.EngineSAT:
		return usage(`the engine "sat" has no forecasts, expected another engine with --estimate`)
	}
	err := cmp.Or(
		v.alone("json", "mcc"),
		v.alone("distinct", "mcc"),
		v.alone("up-to", "mcc", "distinct", "explain", "estimate", "modulo", "each", "certificate", "checkpoint", "checkpoint-every"),
		v.alone("estimate", "mcc", "distinct", "explain", "engine", "modulo", "checkpoint", "checkpoint-every"),
		v.alone("each", "mcc", "explain", "estimate", "modulo", "certificate", "checkpoint", "checkpoint-every"),
		v.alone("modulo", "mcc", "distinct", "explain", "checkpoint", "checkpoint-every"),
		v.alone("certificate", "explain", "estimate", "modulo", "checkpoint", "checkpoint-every"))
	if err != nil {
		return err
	}
	r, w := &v.request, v.watch(job.Counting, v.AsJSON || v.Mcc)
	switch {
	case v.Estimate:
		w.quiet, w.bar.doing = true, job.Estimating
		a, err := do(ctx, w, &job.Estimate{Puzzle: v.Puzzle, Conditions: r.Conditions})
		return answer(v.Call, v.jsonFlag, v.writeEstimate, a, err)
	case v.Given("modulo"):
		w.quiet = true
		return v.runResidues(ctx, w)
	case v.Given("each"):
		a, err := do(ctx, w, &job.Each{Puzzle: v.Puzzle, Each: v.Each, Engine: r.Engine, Distinct: r.Distinct, Conditions: r.Conditions})
		return answer(v.Call, v.jsonFlag, v.writeTable, a, err)
	case v.Given("certificate"):
		certify := &job.Certify{Puzzle: v.Puzzle, Conditions: r.Conditions, Engine: r.Engine, Distinct: r.Distinct, Formula: v.Mcc}
		a, err := toFile(ctx, w, "certificate", v.Certificate, certify)
		return answer(v.Call, v.jsonFlag, v.write, a, err)
	}
	// job.Run removes the checkpoint after w.Answer has written the answer.
	w.Limits.Checkpoint, w.Limits.CheckpointEvery = dir, v.Config.Checkpoint.Every
	w.Answer = func(a job.Answer) error {
		w.tell()
		return answer(v.Call, v.jsonFlag, v.write, a.(*job.Counted), nil)
	}
	_, err = do(ctx, w, r)
	if err != nil && r.Explain && job.KindOf(err) != job.BadInput {
		writeLastPlan(v.Err, w.plan)
	}
	if dir == "" && r.HasCheckpoints() && job.KindOf(err) == job.Interruption {
		err = fail(codeInterrupted, fmt.Errorf("%w; a count with --checkpoint DIR can be interrupted and go on later", err))
	}
	return err
}

func (v *countVerb) runResidues(ctx context.Context, w *watcher) error {
	r := &job.Residues{Puzzle: v.request.Puzzle, Conditions: v.request.Conditions}
	if v.Given("engine") {
		r.Engine = v.Config.Engine
	}
	for _, field := range v.Modulo {
		var m job.Whole
		if err := m.UnmarshalText([]byte(strings.TrimSpace(field))); err != nil {
			return usage("--modulo is %.40q, expected numbers from 2 to %d, with commas between them", field, uint64(job.MaxModulus))
		}
		r.Moduli = append(r.Moduli, m)
	}
	a, err := do(ctx, w, r)
	return answer(v.Call, v.jsonFlag, func(a *job.ResiduesCounted) error {
		text := ""
		for _, x := range a.Residues {
			text += fmt.Sprintln(x)
		}
		_, err := io.WriteString(v.Out, text)
		return err
	}, a, err)
}

func (v *countVerb) write(c *job.Counted) error {
	text := c.Count + "\n" // one number; if Distinct is set, two numbers with labels
	switch d := c.Distinct; {
	case v.Mcc:
		n, _ := new(big.Int).SetString(c.Count, 10)
		satisfiable := "SATISFIABLE"
		if n.Sign() == 0 {
			satisfiable = "UNSATISFIABLE"
		}
		text = fmt.Sprintf("s %s\nc s type %s\nc s log10-estimate %s\nc s exact arb int %v\n", satisfiable, c.Formula, log10(n), n)
	case d != nil:
		text = fmt.Sprintf("%s, %s up to %s\n", human.Count(c.Count, "tiling"), d.Count, d.UpTo)
	case c.More:
		text = c.Count + " or more\n"
	}
	_, err := io.WriteString(v.Out, text)
	if c.Plan != nil {
		err = errors.Join(err, writeTaken(v.Err, c.Plan, c.Engine, c.Effort, c.Parts))
	}
	return err
}

// log10 returns the logarithm with 15 significant digits. The top 64 bits of n suffice for this.
func log10(n *big.Int) string {
	if n.Sign() == 0 {
		return "-inf"
	}
	shift := max(n.BitLen()-64, 0)
	top := new(big.Int).Rsh(n, uint(shift)).Uint64()
	return strconv.FormatFloat(math.Log10(float64(top))+float64(shift)*math.Log10(2), 'g', 15, 64)
}
