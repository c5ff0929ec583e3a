package shuffle

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/pavage/pavage/internal/kit/limit"
)

// Config has the limits of a Sampler.
type Config struct {
	Threads int   // number of goroutines; 0 means one
	Memory  int64 // limit in bytes; 0 means no limit
}

// Sampler draws perfect matchings of a board.
type Sampler struct {
	board   *Board // the board of New, turned or stretched if necessary
	place   *place
	table   *table // nil if all coins are fair
	threads int
	// Only tests set slack, a lower limit of the error bound of log X (slack² in double-double).
	slack float64

	lock sync.Mutex // protects table
}

// New embeds a board and prepares the levels of the diamond. The error is the error of ctx or
// ErrNoMatching, or wraps ErrUnembedded or cover.ErrMemory. Draw may also return ErrNoMatching.
func New(ctx context.Context, board *Board, c Config) (*Sampler, error) {
	colours := [2]int{}
	for at, in := range board.In {
		if in {
			colours[(at/board.Cols+at%board.Cols)%2]++
		}
	}
	if colours[0] != colours[1] {
		return nil, ErrNoMatching
	}
	if colours[0] == 0 {
		return &Sampler{board: board, place: &place{}, threads: 1}, nil
	}
	least, all := math.MaxInt, board.turned()
	for _, turned := range all {
		least = min(least, turned.span().least())
	}
	if colours[0] == least*(least+1) && board.Weights == nil { // the board has all cells of a diamond
		if err := limit.Check(c.Memory, FairBytes(least), "shuffling in an Aztec diamond"); err != nil {
			return nil, err
		}
	} else if _, err := depthWithin(least, c.Memory); err != nil {
		return nil, err
	}
	b, p, err := embed(ctx, all)
	if err != nil {
		return nil, err
	}
	s := &Sampler{board: b, place: p, threads: max(1, c.Threads)}
	entries := p.entries(b)
	p.mate = nil
	if b.Weights == nil && whole(entries) {
		return s, nil // all face weights of all levels are 1
	}
	s.table, err = newTable(ctx, p.n, entries, b.Weights, c)
	return s, err
}

// whole reports whether the board is the whole diamond. If not, an entry has the weight ε.
func whole(entries []int32) bool { return !slices.Contains(entries, vanishing) }

// Draw returns a matching for each key. The same key gives the same matching. A matching has the
// numbers of its edges to the right, by rows, and then of its edges down. Draws of one call share
// the levels, which are made in blocks. Before the draws use a block, progress is called with its
// number of levels, unless progress is nil. The error is the error of ctx or ErrNoMatching.
func (s *Sampler) Draw(ctx context.Context, keys [][32]byte, progress func(levels int64)) ([][]int32, error) {
	draws := make([]*draw, len(keys))
	for i, key := range keys {
		draws[i] = s.newDraw(key)
	}
	if err := s.shuffle(ctx, draws, progress); err != nil {
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

// Diamond reports whether the board is a whole diamond with all its edges, as Grow requires.
func (s *Sampler) Diamond() bool { return s.table == nil || whole(s.table.entries) }

// Grow returns matchings of the orders 1, 2, …, each in the middle of the board. Each grows into
// the next one, and the last is the one that Draw returns for the key. Diamond must return true.
func (s *Sampler) Grow(ctx context.Context, key [32]byte) ([][]int32, error) {
	var orders [][]int32
	d := s.newDraw(key)
	d.grown = func(k int) {
		edges, _ := d.edges(k)
		orders = append(orders[:k-1], edges) // the draw may start again from order 1
	}
	err := s.shuffle(ctx, []*draw{d}, nil)
	return orders, err
}

func (s *Sampler) shuffle(ctx context.Context, draws []*draw, progress func(levels int64)) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if progress == nil {
		progress = func(int64) {}
	}
	if s.table == nil {
		progress(int64(s.place.n))
		return s.each(ctx, draws, func(ctx context.Context, d *draw) error { return d.fair(ctx) })
	}
	for {
		err := s.table.blocks(ctx, func(b block) error {
			progress(int64(len(b.levels)))
			return s.each(ctx, draws, func(ctx context.Context, d *draw) error { return d.through(ctx, b) })
		})
		if err != errUndecided {
			return err
		}
		// The same matchings are drawn again from double-double pairs: see the package comment.
		s.table.double, s.table.pairs = true, nil
		for _, d := range draws {
			d.planes = newPlanes(s.place.n)
		}
	}
}

func (s *Sampler) each(ctx context.Context, draws []*draw, do func(context.Context, *draw) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.threads)
	for _, d := range draws {
		group.Go(func() error { return do(ctx, d) })
	}
	return group.Wait()
}

