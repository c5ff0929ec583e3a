package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
)

type listVerb struct {
	*Call
	output
	request job.List
}

func newList(c *Call) *cobra.Command {
	v := &listVerb{Call: c}
	return c.Verb(&cobra.Command{
		Use:   "list PUZZLE",
		Short: "List the tilings of a puzzle, one after another",
		Long: `List the tilings of a puzzle, each one once and in the same order in every run.
With --distinct, one tiling of each class is listed; a class has the tilings
that are the same up to symmetries of the board. The list of a puzzle without
tilings is empty, with exit code 0.

Tilings are drawn as text. --json writes one object a line. --compact writes one
object with all placements of the puzzle, then a line for each tiling: an array
of placement numbers.

A list may end early: at --number, at --timeout, or at an interrupt. To go on,
give --after and the cursor of the last tiling, which is on standard error. With
--json each tiling has its cursor; with --compact the cursor is the numbers of a
line with dots between them. When a list of pictures goes on, the numbers of its
files start at 1 again, so name another folder.`,
		Example: `  pavage list name:pentominoes-3x20
  pavage list name:pentominoes-3x20 --distinct --sheet tilings.svg
  pavage list name:pentominoes-6x10 -n 5 --json
  pavage list --board 2x3 --piece domino=any --after 0.2.6`,
	}, v.run, []string{"timeout"}, v, &v.request)
}

const manyTilings = 999_999 // if the number of tilings is unknown, names of pictures have enough digits for this number

func (v *listVerb) run(ctx context.Context) error {
	wanted, most := uint64(0), uint64(manyTilings)
	if v.request.Number != nil {
		wanted = uint64(*v.request.Number)
		most = wanted
	}
	if err := v.checkOutput(v.Call, wanted); err != nil {
		return err
	}
	v.request.Puzzle = v.Puzzle
	w := v.watch(job.Listing, v.lines())
	w.tilings(&v.output, most)
	listed, err := do(ctx, w, &v.request)
	if err != nil {
		return w.close(err)
	}
	var notes []string
	if listed.Classes != "" {
		notes = append(notes, listed.Classes)
	}
	switch {
	case listed.Limited:
		notes = append(notes, fmt.Sprintf("stopped at the limit of %s; to go on: --after %s", wording.Plural(int64(listed.Listed), "tiling"), listed.Cursor))
	case listed.Listed > 0 || v.request.Number != nil && *v.request.Number == 0:
	case v.Given("after"):
		notes = append(notes, "no more tilings")
	default:
		notes = append(notes, "no tilings")
	}
	if len(notes) > 0 && !v.lines() {
		fmt.Fprintln(v.Err, strings.Join(notes, "; "))
	}
	return w.close(nil)
}
