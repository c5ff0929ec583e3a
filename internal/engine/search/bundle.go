package search

import (
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// A bundle is a set of n options that are chosen together, for an item that must be used n times.
// Parities exclude most sets of options. In Conway's box, each of the 15 layers of 5x5 cells must
// meet an odd number of bars. So only 88 of 1,873,200 sets of three bars are possible.
//
//	layer   1 2 3 4 5      1 2 3 4 5        five parallel layers, and the bar that meets each:
//	bar     x x x y z  or  x x x z y  …     bar x is across the layers, y and z are in a layer
//
// Modulo 2, an option is a vector with an entry for each item whose number of uses is fixed. The
// sum of a bundle and of some options without the item must be the vector of the fixed numbers.

const (
	mostTogether = 4       // largest number of options of a bundle
	mostBundles  = 1 << 10 // largest number of bundles of an item
	mostStarts   = 1 << 16 // largest number of sets of n-1 options that are tried; they cost 5 ms
	mostItems    = 4       // largest number of items for which bundles are tried
	bundlesSave  = 64      // least ratio of the sets of options of an item to its bundles
)

// parity is a vector modulo 2. It has room for 256 items whose number of uses is fixed.
type parity [4]uint64

func (v *parity) flip(k int)     { v[k>>6] ^= 1 << (k & 63) }
func (v *parity) has(k int) bool { return v[k>>6]>>(k&63)&1 != 0 }

func (v *parity) add(w *parity) {
	for i := range v {
		v[i] ^= w[i]
	}
}

const places = 64 * len(parity{})

func (v *parity) first() int {
	for i, word := range v {
		if word != 0 {
			return 64*i + bits.TrailingZeros64(word)
		}
	}
	return places
}

type span [places]parity

func (s *span) rest(v parity) (left parity) {
	for k := v.first(); k < places; k = v.first() {
		if s[k].has(k) {
			v.add(&s[k])
			continue
		}
		v.flip(k)
		left.flip(k)
	}
	return left
}

type bundler struct {
	problem *cover.Problem
	looks   interrupt.Watch
	save    float64
	place   []int   // index in a parity, indexed by item; none if its number of uses is not fixed
	target  parity  // the parities of the fixed numbers of uses
	parts   [][]int // for each option in the field problem, its options of the original problem
}

type bundle struct {
	options []int
	uses    cover.Option
}

// bundled returns a problem in which bundles replace the options of some items, and a list of
// options of p for each option of this problem. An item gets bundles only if the number of its sets
// of options is at least save times the number of bundles. If no item does, it returns p and nil.
func bundled(ctx context.Context, p *cover.Problem, save float64) (*cover.Problem, [][]int, error) {
	b := &bundler{problem: p, looks: interrupt.Context(ctx), save: save, place: make([]int, len(p.Items))}
	var found []int
	fixed := 0
	for i, it := range p.Items {
		b.place[i] = none
		if it.Min != it.Max {
			continue
		}
		if fixed == places {
			return p, nil, nil
		}
		b.place[i] = fixed
		if it.Min&1 != 0 {
			b.target.flip(fixed)
		}
		fixed++
		if it.Min >= 2 && it.Min <= mostTogether && len(found) < mostItems {
			found = append(found, i)
		}
	}
	if len(found) == 0 || p.Coloured() {
		return p, nil, nil
	}
	for o := range p.Options {
		b.parts = append(b.parts, []int{o})
	}
	for _, item := range found {
		if err := b.look(item); err != nil {
			return nil, nil, err
		}
	}
	if b.problem == p {
		return p, nil, nil
	}
	return b.problem, b.parts, nil
}

func (b *bundler) parity(o cover.Option) (v parity) {
	for _, u := range o {
		if k := b.place[u.Item]; k != none && u.Times&1 != 0 {
			v.flip(k)
		}
	}
	return v
}

func (b *bundler) look(item int) error {
	var own, others []int
	var spanned span // the span of the options without the item
	for o, option := range b.problem.Options {
		if err := b.looks.Work(len(option)); err != nil {
			return err
		}
		at := slices.IndexFunc(option, func(u cover.Use) bool { return u.Item == item })
		switch {
		case at < 0:
			others = append(others, o)
			v := spanned.rest(b.parity(option))
			if k := v.first(); k < places {
				spanned[k] = v
			}
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
	all, err := b.bundles(own, n, &spanned)
	if err != nil || len(all) > mostBundles || float64(len(all))*b.save > choose(len(own), n) {
		return err
	}
	b.replace(item, others, all)
	return nil
}

func choose(n, k int) float64 {
	x := 1.0
	for i := range k {
		x *= float64(n-i) / float64(i+1)
	}
	return x
}

func (b *bundler) bundles(options []int, n int, spanned *span) (all []bundle, err error) {
	rests := make([]parity, len(options))
	alike := map[parity][]int{}
	for k, o := range options {
		rests[k] = spanned.rest(b.parity(b.problem.Options[o]))
		alike[rests[k]] = append(alike[rests[k]], k)
	}
	var set []int
	var extend func(from int, left parity)
	extend = func(from int, left parity) {
		if len(set) < n-1 {
			for k := from; k < len(options) && len(all) <= mostBundles && err == nil; k++ {
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
			if one := (bundle{options: append(slices.Clone(set), options[k])}); k >= from && b.unite(&one) {
				all = append(all, one)
			}
		}
	}
	extend(0, spanned.rest(b.target))
	return all, err
}

func (b *bundler) unite(one *bundle) bool {
	times := map[int]int32{}
	for _, o := range one.options {
		for _, u := range b.problem.Options[o] {
			times[u.Item] += u.Times
		}
	}
	for _, item := range slices.Sorted(maps.Keys(times)) {
		if int(times[item]) > b.problem.Items[item].Max {
			return false
		}
		one.uses = append(one.uses, cover.Use{Item: item, Times: times[item]})
	}
	return true
}

// replace gives up if two bundles have the same uses, since symmetries could not distinguish them.
func (b *bundler) replace(item int, others []int, all []bundle) {
	p := &cover.Problem{Items: b.problem.Items, Orders: b.problem.Orders}
	var parts [][]int
	known := map[string]bool{}
	for _, o := range others {
		p.Options = append(p.Options, b.problem.Options[o])
		parts = append(parts, b.parts[o])
	}
	for _, one := range all {
		text := fmt.Sprint(one.uses)
		if known[text] {
			return
		}
		known[text] = true
		p.Options = append(p.Options, one.uses)
		var of []int
		for _, o := range one.options {
			of = append(of, b.parts[o]...)
		}
		parts = append(parts, of)
	}
	for _, s := range b.problem.Symmetries {
		if s[item] == item {
			p.Symmetries = append(p.Symmetries, s)
		}
	}
	b.problem, b.parts = p, parts
}