// Order returns the order of the diamond in which the board lies.
func (s *Sampler) Order() int { return s.place.n }

// Bytes returns a bound on the bytes of the board and the levels, also during draws.
func (s *Sampler) Bytes() int64 {
	if s.table == nil {
		return FairBytes(s.place.n)
	}
	return 16*int64(len(s.board.In)) + tableBytes(s.place.n, s.table.depth)
}

// FairBytes returns a bound on the bytes of a whole diamond of order n without weights and of a
// draw: 36·n² for the board, 16·n² for the entries, 12·n² to find the place, 20·n² for a draw.
func FairBytes(n int) int64 { return 100 * int64(n) * int64(n) }

// Forecast estimates the seconds that New and each draw need, and the bytes, in the least diamond.
func (b *Board) Forecast() (first, each float64, bytes int64) {
	const (
		levelSeconds = 10e-9 // for each cell of a level: once to prepare, once for a batch of draws
		coinSeconds  = 3e-9  // for each cell of a level and each draw
		placeSeconds = 1e-7  // for each vertex of the diamond, to find its mate
	)
	n := b.span().least()
	cells := float64(n) * float64(n) * float64(n) / 3
	depth, _ := depthWithin(n, 0)
	return levelSeconds*cells + placeSeconds*2*float64(n)*float64(n), coinSeconds * cells, tableBytes(n, depth)
}

type draw struct {
	*Sampler
	*planes
	key   [4]uint64
	grown func(k int) // if not nil, called after each level
}

func (s *Sampler) newDraw(key [32]byte) *draw {
	d := &draw{Sampler: s, planes: newPlanes(s.place.n)}
	for k := range d.key {
		d.key[k] = binary.LittleEndian.Uint64(key[8*k:])
	}
	return d
}

func (d *draw) level(ctx context.Context, k int, toss func(coins *rand.PCG, i, word int, empty uint64) (uint64, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	row, coins := -1, rand.PCG{}
	err := d.grow(k, func(i, word int, empty uint64) (uint64, error) {
		if i != row {
			row, coins = i, d.stream(k, i, 0)
		}
		return toss(&coins, i, word, empty)
	})
	if err == nil && d.grown != nil {
		d.grown(k)
	}
	return err
}

func (d *draw) fair(ctx context.Context) error {
	toss := func(coins *rand.PCG, _, _ int, empty uint64) (uint64, error) { return coins.Uint64() & empty, nil }
	for k := 1; k <= d.place.n; k++ {
		if err := d.level(ctx, k, toss); err != nil {
			return err
		}
	}
	return nil
}

func (d *draw) through(ctx context.Context, b block) error {
	for at := range b.levels {
		l := &b.levels[at]
		k := l.k
		fine := d.margin(l.k, b.from, false)
		err := d.level(ctx, k, func(coins *rand.PCG, i, word int, empty uint64) (uint64, error) {
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
					// One outcome has a probability below 2^-128. It is only possible if all bits of u are equal.
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
	}
	return nil
}

// edges returns the numbers of the board's edges in the matching of order k, and reports whether
// these edges and the links cover the board.
func (d *draw) edges(k int) (edges []int32, perfect bool) {
	b, p := d.board, d.place
	around := p.n - k
	has := func(i, j int) bool {
		i, j = i-around, j-around
		return min(i, j) >= 0 && max(i, j) < 2*k && d.has(i, j)
	}
	cells, links := 0, 0
	for _, in := range b.In {
		if in {
			cells++
		}
	}
	edges = make([]int32, 0, cells/2)
	for down, numbers := range [2][]int32{b.Right, b.Down} {
		for at, number := range numbers {
			if number == None {
				continue
			}
			r, c := at/b.Cols, at%b.Cols
			switch x, y := r+c+p.s, r-c+p.d-1+down; {
			case !has(x, y):
			case number == link:
				links++
			default:
				edges = append(edges, number)
			}
		}
	}
	return edges, 2*(len(edges)+links) == cells
}

// stream returns the coins of a row or, if cell > 0, further bits of the coin at column cell-1.
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
