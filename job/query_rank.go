package job

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/render"
)

// GivenTiling is a tiling in a request: an object that the format json of tilings writes,
// or one with the numbers of its placements. Its ranks are passed over.
type GivenTiling struct {
	Rank       string                 `json:"rank,omitempty" doc:"not read"`
	WalkRank   string                 `json:"walk_rank,omitempty" doc:"not read"`
	Cursor     string                 `json:"cursor,omitempty" doc:"of a list; read if there is nothing else"`
	Placements []render.PlacementJSON `json:"placements,omitzero" doc:"of a puzzle"`
	Options    [][]string             `json:"options,omitzero" doc:"of a cover, in place of placements: the items that each option uses"`
	Numbers    []int                  `json:"numbers,omitzero" doc:"numbers of the placements, from 0, none for the empty tiling; for a cover: numbers of the options"`
}

// unrankQuestion asks for tilings by their ranks.
type unrankQuestion Query

func (r *unrankQuestion) check() error {
	for _, k := range r.Unrank {
		if err := checkRank("unrank", k); err != nil {
			return err
		}
	}
	return nil
}

func (r *unrankQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	set, err := (*Query)(r).solutions(ctx, w, s, count.ForRanks, to)
	if err != nil {
		return err
	}
	ranks := make([]*big.Int, len(r.Unrank))
	for i, k := range r.Unrank { // all before the first tiling is written
		if ranks[i], err = rankOf("unrank", k, set.Ranks()); err != nil {
			return err
		}
	}
	if err := w.begin(m.Puzzle); err != nil {
		return err
	}
	for options, err := range set.Unrank(ctx, ranks) {
		if err != nil {
			return err
		}
		if err := w.tiling(of(m, options, atRank(set, ranks[to.Written]))); err != nil {
			return err
		}
		to.Written++
	}
	return nil
}

// atRank is a tiling with its rank in the order of a set, without its placements.
func atRank(set count.Set, rank *big.Int) render.Tiling {
	if _, levels := set.(*count.Levels); levels {
		return render.Tiling{WalkRank: rank}
	}
	return render.Tiling{Rank: rank}
}

// rankQuestion asks for the ranks of tilings.
type rankQuestion Query

func (r *rankQuestion) check() error {
	for i, t := range r.Rank {
		if t.Placements == nil && t.Options == nil && t.Numbers == nil && t.Cursor == "" {
			return bad("{rank} has no tiling at place %d, want placements, numbers of placements, or a cursor", i+1)
		}
	}
	return nil
}

func (r *rankQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	given := make([][]int, len(r.Rank))
	names := &placeNames{subject: s}
	for i, t := range r.Rank { // all before the work
		options, ok := names.options(t)
		if !ok {
			return notATiling(i, len(r.Rank))
		}
		given[i] = options
	}
	set, err := (*Query)(r).solutions(ctx, w, s, count.ForRanks, to)
	if err != nil {
		return err
	}
	to.Ranks = make([]string, len(given))
	for i, options := range given {
		rank, err := set.Rank(ctx, options)
		if errors.Is(err, count.ErrMember) {
			return notATiling(i, len(given))
		}
		if err != nil {
			return err
		}
		to.Ranks[i] = rank.String()
	}
	return nil
}

// notATiling is the error about tiling i of so many.
func notATiling(i, of int) error {
	if of == 1 {
		return bad("{rank} is not a tiling of this puzzle, want one as sample or list writes it")
	}
	return bad("{rank} has at place %d what is not a tiling of this puzzle, want one as sample or list writes it", i+1)
}

// placeNames finds options by what the format json says of them.
type placeNames struct {
	*subject
	all map[string]int // nil: not made yet
}

// options are those of a given tiling, ascending. ok reports whether it can be one of the
// tilings: it is a solution, or the sets in a compiled file may be others.
func (n *placeNames) options(t GivenTiling) (options []int, ok bool) {
	p := n.model.Problem
	switch {
	case t.Numbers != nil:
		options = slices.Clone(t.Numbers)
	case t.Placements != nil || t.Options != nil:
		for _, name := range namesOfPlaces(t.Placements, t.Options) {
			o, known := n.number(name)
			if !known {
				return nil, false
			}
			options = append(options, o)
		}
	default:
		return parseCursor(t.Cursor, p)
	}
	slices.Sort(options)
	return options, n.compiled != nil || p.IsSolution(options)
}

// number is the option with a name.
func (n *placeNames) number(name string) (int, bool) {
	if n.all == nil {
		n.all = make(map[string]int, len(n.model.Problem.Options))
		for i := range n.model.Problem.Options {
			t := of(n.model, []int{i}, render.Tiling{}).JSON(n.model.Puzzle)
			n.all[namesOfPlaces(t.Placements, t.Options)[0]] = i
		}
	}
	o, known := n.all[name]
	return o, known
}

// namesOfPlaces are names of placements and options. The order of cells and items does
// not matter.
func namesOfPlaces(placements []render.PlacementJSON, options [][]string) (names []string) {
	for _, p := range placements {
		cells := make([]string, len(p.Cells))
		for i, c := range p.Cells {
			cells[i] = fmt.Sprint(c)
		}
		slices.Sort(cells)
		names = append(names, fmt.Sprintf("%q at %v", p.Piece, cells))
	}
	for _, o := range options {
		names = append(names, fmt.Sprintf("%q", slices.Sorted(slices.Values(o))))
	}
	return names
}
