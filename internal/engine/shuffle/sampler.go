package shuffle

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
)

// Config has the limits of a Sampler.
type Config struct {
	Threads int   // goroutines, 0 for one
	Memory  int64 // bytes, 0 for no limit
}

// Sampler draws perfect matchings of a board.
type Sampler struct {
	board   *Board // perhaps stretched
	place   *place
	table   *table // nil if all coins are fair
	threads int
	// slack is a lower limit of the bound on the error of log X of float64 levels; the limit for
	// double-double levels is its square. It is 0, except in tests of the fallbacks.
	slack float64

	lock sync.Mutex // of the table
}

// New embeds a board and prepares the levels of its diamond. The error is ctx's or ErrNoMatching, or
// wraps ErrUnembedded or cover.ErrMemory. If a board without a perfect matching has equal numbers of
// cells of both colours, only Draw returns ErrNoMatching.
func New(ctx context.Context, board *Board, c Config) (*Sampler, error) {
	if err := board.check(); err != nil {
		return nil, err
	}
	colours := 0
	for at, in := range board.In {
		if in {
			colours += 1 - (at/board.Cols+at%board.Cols)%2*2
		}
	}
	if colours != 0 {
		return nil, ErrNoMatching
	}
	if !slices.Contains(board.In, true) {
		return &Sampler{board: board, place: &place{}}, nil
	}
	b, p, err := board.embed(ctx)
	if err != nil {
		return nil, err
	}
	s := &Sampler{board: b, place: p, threads: max(1, c.Threads)}
	entries := p.entries(b)
	p.mate = nil
	if b.Weights == nil && fair(entries) {
		return s, nil
	}
	s.table, err = newTable(ctx, p.n, entries, b.Weights, c)
	return s, err
}

// fair reports whether all edges have weight 1: then all face weights of all levels are 1.
func fair(entries []int32) bool {
	for _, e := range entries {
		if e == vanishing {
			return false
		}
	}
	return true
}

// Draw draws a matching for each key, as the numbers of its edges in no order. The matching
// depends on the key alone. Draws of one call share the work for the levels. The error is ctx's or
// ErrNoMatching. Draw calls progress, unless it is nil, with the number of levels of a block before
// it grows the matchings through the block.
func (s *Sampler) Draw(ctx context.Context, keys [][32]byte, progress func(levels int64)) ([][]int32, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for {
		drawn, err := s.draw(ctx, keys, progress, nil)
		if err != errUndecided {
			return drawn, err
		}
		// A coin is nearer to its probability than the error of float64 levels. Coins depend on the
		// key alone, so the same matchings are drawn again, with levels from double-double pairs.
		s.table.double, s.table.pairs = true, nil
	}
}

// Diamond reports whether the board is a whole diamond, as Grow requires.
func (s *Sampler) Diamond() bool {
	cells := 0
	for _, in := range s.board.In {
		if in {
			cells++
		}
	}
	return cells == 2*s.place.n*(s.place.n+1)
}

// Grow returns the matchings of the diamonds of orders 1, 2, … in the middle of the board, each of
// which grows out of the one before. The last is the matching that Draw returns for the key.
func (s *Sampler) Grow(ctx context.Context, key [32]byte) ([][]int32, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for {
		var orders [][]int32
		_, err := s.draw(ctx, [][32]byte{key}, nil, func(d *draw, k int) {
			edges, _ := d.edges(k)
			orders = append(orders, edges)
		})
		if err != errUndecided {
			return orders, err
		}
		s.table.double, s.table.pairs = true, nil
	}
}

// draw draws a matching for each key. It calls grown, unless it is nil, after each level of each
// draw.
func (s *Sampler) draw(ctx context.Context, keys [][32]byte, progress func(levels int64), grown func(d *draw, k int)) ([][]int32, error) {
	draws := make([]*draw, len(keys))
	for i, key := range keys {
		draws[i] = &draw{Sampler: s, planes: newPlanes(s.place.n), grown: grown}
		for k := range draws[i].key {
			draws[i].key[k] = binary.LittleEndian.Uint64(key[8*k:])
		}
	}
	each := func(do func(*draw) error) error {
		work := make(chan *draw, len(draws))
		for _, d := range draws {
			work <- d
		}
		close(work)
		var wait sync.WaitGroup
		errs := make([]error, min(s.threads, len(draws)))
		for g := range errs {
			wait.Go(func() {
				for d := range work {
					if errs[g] = do(d); errs[g] != nil {
						return
					}
				}
			})
		}
		wait.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	}
	var err error
	if progress == nil {
		progress = func(int64) {}
	}
	if s.table == nil {
		progress(int64(s.place.n))
		err = each(func(d *draw) error { return d.fair(ctx) })
	} else {
		err = s.table.blocks(ctx, func(b block) error {
			progress(int64(len(b.levels)))
			return each(func(d *draw) error { return d.through(ctx, b) })
		})
	}
	if err != nil {
		return nil, err
	}
	matchings := make([][]int32, len(draws))
	for i, d := range draws {
		var perfect bool
		if matchings[i], perfect = d.edges(s.place.n); !perfect {
			return nil, ErrNoMatching
		}
	}
	return matchings, nil
}

// Order returns the order of the diamond in which the board lies.
func (s *Sampler) Order() int { return s.place.n }

