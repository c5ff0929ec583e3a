package dimer

import (
	"context"
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
)

// longest is the largest number of edges of a face that is rotated. Longer faces, which can be
// rotated less often, are cut open. For squares with a hole, the table has the number of edges of
// the face of the hole, and for both ways the number of sweeps and the seconds of a draw:
//
//	cells    hole    edges    rotated              cut open
//	24x24    6x6     28         4096    0.003      256   0.015
//	         8x8     36         2048    0.002      256   0.008
//	         10x10   44       262144    0.7        256   0.005
//	40x40    8x8     36         8192    0.06      1024   0.08
//	         10x10   44       524288    2.2       1024   0.36
//	         14x14   60    > 4194304    > 7        512   0.04
//	64x64    8x8     36        32768    0.09      4096   0.8
//	         14x14   60    > 2097152    > 7
//	100x100  20x20   84                           4096   5
//
// A cut leads from a hole to the rim or to another hole. It costs one determinant for each cell on
// its way, unless an earlier draw has computed the determinant.
const longest = 40

// cuts returns the edges that paths cross. From each face with more edges than the argument
// longest, a path leads to a root face or to another path.
func (p *plane) cuts(longest int32) []int32 {
	var edges []int32
	joined := append([]bool(nil), p.root...)
	for {
		by, far := p.nearest(joined, longest)
		if far == none {
			return edges
		}
		for f := far; !joined[f]; f = p.of[by[f]] {
			joined[f] = true
			edges = append(edges, by[f]>>1)
		}
	}
}

func (p *plane) nearest(joined []bool, longest int32) (by []int32, far int32) {
	by = make([]int32, p.faces())
	var queue []int32
	for f := range by {
		if by[f] = none; joined[f] {
			queue = append(queue, int32(f))
		}
	}
	for k := 0; k < len(queue); k++ {
		f := queue[k]
		if !joined[f] && p.long(f) > longest {
			return by, f
		}
		for _, d := range p.around(f) {
			if g := p.of[d^1]; !joined[g] && by[g] == none {
				by[g] = d
				queue = append(queue, g)
			}
		}
	}
	return nil, none
}

func (c *Coupling) drawCut(ctx context.Context, seeds *seeds, told func(sweeps int64)) ([]int32, error) {
	d, err := c.decide(ctx, seeds.choices)
	if err != nil {
		return nil, err
	}
	rest := c.g.only(func(e int) bool { return d.weights[e].Sign() > 0 && !d.in[e] }, c.g.next)
	matched, err := rest.Matching(ctx)
	if err != nil {
		return nil, err
	}
	inner, err := newCoupling(ctx, rest.Bipartite, rest.next, matched, c.settings)
	if err != nil {
		return nil, err
	}
	inner.first.Store(c.first.Load())
	drawn, err := inner.draw(ctx, newSeeds(Key(seeds.choices)), told)
	if err != nil {
		return nil, err
	}
	c.first.Store(inner.first.Load())
	edges := slices.Clone(c.kept)
	for _, e := range drawn {
		edges = append(edges, c.g.edges[rest.edges[e]])
	}
	for e, in := range d.in {
		if in {
			edges = append(edges, c.g.edges[e])
		}
	}
	slices.Sort(edges)
	return edges, nil
}

type decision struct {
	g       *Bipartite
	weights []*big.Int // 0 for each edge that must not be in the matching, 1 for the others
	in      []bool     // whether each edge must be in the matching
}

var zero, one = new(big.Int), big.NewInt(1)

func (c *Coupling) decide(ctx context.Context, src rand.Source) (*decision, error) {
	d := &decision{g: c.g.Bipartite, weights: slices.Repeat([]*big.Int{one}, len(c.g.Edges)), in: make([]bool, len(c.g.Edges))}
	all, err := c.count(ctx, "", d)
	if err != nil {
		return nil, err
	}
	rank, path := Below(all, src), []byte{}
	for _, e := range c.cut {
		if d.weights[e] == zero { // an edge of the matching shares a cell with e
			continue
		}
		with := d.with(e)
		n, err := c.count(ctx, string(path)+"+", with)
		if err != nil {
			return nil, err
		}
		if rank.Cmp(n) < 0 {
			d, path = with, append(path, '+')
			continue
		}
		rank.Sub(rank, n)
		d.weights[e] = zero
		path = append(path, '-')
	}
	return d, nil
}

func (d *decision) with(edge int32) *decision {
	d = &decision{d.g, slices.Clone(d.weights), slices.Clone(d.in)}
	d.in[edge] = true
	in := &d.g.Edges[edge]
	for e := range d.g.Edges {
		if at := &d.g.Edges[e]; int32(e) != edge && (at.Black == in.Black || at.White == in.White) {
			d.weights[e] = zero
		}
	}
	return d
}

type counts struct {
	sync.Mutex
	known map[string]*big.Int // key: for each decided edge, + if it is in the matching, else -
}

const mostCounts = 1 << 12

func (c *Coupling) count(ctx context.Context, path string, d *decision) (*big.Int, error) {
	c.counts.Lock()
	n := c.counts.known[path]
	c.counts.Unlock()
	if n != nil {
		return n, nil
	}
	m, err := NewMatrix(ctx, d.g.Graph(), d.weights)
	if err != nil {
		return nil, err
	}
	n, err = m.Count(ctx, c.settings.config)
	if err != nil {
		return nil, err
	}
	c.counts.keep(path, n)
	return n, nil
}

func (c *counts) keep(path string, n *big.Int) {
	c.Lock()
	defer c.Unlock()
	if c.known == nil {
		c.known = map[string]*big.Int{}
	}
	if len(c.known) < mostCounts {
		c.known[path] = n
	}
}

// Below returns a uniform random number from 0 to n-1, by rejection. n must be positive.
func Below(n *big.Int, src rand.Source) *big.Int {
	most := new(big.Int).Sub(n, big.NewInt(1))
	bytes := make([]byte, 8*((most.BitLen()+63)/64))
	for {
		for i := 0; i < len(bytes); i += 8 {
			binary.BigEndian.PutUint64(bytes[i:], src.Uint64())
		}
		r := new(big.Int).SetBytes(bytes)
		r.Rsh(r, uint(8*len(bytes)-most.BitLen()))
		if r.Cmp(n) < 0 {
			return r
		}
	}
}
