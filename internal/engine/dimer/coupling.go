package dimer

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/limit"
)

type both struct{ top, bottom uint64 }

// sweep updates all faces once in both chains, which use the same random bits.
func (l *lanes) sweep(state []both, src *rand.ChaCha8) {
	slots, turns := l.slots, l.turns
	at, from := int32(0), int32(0)
	for w := range l.words {
		allTop, allBottom, someTop, someBottom := ^uint64(0), ^uint64(0), uint64(0), uint64(0)
		for ; at < l.words[w].slots; at++ {
			slot := &slots[at]
			flip, end := slot.flip, slot.fetches
			f := &turns[from]
			there := &state[f.word]
			top := flip ^ bits.RotateLeft64(there.top, int(f.turn))&f.mask
			bottom := flip ^ bits.RotateLeft64(there.bottom, int(f.turn))&f.mask
			for from++; from < end; from++ {
				f = &turns[from]
				there = &state[f.word]
				top ^= bits.RotateLeft64(there.top, int(f.turn)) & f.mask
				bottom ^= bits.RotateLeft64(there.bottom, int(f.turn)) & f.mask
			}
			allTop, allBottom = allTop&top, allBottom&bottom
			someTop, someBottom = someTop|top, someBottom|bottom
		}
		r, s := src.Uint64(), &state[w]
		s.top = heated(s.top, allTop, someTop, r)
		s.bottom = heated(s.bottom, allBottom, someBottom, r)
	}
}

// heated returns for each face a bit: of r if all its z are 1, of ^r if all are 0, else of old.
func heated(old, all, some, r uint64) uint64 { return all&r | ^(some | r) | old&some&^all }

// Coupling draws solutions of a planar dimer problem uniformly. Draws may be concurrent.
//
// A fair bit decides whether a face is rotated up or down. Such rotations are a Markov chain whose
// stationary distribution is uniform. Two chains run from a time -T to 0, one from the top and one
// from the bottom, with the same bits at the same times. Their heights stay ordered. If both chains
// end in the same state, so does a chain from any other state at -T, and so does a chain that began
// infinitely early, which is stationary at 0: this state is a fair draw. If not, the chains begin
// again with a doubled T, and with the same bits at the same times (Propp and Wilson 1996).
//
//	time   -4      -2   -1    0
//	                    ▪▪▪▪▪▪     T = 1: they differ
//	                ▪▪▪▪▪▪▪▪▪▪     T = 2: they differ
//	        ▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪▪     T = 4: they have met; the state at 0 is the draw
//
// The draw would not be fair if the chains continued after 0 until they meet, if the state in which
// they met before 0 were used, or if a time got other bits with another T. The key of a draw gives
// a seed for choices outside of the chains and a seed for each block of times. So the draw is the
// same whatever T it begins with.
//
// A draw needs about [Sweeps] sweeps. For 64 faces of both chains a sweep needs 20 ns. On a busy
// machine a draw needs 0.2 s for 100x100 cells, and 1.4 s for the Aztec diamond of order 100.
type Coupling struct {
	whole *Bipartite
	kept  []int32 // edges of whole that are in every matching
	*plane
	lanes       *lanes
	top, bottom []uint64 // for each face, the lowest bit of its greatest and of its least height
	settings    settings
	cut         []int32 // edges along which holes are cut open, see cut.go; if there are any, lanes is nil
	counts      counts

	first atomic.Int64 // the block of times (see seeds) at which the next draw begins
}

type settings struct {
	longest int32 // faces with more edges are cut open
	config  Config
}

// ErrNoMatching is returned for a graph without a perfect matching.
var ErrNoMatching = errors.New("there is no perfect matching")

// NewCoupling prepares draws. The error is the error of ctx, ErrNoMatching, or wraps
// cover.ErrMemory or ErrNotDimers. It wraps ErrNotDimers if the graph has an odd cycle, is not
// planar, or has matchings that stand for different numbers of solutions.
func NewCoupling(ctx context.Context, g *Graph, config Config) (*Coupling, error) {
	if err := limit.Check(config.Memory, g.CouplingBytes(), "coupling"); err != nil {
		return nil, err
	}
	b, err := g.TwoColoured(ctx)
	if err != nil {
		return nil, err
	}
	embedding, err := b.Graph().Embed(ctx)
	if err != nil {
		return nil, err
	}
	matched, err := b.Matching(ctx)
	if err != nil {
		return nil, err
	}
	if matched == nil {
		return nil, ErrNoMatching
	}
	c, err := newCoupling(ctx, b, embedding.Next, matched, settings{longest, config})
	if err != nil {
		return nil, err
	}
	return c, c.checkFlat()
}

