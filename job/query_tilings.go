package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// GivenTiling is a tiling in the output format json. One of Numbers and Cursor is enough.
type GivenTiling struct {
	Rank       string                 `json:"rank,omitempty" doc:"not read"`
	SweepRank  string                 `json:"sweep_rank,omitempty" doc:"not read"`
	Cursor     string                 `json:"cursor,omitempty" doc:"a cursor that list has written; used only if no other field has the tiling"`
	Placements []render.PlacementJSON `json:"placements,omitzero" doc:"the placements of a tiling of a puzzle"`
	Options    [][]string             `json:"options,omitzero" doc:"for a cover, in place of placements: the items that each option uses"`
	Numbers    []int                  `json:"numbers,omitzero" doc:"the numbers of the placements, from 0, an empty list for the tiling without placements; for a cover, the numbers of the options"`
}

func (r *Query) answerUnrank(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	set, err := r.solutions(ctx, w, s, count.ForRanks, to)
	if err != nil {
		return err
	}
	if set.Ranks().Sign() == 0 {
		return whyNone(ctx, m, to.Conditions, to.Derived)
	}
	ranks := make([]*big.Int, len(r.Unrank))
	for i, k := range r.Unrank { // find all mistakes before the work
		if ranks[i], err = rankOf("unrank", k, set.Ranks()); err != nil {
			return err
		}
	}
	if err := w.begin(m.Puzzle); err != nil {
		return err
	}
	engine := set.Report().Engine
	for options, err := range set.Unrank(ctx, ranks) {
		if err != nil {
			return err
		}
		if err := w.tiling(of(m, options, atRank(engine, ranks[to.Written]))); err != nil {
			return err
		}
		to.Written++
	}
	return nil
}

func atRank(engine count.Engine, rank *big.Int) render.Tiling {
	if engine == count.Sweep {
		return render.Tiling{SweepRank: rank}
	}
	return render.Tiling{Rank: rank}
}

func (r *Query) answerRank(ctx context.Context, w *work, s *subject, to *Queried) error {
	notATiling := func(i int) error {
		if len(r.Rank) == 1 {
			return bad("{rank} is not a tiling of this puzzle, expected a tiling in the form that the commands sample and list write")
		}
		return bad("{rank}: entry %d is not a tiling of this puzzle, expected a tiling in the form that the commands sample and list write", i+1)
	}
	given := make([][]int, len(r.Rank))
	number := numbersOf(s.model)
	for i, t := range r.Rank { // find all mistakes before the work
		options, ok := t.options(s, number)
		if !ok {
			return notATiling(i)
		}
		given[i] = options
	}
	set, err := r.solutions(ctx, w, s, count.ForRanks, to)
	if err != nil {
		return err
	}
	to.Ranks = make([]string, len(given))
	for i, options := range given {
		rank, err := set.Rank(ctx, options)
		if errors.Is(err, count.ErrMember) {
			return notATiling(i)
		}
		if err != nil {
			return err
		}
		to.Ranks[i] = rank.String()
	}
	return nil
}

// options returns the options of the tiling in ascending order. ok is false if a placement is not
// known or, without a compiled file, if the options are no solution.
func (t GivenTiling) options(s *subject, number func() map[string]int) (options []int, ok bool) {
	p := s.model.Problem
	switch {
	case t.Numbers != nil:
		options = slices.Clone(t.Numbers)
	case t.Placements != nil || t.Options != nil:
		for _, name := range namesOfPlaces(t.Placements, t.Options) {
			o, known := number()[name]
			if !known {
				return nil, false
			}
			options = append(options, o)
		}
	default:
		return parseCursor(t.Cursor, p)
	}
	slices.Sort(options)
	return options, s.file != nil || p.IsSolution(options)
}

func numbersOf(m *tiling.Model) func() map[string]int {
	return sync.OnceValue(func() map[string]int {
		all := make(map[string]int, len(m.Problem.Options))
		for i := range m.Problem.Options {
			t := of(m, []int{i}, render.Tiling{}).JSON(m.Puzzle)
			all[namesOfPlaces(t.Placements, t.Options)[0]] = i
		}
		return all
	})
}

// namesOfPlaces names placements and options. The order of cells or items has no effect on a name.
func namesOfPlaces(placements []render.PlacementJSON, options [][]string) (names []string) {
	for _, p := range placements {
		cells := make([]string, len(p.Cells))
		for i, c := range p.Cells {
			cells[i] = fmt.Sprint(c)
			if i < len(p.Marks) {
				cells[i] += p.Marks[i : i+1]
			}
		}
		slices.Sort(cells)
		names = append(names, fmt.Sprintf("%q at %v", p.Piece, cells))
	}
	for _, o := range options {
		names = append(names, fmt.Sprintf("%q", slices.Sorted(slices.Values(o))))
	}
	return names
}

// maxBest is the largest value of Best and Worst. Each tiling that is found stays in memory.
const maxBest = 100_000

func (r *Query) answerBest(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	q := *r
	q.Method = queryDiagram
	set, err := q.solutions(ctx, w, s, count.ForRanks, to)
	if err != nil {
		return err
	}
	weights, err := weightsOf(m, r.Weights)
	if err != nil {
		return err
	}
	if err := w.begin(m.Puzzle); err != nil {
		return err
	}
	left := *cmp.Or(r.Best, r.Worst)
	if left == 0 {
		return nil
	}
	for options, err := range set.Ordered(ctx, r.Best != nil) {
		if err != nil {
			return err
		}
		weight := big.NewRat(1, 1)
		for _, o := range options {
			if weights != nil && weights[o] != nil {
				weight.Mul(weight, weights[o])
			}
		}
		if err := w.tiling(of(m, options, render.Tiling{Weight: weight})); err != nil {
			return err
		}
		if to.Written++; to.Written == left {
			return nil
		}
	}
	return nil
}

const (
	firstRank = "first"
	lastRank  = "last"
)

// Reading a rank of maxRankDigits digits needs 0.1 s. The time is quadratic in their number.
const maxRankDigits = 100_000

func checkRank(field, k string) error {
	switch {
	case k == firstRank, k == lastRank:
	case k == "" || strings.Trim(k, "0123456789") != "":
		return bad("{"+field+"} is %s, expected a number from 0, %s or %s", shortened("\""+strings.ToValidUTF8(k, "?")+"\""), firstRank, lastRank)
	case len(k) > maxRankDigits:
		return bad("{"+field+"} is a number of %d digits, expected at most %d", len(k), maxRankDigits)
	}
	return nil
}

// rankOf parses the rank of one of count tilings, count > 0.
func rankOf(field, word string, count *big.Int) (*big.Int, error) {
	rank := new(big.Int)
	switch digits := count.String(); {
	case word == firstRank:
		return rank, nil
	case word == lastRank:
		return rank.Sub(count, big.NewInt(1)), nil
	default:
		word = strings.TrimLeft(word[:len(word)-1], "0") + word[len(word)-1:]
		if len(word) <= len(digits) {
			rank.SetString(word, 10)
		}
		if len(word) > len(digits) || rank.Cmp(count) >= 0 {
			return nil, bad("{"+field+"} is %s, expected at least 0 and less than %s, the number of tilings", shortened(word), shortened(digits))
		}
		return rank, nil
	}
}

func shortened(digits string) string {
	if len(digits) <= 60 {
		return digits
	}
	return digits[:20] + "…" + digits[len(digits)-20:]
}
