package search

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// A bundle is all uses of an item that must be used n times: n options taken at once. There are
// few where parities bind them. In Conway's box each layer of 5x5 cells, of which there are 15, has
// an even number of cells of every piece but the three bars. So each layer has cells of an odd
// number of bars: in each direction three have them of one bar that lies that way, and one of
// each other bar. Of 1,873,200 sets of three bars 88 are left, and of 499,960 tries 7,287.
//
//	layers   1 2 3 4 5         3 2 1            3 bars of 3 cells: 15 layers have
//	bars     x x x y z   or    x x x z y  ...   an odd number of bars, so one each
//
// To find them takes no geometry: modulo 2, an option is a vector of the items that must be used
// a fixed number of times. What all options without the item span is factored out. The options
// of the item are left with a rest each, and those of a bundle must add up to the rest of what
// is to be used.

const (
	mostTogether = 4       // options of a bundle; with 1, nothing would be taken at once
	mostBundles  = 1 << 10 // of an item
	mostStarts   = 1 << 16 // sets of all options of a bundle but one: 5 ms
	mostItems    = 4       // that are looked at: two sets of pentominoes have twelve
	bundlesSave  = 64      // there must be so many times fewer bundles than sets of options
)

// parity is a vector modulo 2, of items. Its length is the most items that bundles are looked
// for among.
type parity [4]uint64

func (v *parity) flip(k int)     { v[k>>6] ^= 1 << (k & 63) }
func (v *parity) has(k int) bool { return v[k>>6]>>(k&63)&1 != 0 }

func (v *parity) add(w *parity) {
	for i := range v {
		v[i] ^= w[i]
	}
}

// first is the lowest place of v that is not 0; none is 256.
func (v *parity) first() int {
	for i, word := range v {
		if word != 0 {
			return 64*i + bits.TrailingZeros64(word)
		}
	}
	return 64 * len(v)
}

// bundler looks for the bundles of a problem's items.
type bundler struct {
	problem *cover.Problem
	looks   *interrupt.Watch
	save    float64
	place   []int    // of each item in a parity; none if its uses are not fixed
	target  parity   // what is to be used
	span    []parity // by first place: of the options without the item, reduced
	parts   [][]int  // of each option of the problem: those of the problem that was given
	made    bool     // there is a bundle
}

// bundled returns a problem whose options are bundles of the options of some items, if there are so
// many times fewer, and the options of p that each of its options is, nil if it is p.
func bundled(ctx context.Context, p *cover.Problem, save float64) (*cover.Problem, [][]int, error) {
	looks := interrupt.Context(ctx)
	b := &bundler{problem: p, looks: &looks, save: save}
	var found []int
	for item, it := range p.Items {
		if it.Min == it.Max && it.Min >= 2 && it.Min <= mostTogether {
			found = append(found, item)
		}
	}
	if len(found) == 0 || !b.begin() {
		return p, nil, nil
	}
	for o := range p.Options {
		b.parts = append(b.parts, []int{o})
	}
	for _, item := range found[:min(len(found), mostItems)] {
		if err := b.look(item); err != nil {
			return nil, nil, err
		}
	}
	if !b.made {
		return p, nil, nil
	}
	return b.problem, b.parts, nil
}

// begin gives places to items; false if there are too many, or colours.
func (b *bundler) begin() bool {
	b.place = make([]int, len(b.problem.Items))
	n := 0
	for i, it := range b.problem.Items {
		b.place[i] = none
		if it.Min == it.Max {
			if n == 64*len(parity{}) {
				return false
			}
			b.place[i] = n
			if it.Min&1 != 0 {
				b.target.flip(n)
			}
			n++
		}
	}
	return !slices.ContainsFunc(b.problem.Options, func(o cover.Option) bool {
		return slices.ContainsFunc(o, func(u cover.Use) bool { return u.Colour != 0 })
	})
}

func (b *bundler) parity(o cover.Option) (v parity) {
	for _, u := range o {
		if k := b.place[u.Item]; k != none && u.Times&1 != 0 {
			v.flip(k)
		}
	}
	return v
}

// rest is v without what the span has of it.
func (b *bundler) rest(v parity) (left parity) {
	for k := v.first(); k < len(b.span); k = v.first() {
		if b.span[k].has(k) {
			v.add(&b.span[k])
			continue
		}
		v.flip(k)
		left.flip(k)
	}
	return left
}

