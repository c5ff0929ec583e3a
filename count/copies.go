package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// How many solutions there are with each number of copies, all in one number: an
// option of a set has the weight x, so that the weight of all solutions is a
// polynomial in x, whose coefficients are the counts. With 2^b for x, where all counts
// are below 2^b, the bits of the number are those of the coefficients, b each
// (Kronecker's substitution). For a second set x is 2^(b·r), if the first has fewer
// than r copies, and so on:
//
//	2x3, standing dominoes     b = 2      3 tilings: 2 with one, 1 with three
//	weight                     2·4 + 1·64 = 01 00 10 00 in binary
//
// The numbers of copies of a set can follow from the others', by the cells that all
// cover together. Then the set takes no part in the number.

// Copies are the solutions by how many options of some sets they have.
type Copies struct {
	Count  *big.Int // of all solutions
	Rows   []Row    // those with solutions, sorted by Copies
	Engine Engine   // Diagram or Sweep

	// States, Nodes and Bytes are what it took, as in a Result.
	States, Nodes, Bytes int64
}

// Row is the number of solutions that have so many options of each set.
type Row struct {
	Copies []int // by set
	Count  *big.Int
}

// errSets is wrapped where sets of options are none.
var errSets = errors.New("wrong sets of options")

// ByCopies counts the solutions of a problem by how many options they have of each of some
// sets, such as the placements of a piece. No two sets have an option in common.
// Options.Engine may be Diagram or Sweep. Errors are those of Solve, and wrap errSets.
func ByCopies(ctx context.Context, p *cover.Problem, sets [][]int, o Options) (*Copies, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	if err := checkSets(p, sets); err != nil {
		return nil, err
	}
	c, reason, err := diagramOfFew(ctx, p, &o)
	switch {
	case err != nil:
		return nil, err
	case c == nil:
		o.told(Plan{Engine: Sweep, Reason: reason})
		return copiesBySweep(ctx, p, sets, o)
	}
	return c.ByCopies(ctx, sets, o)
}

// diagramOfFew is the diagram where solutions are few enough to be listed, or where it is
// asked for. Elsewhere levels take less: 8x8 with monominoes, dominoes and trominoes,
// whose number has 374 rows, 4.5 s and 0.4 GB, where the diagram takes 8.6 s and 6 GB,
// since all of its nodes have such numbers at once.
func diagramOfFew(ctx context.Context, p *cover.Problem, o *Options) (*Compiled, string, error) {
	if o.Engine != "" && o.Engine != Auto {
		return diagramUnlessLarge(ctx, p, o)
	}
	pl := newPlanner(p, *o, toCompile, usual)
	if err := pl.choose(ctx); err != nil {
		return nil, "", err
	}
	if !pl.plan.Listed && pl.sweep != nil {
		return nil, "numbers by copies take less memory in levels than in a diagram", nil
	}
	c, err := pl.compileChosen(ctx)
	return c, "", err
}

// plainShare of the time goes into counting all solutions, which tells how long the digits are.
const plainShare = 0.1

// copiesBySweep counts by levels.
func copiesBySweep(ctx context.Context, p *cover.Problem, sets [][]int, o Options) (*Copies, error) {
	w := newWork(o.Progress)
	o.Progress = w.part(plainShare, Progress{})
	plain, err := countBySweep(ctx, p, o)
	if err != nil {
		return nil, err
	}
	copies := &Copies{Count: plain.Count, Engine: Sweep, States: plain.States, Bytes: plain.Bytes}
	if plain.Count.Sign() == 0 {
		return copies, nil
	}
	k, err := newKronecker(p, sets, plain.Count)
	if err != nil {
		return nil, err
	}
	o.Progress = w.part(1, w.shown)
	s, err := newSweeper(ctx, p, o, false)
	if err != nil {
		return nil, err
	}
	c := s.config(o)
	c.Value = sweep.Weighted(k.whole(p).of(s.automaton.Variables))
	s.run = sweep.Start(s.automaton, c)
	all, err := s.finish(ctx)
	if err != nil {
		return nil, err
	}
	copies.Rows = k.rows(all.Count)
	copies.States, copies.Bytes = plain.States+all.States, max(plain.Bytes, all.Bytes)
	return copies, nil
}

