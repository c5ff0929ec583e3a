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

// The counts for all numbers of copies are digits of one number (Kronecker's substitution): each
// option of a set has the weight x, so the weight of all solutions is a polynomial in x whose
// coefficients are the counts. If all counts are below 2^b and x is 2^b, each group of b bits of
// the weight is a coefficient. The options of a second set have the weight 2^(b·r), if solutions
// have fewer than r copies of the first set:
//
//	2x3, set of standing dominoes, b = 2     3 tilings: 2 with one, 1 with three
//	weight of all solutions                  2·4 + 1·64 = 01 00 10 00 in binary
//
// If all sets together cover a fixed number of cells, the copies of one set follow from the copies
// of the other sets and need no digits.

// Copies is a table of counts of solutions, by the number of options that they have of each set.
type Copies struct {
	Count  *big.Int // number of all solutions; nil after a search
	Rows   []Row    // rows with at least one solution, sorted by Copies
	Engine Engine   // Diagram, Sweep or, in EachRow, Search

	Seen        []int    // the copies of the last choice whose solutions a search counted, or nil
	Choices, Of *big.Int // numbers of choices up to Seen and in all; nil unless Engine is Search

	Effort
	Bytes int64
}

// Row is the number of solutions that have Copies[k] options of each set k.
type Row struct {
	Copies []int
	Count  *big.Int
}

// errSets is wrapped when an option of a set does not exist or is repeated.
var errSets = errors.New("wrong sets of options")

// ByCopies counts the solutions by the number of options that they have of each set. The sets, such
// as the placements of each piece, must be disjoint. Options.Engine is Auto, Diagram or Sweep. The
// error wraps errSets or is an error of Solve.
func ByCopies(ctx context.Context, p *cover.Problem, sets [][]int, o Options) (*Copies, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	if err := checkSets(p, sets); err != nil {
		return nil, err
	}
	split, err := apart(ctx, p, Auto, false)
	if err != nil {
		return nil, err
	}
	if split == nil {
		split = &cover.Split{Parts: []cover.Part{wholePart(p)}}
	}
	return copiesOfParts(ctx, p, split, sets, o)
}

func copiesOfParts(ctx context.Context, p *cover.Problem, s *cover.Split, sets [][]int, o Options) (*Copies, error) {
	w := newWork(o.Progress)
	plain := o
	plain.Progress = w.part(plainShare, Progress{})
	all, diagrams := newJoint(s, Sweep, plain), make([]*Compiled, len(s.Parts))
	held := int64(0)
	for k, part := range s.Parts {
		within := all.within(part.Problem, held)
		c, reason, err := diagramOfFew(ctx, part.Problem, &within)
		if err != nil {
			return nil, err
		}
		if diagrams[k] = c; c != nil {
			held += c.Bytes()
			all.add(part.Problem, 1, &c.Result)
			continue
		}
		o.told(Plan{Engine: Sweep, Reason: reason})
		r, err := countBySweep(ctx, part.Problem, within)
		if err != nil {
			return nil, err
		}
		all.add(part.Problem, 1, r)
	}
	copies := &Copies{Count: all.Count, Engine: all.Engine, Effort: all.Effort, Bytes: all.Bytes}
	if all.Count.Sign() == 0 {
		return copies, nil
	}
	k, err := newKronecker(p, sets, all.Count)
	if err != nil {
		return nil, err
	}
	weights := k.whole(p)
	o.Progress = w.part(1, w.shown)
	weighed := newJoint(s, Sweep, o)
	for _, option := range s.Taken {
		if x := weights.Weights[option]; x != nil {
			weighed.Count.Mul(weighed.Count, x)
		}
	}
	for i, part := range s.Parts {
		of, within := weights.part(part), weighed.next(part.Problem)
		if c := diagrams[i]; c != nil {
			c, err := c.weigh(ctx, of, o.Memory)
			if err != nil {
				return nil, err
			}
			weighed.Count.Mul(weighed.Count, c.Ranks())
			copies.Bytes = max(copies.Bytes, c.Bytes())
			continue
		}
		s, err := newSweeper(ctx, part.Problem, within, false)
		if err != nil {
			return nil, err
		}
		c := s.config(within)
		c.Value = sweep.Weighted(of.of(s.automaton.Variables))
		s.run = sweep.Start(s.automaton, c)
		r, err := s.finish(ctx)
		if err != nil {
			return nil, err
		}
		weighed.add(part.Problem, 1, r)
	}
	copies.Rows = k.rows(weighed.Count)
	copies.States, copies.Bytes = copies.States+weighed.States, max(copies.Bytes, weighed.Bytes)
	return copies, nil
}