// look makes bundles of the options of an item, if there are few.
func (b *bundler) look(item int) error {
	var own, others []int
	b.span = make([]parity, 64*len(parity{}))
	for o, option := range b.problem.Options {
		if err := b.looks.Work(len(option)); err != nil {
			return err
		}
		at := slices.IndexFunc(option, func(u cover.Use) bool { return u.Item == item })
		switch {
		case at < 0:
			others = append(others, o)
			b.widen(b.parity(option))
		case option[at].Times > 1:
			return nil
		default:
			own = append(own, o)
		}
	}
	n := b.problem.Items[item].Min
	if starts := choose(len(own), n-1); len(own) < n || starts > mostStarts {
		return nil
	}
	sets, err := b.sets(own, n)
	if err != nil || len(sets) > mostBundles || float64(len(sets))*b.save > choose(len(own), n) {
		return err
	}
	b.replace(item, others, sets)
	return nil
}

// widen adds a vector to the span.
func (b *bundler) widen(v parity) {
	for k := v.first(); k < len(b.span); k = v.first() {
		if !b.span[k].has(k) {
			b.span[k] = v
			return
		}
		v.add(&b.span[k])
	}
}

func choose(n, k int) float64 {
	x := 1.0
	for i := range k {
		x *= float64(n-i) / float64(i+1)
	}
	return x
}

// sets are all sets of n options that add up to the rest of what is to be used, as long as
// there are no more than mostBundles of them, and one.
func (b *bundler) sets(options []int, n int) (sets [][]int, err error) {
	rests := make([]parity, len(options))
	alike := map[parity][]int{}
	for k, o := range options {
		rests[k] = b.rest(b.parity(b.problem.Options[o]))
		alike[rests[k]] = append(alike[rests[k]], k)
	}
	var set []int
	var extend func(from int, left parity)
	extend = func(from int, left parity) {
		if len(sets) > mostBundles || err != nil {
			return
		}
		if len(set) < n-1 {
			for k := from; k < len(options); k++ {
				next := left
				next.add(&rests[k])
				set = append(set, options[k])
				extend(k+1, next)
				set = set[:len(set)-1]
			}
			return
		}
		last := alike[left]
		err = b.looks.Work(1 + len(last))
		for _, k := range last {
			all := append(set, options[k])
			if _, fits := b.union(all); k >= from && fits {
				sets = append(sets, slices.Clone(all))
			}
		}
	}
	extend(0, b.rest(b.target))
	return sets, err
}

// union is what some options use together, and whether bounds allow it.
func (b *bundler) union(options []int) (all cover.Option, fits bool) {
	for _, o := range options {
		all = append(all, b.problem.Options[o]...)
	}
	slices.SortFunc(all, func(a, b cover.Use) int { return a.Item - b.Item })
	last := 0
	for _, u := range all[1:] {
		if all[last].Item == u.Item {
			all[last].Times += u.Times
			continue
		}
		last++
		all[last] = u
	}
	all = all[:last+1]
	return all, !slices.ContainsFunc(all, func(u cover.Use) bool { return int(u.Times) > b.problem.Items[u.Item].Max })
}

// replace makes a problem of the other options and the sets. It leaves off where two sets use the
// same, which symmetries could not tell apart.
func (b *bundler) replace(item int, others []int, sets [][]int) {
	before := b.problem
	p := &cover.Problem{Items: before.Items, Orders: before.Orders}
	var parts [][]int
	known := map[string]bool{}
	for _, o := range others {
		p.Options = append(p.Options, before.Options[o])
		parts = append(parts, b.parts[o])
	}
	for _, set := range sets {
		all, _ := b.union(set)
		text := fmt.Sprint(all)
		if known[text] {
			return
		}
		known[text] = true
		p.Options = append(p.Options, all)
		var of []int
		for _, o := range set {
			of = append(of, b.parts[o]...)
		}
		parts = append(parts, of)
	}
	b.made = true
	for _, s := range before.Symmetries {
		if s[item] == item {
			p.Symmetries = append(p.Symmetries, s)
		}
	}
	b.problem, b.parts = p, parts
}