// newCoupling prepares draws. Dart 2e leads from the black end of edge e to the white end. The list
// next has the next dart around the tail of each dart. Edge matched[v] covers the black vertex v.
func newCoupling(ctx context.Context, g *Bipartite, next, matched []int32, s settings) (*Coupling, error) {
	c := &Coupling{whole: g, settings: s}
	var err error
	if c.plane, c.kept, err = newPlane(ctx, g, next, matched); err != nil {
		return nil, err
	}
	if c.cut = c.cuts(s.longest); len(c.cut) > 0 {
		return c, nil
	}
	top, err := c.plane.top(ctx)
	if err != nil {
		return nil, err
	}
	bottom, err := c.plane.bottom(ctx)
	if err != nil {
		return nil, err
	}
	if c.lanes, err = newLanes(ctx, c.plane); err != nil {
		return nil, err
	}
	c.top, c.bottom = c.lanes.bits(top), c.lanes.bits(bottom)
	return c, nil
}

func (l *lanes) bits(heights []int32) []uint64 {
	words := make([]uint64, len(l.words))
	for f, at := range l.place {
		if at != none {
			words[at/lanesPerWord] |= uint64(heights[f]&1) << (at % lanesPerWord)
		}
	}
	return words
}

// Draw returns the ascending options of a solution. Before each run of the chains it calls told,
// unless told is nil, with the number of sweeps of the run.
func (c *Coupling) Draw(ctx context.Context, key [32]byte, told func(sweeps int64)) ([]int, error) {
	seeds := newSeeds(key)
	edges, err := c.draw(ctx, seeds, told)
	if err != nil {
		return nil, err
	}
	options := slices.Clone(c.whole.Forced)
	for _, e := range edges {
		of := c.whole.Edges[e].Options
		options = append(options, of[choose(len(of), seeds.choices)])
	}
	slices.Sort(options)
	return options, nil
}

func (c *Coupling) draw(ctx context.Context, seeds *seeds, told func(sweeps int64)) ([]int32, error) {
	if len(c.cut) > 0 {
		return c.drawCut(ctx, seeds, told)
	}
	state := make([]both, len(c.lanes.words))
	for last := int(c.first.Load()); ; last++ {
		if told != nil {
			told(1 << last)
		}
		if err := c.run(ctx, state, seeds, last); err != nil {
			return nil, err
		}
		met := !slices.ContainsFunc(state, func(s both) bool { return s.top != s.bottom })
		if met {
			c.first.Store(int64(last))
			return c.edges(state), nil
		}
	}
}

func (c *Coupling) run(ctx context.Context, state []both, seeds *seeds, last int) error {
	looks := interrupt.Context(ctx)
	c.begin(state)
	for k := last; k >= 0; k-- {
		for len(seeds.blocks) <= k {
			seeds.blocks = append(seeds.blocks, Key(seeds.key))
		}
		src := rand.NewChaCha8(seeds.blocks[k])
		for range max(1, int64(1)<<k>>1) {
			c.lanes.sweep(state, src)
			if err := looks.Work(len(state)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Coupling) begin(state []both) {
	for w := range state {
		state[w] = both{c.top[w], c.bottom[w]}
	}
}

func (c *Coupling) edges(state []both) []int32 {
	edges := slices.Clone(c.kept)
	bit := func(f int32) int32 {
		at := c.lanes.place[f]
		if at == none {
			return 0
		}
		return int32(state[at/lanesPerWord].top >> (at % lanesPerWord) & 1)
	}
	for e, whole := range c.g.edges {
		if c.matchedAt(e, bit(c.of[2*e]), bit(c.of[2*e+1])) {
			edges = append(edges, whole)
		}
	}
	slices.Sort(edges)
	return edges
}

type seeds struct {
	key     *rand.ChaCha8
	choices *rand.ChaCha8 // for choices among the options of an edge, and for cuts
	blocks  [][32]byte    // seeds: the first for the time -1, seed k for the times from -2^k to -2^(k-1)-1
}

func newSeeds(key [32]byte) *seeds {
	s := &seeds{key: rand.NewChaCha8(key)}
	s.choices = rand.NewChaCha8(Key(s.key))
	return s
}

// Key returns a key made of the next four words of src.
func Key(src rand.Source) (key [32]byte) {
	for i := 0; i < len(key); i += 8 {
		binary.LittleEndian.PutUint64(key[i:], src.Uint64())
	}
	return key
}

// choose returns a uniform random number from 0 to n-1, by rejection. It reads src only if n > 1.
func choose(n int, src rand.Source) int {
	mask := uint64(1)<<bits.Len(uint(n-1)) - 1
	for mask > 0 {
		if r := src.Uint64() & mask; r < uint64(n) {
			return int(r)
		}
	}
	return 0
}