// diagramOfFew returns the diagram if o.Engine is Diagram or the solutions are few enough to be
// listed. Otherwise it returns nil and a reason. (In a diagram, each node would need memory for all
// digits. In one example a diagram needs 6 GB, and the levels of a sweep need 0.4 GB.)
func diagramOfFew(ctx context.Context, p *cover.Problem, o *Options) (*Compiled, string, error) {
	if o.Engine != "" && o.Engine != Auto {
		return diagramUnlessLarge(ctx, p, o)
	}
	pl := newPlanner(p, *o, toCompile, usual)
	if err := pl.choose(ctx); err != nil {
		return nil, "", err
	}
	if !pl.plan.Listed && pl.sweep != nil {
		return nil, "counts by copies need less memory in levels than in a diagram", nil
	}
	c, err := pl.compileChosen(ctx)
	return c, "", err
}

// plainShare is Progress.Fraction at the end of the first count, which counts all solutions.
const plainShare = 0.1

// ByCopies is like the function [ByCopies], for the solutions in the diagram.
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
		Effort: Effort{States: c.Result.States, Nodes: c.Result.Nodes}, Bytes: max(c.Result.Bytes, c.Bytes()+all.Counts.Bytes()),
	}, nil
}

func checkSets(p *cover.Problem, sets [][]int) error {
	seen := make([]bool, len(p.Options))
	for k, set := range sets {
		for _, o := range set {
			switch {
			case o < 0 || o >= len(seen):
				return fmt.Errorf("%w: set %d has option %d, expected 0 ≤ option < %d",
					errSets, k, o, len(seen))
			case seen[o]:
				return fmt.Errorf("%w: option %d is in the sets twice", errSets, o)
			}
			seen[o] = true
		}
	}
	return nil
}

// kronecker describes a number with one digit for each combination of copies.
type kronecker struct {
	sets   [][]int
	bits   int
	radix  []int // indexed by set; 1 plus the largest number of copies, or 1 for the set in follows
	order  []int // the sets in ascending order of stride
	stride []int // indexed by set; one more copy moves a count by this number of digits

	// follows is a set whose copies need no digits, or -1. The other sets determine its copies,
	// since area is the sum of copies[s]·each[s] over all sets s.
	follows int
	area    int
	each    []int // indexed by set; the number of cells of each option of the set
}

// maxCopiesBits is the largest length in bits of the number that a kronecker describes.
const maxCopiesBits = 1 << 30

// newKronecker gives the set with the most copies the smallest stride, to make the number shorter.
func newKronecker(p *cover.Problem, sets [][]int, count *big.Int) (*kronecker, error) {
	k := radixes(p, sets)
	k.bits = max(1, count.BitLen())
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
			return nil, fmt.Errorf("%w: the counts of all combinations of copies have over %d bits together, expected fewer sets of options", cover.ErrMemory, maxCopiesBits)
		}
		stride *= k.radix[s]
	}
	return k, nil
}

func radixes(p *cover.Problem, sets [][]int) *kronecker {
	k := &kronecker{sets: sets, follows: -1}
	for _, set := range sets {
		k.radix = append(k.radix, mostCopies(p, set)+1)
	}
	k.leaveOut(p)
	return k
}

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

// rows returns a row for each nonzero digit. It copies only the words that have the digit, since
// the time to shift the whole number for each digit would be quadratic.
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

// next returns the index of the first digit that may be nonzero and does not come before digit at.
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

// mostCopies returns an upper bound on the number of options of a set in a solution.
func mostCopies(p *cover.Problem, set []int) int {
	most := len(set)
	if most == 0 {
		return 0
	}
	coloured := p.ColouredItems()
	room, least := map[int]int{}, 0 // room has the Max of each item that an option of set uses
	common := map[int]int{}         // smallest Times of each item that all options use
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

// leaveOut sets k.follows to the set with the most digits if the other sets determine its copies.
// The other sets do so if every option that uses a cell is in a set, and options of one set use
// equally many cells. A cell is an item with Min equal to Max that is in the first order, if any.
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

func setOf(p *cover.Problem, sets [][]int) []int {
	of := slices.Repeat([]int{-1}, len(p.Options))
	for k, set := range sets {
		for _, o := range set {
			of[o] = k
		}
	}
	return of
}