// ByCopies does what the function does with a diagram of the problem, or of some of its
// solutions.
func (c *Compiled) ByCopies(ctx context.Context, sets [][]int, o Options) (*Copies, error) {
	if err := checkSets(c.problem, sets); err != nil {
		return nil, err
	}
	k, err := newKronecker(c.problem, sets, c.Result.Count)
	if err != nil {
		return nil, err
	}
	all, err := c.weigh(ctx, k.whole(c.problem), o.Memory)
	if err != nil {
		return nil, err
	}
	return &Copies{
		Count: c.Result.Count, Rows: k.rows(all.Ranks()), Engine: Diagram,
		States: c.Result.States, Nodes: c.Result.Nodes, Bytes: max(c.Result.Bytes, c.Bytes()+all.Counts.Bytes()),
	}, nil
}

func checkSets(p *cover.Problem, sets [][]int) error {
	seen := make([]bool, len(p.Options))
	for k, set := range sets {
		for _, o := range set {
			switch {
			case o < 0 || o >= len(seen):
				return fmt.Errorf("%w: set %d has option %d, want 0 ≤ option < %d",
					errSets, k, o, len(seen))
			case seen[o]:
				return fmt.Errorf("%w: option %d is there twice", errSets, o)
			}
			seen[o] = true
		}
	}
	return nil
}

// kronecker is a number that has a digit for each numbers of copies.
type kronecker struct {
	sets   [][]int
	bits   int   // of a digit
	radix  []int // by set: its copies are fewer. 1 for a set that follows
	order  []int // sets by stride, rising
	stride []int // by set: digits that one copy more is worth

	// The copies of set follows are what is left of area by those of the others, each so
	// much, divided by its own. It is -1 if no set follows.
	follows int
	area    int
	each    []int // by set
}

// maxCopiesBits is how long the number of all solutions by copies may be.
const maxCopiesBits = 1 << 30

// newKronecker gives the digits of few solutions to the sets of few copies. The set of
// most copies comes first, which makes the number a little shorter.
func newKronecker(p *cover.Problem, sets [][]int, count *big.Int) (*kronecker, error) {
	k := &kronecker{sets: sets, bits: max(1, count.BitLen()), follows: -1}
	for _, set := range sets {
		k.radix = append(k.radix, mostCopies(p, set)+1)
	}
	k.leaveOut(p)
	order := make([]int, len(sets))
	for s := range order {
		order[s] = s
	}
	slices.SortStableFunc(order, func(a, b int) int { return k.radix[b] - k.radix[a] })
	k.order, k.stride = order, make([]int, len(sets))
	stride := 1
	for _, s := range order {
		k.stride[s] = stride
		if stride > maxCopiesBits/k.bits/k.radix[s] {
			return nil, fmt.Errorf("%w: numbers by copies have over %d bits; want fewer sets", cover.ErrMemory, maxCopiesBits)
		}
		stride *= k.radix[s]
	}
	return k, nil
}

// whole are the weights of the options.
func (k *kronecker) whole(p *cover.Problem) *wholeWeights {
	weights := make([]*big.Int, len(p.Options))
	for s, set := range k.sets {
		if k.radix[s] == 1 {
			continue
		}
		w := new(big.Int).Lsh(big.NewInt(1), uint(k.bits*k.stride[s]))
		for _, o := range set {
			weights[o] = w
		}
	}
	return &wholeWeights{Problem: p, Weights: weights, options: len(weights), Scale: big.NewInt(1)}
}

// rows are the digits of a number, each cut out of its words: to shift the number digit by
// digit takes time in the square of its length.
func (k *kronecker) rows(number *big.Int) []Row {
	var rows []Row
	words := number.Bits()
	mask := new(big.Int).Lsh(big.NewInt(1), uint(k.bits))
	mask.Sub(mask, big.NewInt(1))
	for at := k.next(words, 0); at*k.bits < number.BitLen(); at = k.next(words, at+1) {
		low, end := at*k.bits/bits.UintSize, ((at+1)*k.bits-1)/bits.UintSize+1
		digit := new(big.Int).SetBits(slices.Clone(words[low:min(end, len(words))]))
		digit.Rsh(digit, uint(at*k.bits%bits.UintSize))
		if digit.And(digit, mask).Sign() > 0 {
			rows = append(rows, Row{k.copies(at), digit})
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return slices.Compare(a.Copies, b.Copies) })
	return rows
}

