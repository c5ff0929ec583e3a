package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

type listVerb struct {
	*app
	source
	output
	distinct distinct
	limit    whole
	limited  bool
	after    string
	goesOn   bool // --after is given
}

func newList(a *app) *cobra.Command {
	v := &listVerb{app: a}
	cmd := &cobra.Command{
		Use:   "list PUZZLE",
		Short: "List the tilings of a puzzle, one after another",
		Long: `List the tilings of a puzzle, each one once, as the program finds them. The
order is the same in every run. With --distinct, of all tilings that are the
same up to symmetry of the board only one is listed.

Tilings are drawn as text. --json writes one object a line, --svg draws one
picture for each tiling, and --sheet draws all of them on one picture.

A list may end early: at --limit, at --timeout, or when you interrupt it. To go
on, give --after and the cursor of the last tiling. --json has the cursor of
every tiling, and standard error has the last one. When a list goes on, --svg
numbers its files from 1 again, so give it another folder. --sheet has the
tilings of this run only.

If there is no tiling, the list is empty and no picture is drawn. This is not a
failure. Unless --json is given, a line on standard error says so.`,
		Example: `  pavage list name:pentominoes-3x20
  pavage list name:pentominoes-3x20 --distinct --sheet tilings.svg
  pavage list name:pentominoes-6x10 --limit 5 --json
  pavage list --board 2x3 --piece domino=any --after 0.2.6`,
	}
	cmd.RunE = a.run(func(ctx context.Context, args []string) error {
		v.limited, v.goesOn = cmd.Flags().Changed("limit"), cmd.Flags().Changed("after")
		return v.run(ctx, args)
	})
	v.takePuzzle(cmd)
	v.output.flags(cmd.Flags())
	v.distinct.flag(cmd.Flags(), "list only tilings that differ")
	cmd.Flags().Var(&v.limit, "limit", "stop after `N` tilings; without it list all")
	cmd.Flags().Lookup("limit").DefValue = "" // 0 is a limit, not the default
	cmd.Flags().StringVar(&v.after, "after", "", "go on after the tiling that has this `CURSOR`")
	config.Flags(cmd.Flags(), "timeout")
	return cmd
}

// manyTilings is how many there are for the names of pictures, if nobody knows.
const manyTilings = 999_999

func (v *listVerb) run(ctx context.Context, args []string) error {
	if err := v.check("--limit", uint64(v.limit)); err != nil {
		return err
	}
	model, err := v.model(ctx, v.In, args)
	if err != nil {
		return err
	}
	l, err := v.listing(ctx, model)
	if err != nil {
		return err
	}
	most := uint64(manyTilings)
	if v.limited {
		most = uint64(v.limit)
	}
	if l.out, err = v.begin(v.app, model.Puzzle, most); err != nil {
		return err
	}
	if v.distinct != "" && !v.json {
		v.distinct.tell(v.Err, model)
	}
	err = l.list(ctx)
	v.log.Info().Uint64("listed", l.listed).Str("cursor", l.cursor()).Msg("listed")
	if err != nil {
		return l.cutShort(v.coded(err))
	}
	if v.limited && l.listed == uint64(v.limit) && l.listed > 0 && !v.json {
		fmt.Fprintf(v.Err, "stopped at the limit of %d; to go on: --after %s\n", v.limit, l.cursor())
	}
	if l.listed == 0 && l.most > 0 && !v.json {
		fmt.Fprintln(v.Err, v.nothing())
	}
	return l.out.close()
}

// nothing says that there is no tiling, so that an empty output is not taken
// for a mistake.
func (v *listVerb) nothing() string {
	if v.goesOn {
		return "no more tilings"
	}
	return "no tilings"
}

// cutShort ends the output of a list that came to a limit before its end, and
// adds to the error how to go on.
func (l *listing) cutShort(err error) error {
	var f *failure
	if l.cursor() == "" || !errors.As(err, &f) || f.code != codeLimit && f.code != codeInterrupted {
		return err
	}
	if err := l.out.close(); err != nil {
		return err
	}
	return fail(f.code, fmt.Errorf("%w; to go on: --after %s", f.err, l.cursor()))
}

// listing is a list under way.
type listing struct {
	model  *tiling.Model
	group  []cover.Symmetry // one tiling of each class is listed; empty: all
	memory int64
	after  []int // the tiling listed last; nil: none
	most   uint64
	listed uint64
	out    sink
}

func (v *listVerb) listing(ctx context.Context, m *tiling.Model) (*listing, error) {
	l := &listing{model: m, most: math.MaxUint64, memory: v.options(nil).Memory}
	if v.limited {
		l.most = uint64(v.limit)
	}
	if v.goesOn {
		var ok bool
		if l.after, ok = parseCursor(v.after, m.Problem); !ok {
			return nil, usage("--after is not a tiling of this puzzle, want the cursor of one")
		}
	}
	if v.distinct != "" {
		l.group = v.distinct.group(m).Symmetries()
	}
	return l, nil
}

// list hands the tilings to out, up to the limit.
func (l *listing) list(ctx context.Context) error {
	if l.most == 0 {
		return nil
	}
	var failed error
	which := count.Listing{Group: l.group, After: l.after, Memory: l.memory}
	err := count.Each(ctx, l.model.Problem, which, func(options []int) bool {
		if failed = l.add(options); failed != nil {
			return false
		}
		l.listed++
		return l.listed < l.most
	})
	return errors.Join(failed, err)
}

func (l *listing) add(options []int) error {
	t := make([]tiling.Placement, len(options))
	for i, o := range options {
		t[i] = l.model.Placements[o]
	}
	l.after = append(l.after[:0], options...)
	return l.out.add(label{cursor: formatCursor(options)}, t)
}

// cursor is that of the tiling listed last, empty if there is none.
func (l *listing) cursor() string {
	if l.after == nil {
		return ""
	}
	return formatCursor(l.after)
}

// A cursor is a tiling's options, ascending, in base 36 with dots between
// them. It holds for a puzzle, whatever lists it; the empty packing's is a dot.
const (
	cursorBase  = 36
	cursorDot   = "."
	emptyCursor = cursorDot
)

func formatCursor(options []int) string {
	if len(options) == 0 {
		return emptyCursor
	}
	text := make([]byte, 0, 4*len(options))
	for i, o := range options {
		if i > 0 {
			text = append(text, cursorDot...)
		}
		text = strconv.AppendInt(text, int64(o), cursorBase)
	}
	return string(text)
}

// parseCursor reports whether text is the cursor of a solution of p, and which.
// The solution is not nil.
func parseCursor(text string, p *cover.Problem) (options []int, ok bool) {
	options = []int{}
	if text != emptyCursor {
		for field := range strings.SplitSeq(text, cursorDot) {
			o, err := strconv.ParseInt(field, cursorBase, 32)
			if err != nil {
				return nil, false
			}
			options = append(options, int(o))
		}
	}
	return options, slices.IsSorted(options) && p.IsSolution(options)
}