// Bytes returns about how many bytes s holds between draws.
func (s *Sampler) Bytes() int64 {
	s.lock.Lock()
	defer s.lock.Unlock()
	n := 16 * int64(len(s.board.In))
	if s.table == nil {
		return n
	}
	for _, p := range s.table.pairs {
		n += p.bytes()
	}
	for _, l := range s.table.spare {
		n += 12 * int64(cap(l.x))
	}
	return n + 4*int64(len(s.table.entries))
}

// Forecast returns the seconds of one core before the first draw and for each draw, and the bytes, if
// the board lies in a diamond of the least order.
func (b *Board) Forecast() (first, each float64, bytes int64) {
	const (
		levelSeconds = 10e-9 // of a cell of a level: once to prepare, once for a batch of draws
		coinSeconds  = 3e-9  // of a cell of a level and a draw
		placeSeconds = 1e-7  // of a vertex of the diamond, whose mate is found
	)
	n := b.span().least()
	cells := float64(n) * float64(n) * float64(n) / 3
	depth := 1
	if n > flatOrder {
		depth = 2
	}
	return levelSeconds*cells + placeSeconds*2*float64(n)*float64(n), coinSeconds * cells, tableBytes(n, depth)
}

// draw is a matching that grows.
type draw struct {
	*Sampler
	*planes
	key   [4]uint64
	grown func(d *draw, k int) // nil: no calls
}

// fair grows the matching with coins whose sides are equally likely, a bit for each.
func (d *draw) fair(ctx context.Context) error {
	for k := 1; k <= d.place.n; k++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		row, coins := -1, rand.PCG{}
		err := d.grow(k, func(i, _ int, empty uint64) (uint64, error) {
			if i != row {
				row, coins = i, d.stream(k, i, 0)
			}
			return coins.Uint64() & empty, nil
		})
		if err != nil {
			return err
		}
		if d.grown != nil {
			d.grown(d, k)
		}
	}
	return nil
}

// through grows the matching through the levels of a block.
func (d *draw) through(ctx context.Context, b block) error {
	for at := range b.levels {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := &b.levels[at]
		k := l.k
		fine := d.margin(l.k, b.from, false)
		row, coins := -1, rand.PCG{}
		err := d.grow(k, func(i, word int, empty uint64) (uint64, error) {
			if i != row {
				row, coins = i, d.stream(k, i, 0)
			}
			ad := uint64(0)
			for rest := empty; rest > 0; rest &= rest - 1 {
				bit := bits.TrailingZeros64(rest)
				j := 64*word + bit
				side := uint64(1) << bit
				x, e := l.x[i*k+j], l.e[i*k+j]
				if infinitesimal(e) {
					if e < 0 {
						ad |= side
					}
					continue
				}
				u := coins.Uint64()
				if e != 0 {
					// One outcome has a probability below 2^-128: it needs 64 equal bits.
					if e < 0 && u < math.MaxUint64 || (u == 0 || u == math.MaxUint64) && d.exact(k, i, j, u) {
						ad |= side
					}
					continue
				}
				switch compare(x, u, fine) {
				case 1:
					ad |= side
				case 0:
					below, err := d.decide(ctx, b.from, k, i, j, u)
					if err != nil {
						return 0, err
					}
					if below {
						ad |= side
					}
				}
			}
			return ad, nil
		})
		if err != nil {
			return err
		}
		if d.grown != nil {
			d.grown(d, k)
		}
	}
	return nil
}

// edges returns the board's edges of the matching of order k in the middle of the diamond, and
// whether the edges and the links cover the board. (At order n they do if the board has a perfect
// matching: edges of weight ε are used only if they must be.)
func (d *draw) edges(k int) (edges []int32, perfect bool) {
	b, p := d.board, d.place
	around := p.n - k
	has := func(i, j int) bool {
		i, j = i-around, j-around
		return min(i, j) >= 0 && max(i, j) < 2*k && d.has(i, j)
	}
	cells, links := 0, 0
	edges = make([]int32, 0, len(b.In)/2)
	for at, in := range b.In {
		if !in {
			continue
		}
		cells++
		r, c := at/b.Cols, at%b.Cols
		x, y := r+c+p.s, r-c+p.d
		for _, e := range [2]struct {
			number int32
			y      int
		}{{b.Right[at], y - 1}, {b.Down[at], y}} {
			switch {
			case e.number == None || !has(x, e.y):
			case e.number == link:
				links++
			default:
				edges = append(edges, e.number)
			}
		}
	}
	return edges, 2*(len(edges)+links) == cells
}

// stream returns the coins of a row of a level, or with a cell > 0 the further bits of the coin of
// cell-1 in the row. Its state is a hash of the key.
func (d *draw) stream(level, row, cell int) (coins rand.PCG) {
	mix := func(x uint64) uint64 { // SplitMix64 (Steele, Lea, Flood 2014), a bijection
		x += 0x9E3779B97F4A7C15
		x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
		x = (x ^ x>>27) * 0x94D049BB133111EB
		return x ^ x>>31
	}
	at := uint64(level)<<40 | uint64(row)<<20 | uint64(cell)
	coins.Seed(mix(mix(at^d.key[0])^d.key[1]), mix(mix(at^d.key[2])^d.key[3]))
	return coins
}