// next is the first digit from at on that has a bit in other words than those of zeros.
// Of many sets most digits are zeros.
func (k *kronecker) next(words []big.Word, at int) int {
	first := at * k.bits / bits.UintSize
	word := first
	for word < len(words) && words[word] == 0 {
		word++
	}
	if word == first {
		return at
	}
	return max(at, word*bits.UintSize/k.bits)
}

// copies are those by set that a digit stands for.
func (k *kronecker) copies(digit int) []int {
	copies := make([]int, len(k.sets))
	left := k.area
	for _, s := range k.order {
		copies[s] = digit % k.radix[s]
		digit /= k.radix[s]
		if k.follows >= 0 {
			left -= copies[s] * k.each[s]
		}
	}
	if k.follows >= 0 {
		copies[k.follows] = left / k.each[k.follows]
	}
	return copies
}

// mostCopies is a bound on how many options of a set are in a solution.
func mostCopies(p *cover.Problem, set []int) int {
	most := len(set)
	if most == 0 {
		return 0
	}
	coloured := p.ColouredItems()
	room, least := map[int]int{}, 0 // the items that some option uses; how much each option uses of them
	common := map[int]int{}         // items that all options use, the least times
	for n, o := range set {
		uses := 0
		for _, u := range p.Options[o] {
			it := p.Items[u.Item]
			if coloured[u.Item] || it.Max == cover.Unbounded {
				continue
			}
			room[u.Item] = it.Max
			uses += int(u.Times)
			if n == 0 {
				common[u.Item] = int(u.Times)
			}
		}
		if n == 0 || uses < least {
			least = uses
		}
		keepCommon(common, p.Options[o])
	}
	for i, t := range common {
		most = min(most, room[i]/t)
	}
	all := 0
	for _, r := range room {
		all += r
	}
	if least > 0 {
		most = min(most, all/least)
	}
	return most
}

// keepCommon keeps those items that an option uses too.
func keepCommon(common map[int]int, option cover.Option) {
	for i, t := range common {
		at, found := slices.BinarySearchFunc(option, i, func(u cover.Use, i int) int { return u.Item - i })
		if !found {
			delete(common, i)
			continue
		}
		common[i] = min(t, int(option[at].Times))
	}
}

// leaveOut leaves the set out whose copies follow from the others' and that would have
// most digits. All options are in sets, but for those that use no cell, and those of a set
// use equally many cells, which are the items of the first order that are used equally
// often in all solutions.
func (k *kronecker) leaveOut(p *cover.Problem) {
	cell := make([]bool, len(p.Items))
	area := 0
	for i, it := range p.Items {
		cell[i] = it.Min == it.Max && (len(p.Orders) == 0 || slices.Contains(p.Orders[0], i))
		if cell[i] {
			area += it.Min
		}
	}
	of := setOf(p, k.sets)
	each := slices.Repeat([]int{-1}, len(k.sets))
	for o, option := range p.Options {
		cells := 0
		for _, u := range option {
			if cell[u.Item] {
				cells += int(u.Times)
			}
		}
		s := of[o]
		switch {
		case s < 0 && cells > 0, s >= 0 && each[s] >= 0 && each[s] != cells:
			return
		case s >= 0:
			each[s] = cells
		}
	}
	for s, e := range each {
		if e > 0 && (k.follows < 0 || k.radix[s] > k.radix[k.follows]) {
			k.follows = s
		}
	}
	if k.follows >= 0 {
		k.area, k.each, k.radix[k.follows] = area, each, 1
	}
}

// setOf is the set of each option, -1 for none.
func setOf(p *cover.Problem, sets [][]int) []int {
	of := slices.Repeat([]int{-1}, len(p.Options))
	for k, set := range sets {
		for _, o := range set {
			of[o] = k
		}
	}
	return of
}
