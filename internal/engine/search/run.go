package search

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"sync"
)

// Options say how to search.
type Options struct {
	Threads int   // walkers; at least one
	Tries   int64 // to give up after, with ErrLimit; 0: no limit; for a Hunt nothing
	// Progress, if not nil, is told the share of the tree that is done, 0..1,
	// which never falls, and the nodes and tries so far. Calls do not overlap.
	Progress func(share float64, nodes, tries int64)

	forgetful bool // no memo: nodes and tries do not depend on the walkers
	greedy    bool // all choices are given away that can be, for tests
}

// ErrLimit is returned when Options.Tries are over.
var ErrLimit = errors.New("the search takes more tries than allowed")

// Result is a count and what it took.
type Result struct {
	Count *big.Int
	Nodes int64 // branches decided
	Tries int64 // choices tried, most of which fail at once
	given int   // parcels
}

// Bytes is a bound on what a number of walkers and their memo hold.
func (s *Space) Bytes(walkers int) int64 {
	if s.chart != nil {
		held := int64(len(s.chart.ways))*40 + 1<<20
		if s.chart.merges {
			held += 4 * 64 * mostErrands
		}
		return held
	}
	held := s.walkerBytes(walkers)
	if s.remembers() {
		held += memoBytes
	}
	return held
}

// walkerBytes is Bytes without a memo. Each walker has a matrix of all
// options, and below it ever smaller ones; and at every depth a set of active
// options, the open rows, and a list of choices.
func (s *Space) walkerBytes(walkers int) int64 {
	row := int64((len(s.options)+blockBits-1)/blockBits) * (blockBits / 8)
	depth := int64(len(s.options))
	if s.excludeThemselves() {
		depth = min(depth, int64(s.rows)) // none is left of a row
	}
	walker := 2*int64(s.rows)*row + depth*(row+2*int64(len(s.open))+4*int64(s.choices()))
	return int64(walkers)*walker + 4*int64(len(s.options)+2*len(s.all.rows))
}

// choices is a bound on the choices of a branch: the options of an item, or
// all if some may follow where no item asks for any. (60x60 and two sorts of
// monominoes, at most one a cell: lists of choices take 100 MB.)
func (s *Space) choices() int {
	asks := make([]bool, s.rows)
	for _, r := range s.open {
		asks[r] = true
	}
	of := make(map[int32]int) // by item: a row, or where it is counted
	most := 0
	for o := range s.options {
		rows := s.all.of(int32(o))
		if !slices.ContainsFunc(rows, func(r uint16) bool { return asks[r] }) {
			return len(s.options)
		}
		for _, r := range rows {
			item := int32(r)
			if k := s.item[r]; k >= 0 {
				item = -1 - k
			}
			of[item]++
			most = max(most, of[item])
		}
	}
	return most
}

// Count counts the solutions of the problem. It ends with ctx's error soon
// after ctx does.
func (s *Space) Count(ctx context.Context, o Options) (Result, error) {
	return s.run(ctx, o, nil)
}

// Solutions calls yield with every solution of the problem, an ascending list
// of options, in no particular order, until yield returns false. Calls do not
// overlap; the list is only good for the call. With symmetries in the problem,
// solutions are found once for each orbit and moved.
func (s *Space) Solutions(ctx context.Context, o Options, yield func(options []int) bool) (Result, error) {
	var mu sync.Mutex
	e := &expander{space: s, yield: yield}
	return s.run(ctx, o, func(path []int32, _ uint64) bool {
		mu.Lock()
		defer mu.Unlock()
		return !e.ended && e.expand(path)
	})
}

func (s *Space) run(ctx context.Context, o Options, visit func([]int32, uint64) bool) (Result, error) {
	h := s.hunt(ctx, o, visit)
	defer h.End()
	return h.Run(o.Tries)
}

// begin walks from the root.
func (w *walker) begin() {
	w.startRoot()
	if !w.ended {
		w.try(0, nothing, 1)
	}
	w.report()
}

// open walks a parcel.
func (w *walker) open(p *parcel) {
	w.path = append(w.path[:0], p.path...)
	w.start(p.options, p.open, p.bounds, p.weight)
	w.frames[0].blind = p.blind
	if !w.ended {
		column, _ := slices.BinarySearch(p.options, p.take)
		w.try(0, column, p.share)
	}
	w.report()
}
