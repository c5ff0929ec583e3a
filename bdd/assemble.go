package bdd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// branch is a node that is not yet in the diagram. The method add sets value[state] to its number.
type branch struct{ hi, lo, state uint32 }

const branchBytes = 12

// assembler appends the nodes of one variable after another, from the highest down.
type assembler struct {
	limits   Limits
	lo, hi   []uint32
	offset   []uint32 // like Diagram.offset; offset[v] is set for v ≥ level only
	level    int
	held     int64    // bytes held outside the arrays of the assembler
	peak     int64    // most bytes held at once, including the bytes in the field held
	branches []branch // memory for the branches of one call of add, see room
	scratch  []branch // second array of the radix sort
}

func newAssembler(vars int, l Limits) (*assembler, error) {
	if vars < 0 || vars > MaxVars {
		return nil, fmt.Errorf("%w: %d variables, expected 0..%d", ErrInvalid, vars, MaxVars)
	}
	a := &assembler{limits: l, level: vars}
	if err := a.account(4 * (int64(vars) + 1)); err != nil {
		return nil, err
	}
	a.offset = make([]uint32, vars+1)
	a.offset[vars] = 2
	a.lo = []uint32{Bottom, Top}
	a.hi = []uint32{Bottom, Top}
	return a, nil
}

func (a *assembler) account(extra int64) error {
	arrays := 4*int64(cap(a.lo)+cap(a.hi)+cap(a.offset)) +
		branchBytes*int64(cap(a.branches)+cap(a.scratch))
	need := arrays + a.held + extra
	if err := a.limits.checkBytes(need); err != nil {
		return err
	}
	a.peak = max(a.peak, need)
	return nil
}

func (a *assembler) hold(bytes int64) error {
	if err := a.account(bytes); err != nil {
		return err
	}
	a.held += bytes
	return nil
}

// room returns *kept, which is a.branches or a.scratch, with length n. It may replace the array.
func (a *assembler) room(kept *[]branch, n int) ([]branch, error) {
	if cap(*kept) < n {
		*kept = nil
		size := n + n/4
		if err := a.account(branchBytes * int64(size)); err != nil {
			return nil, err
		}
		*kept = make([]branch, size)
	}
	return (*kept)[:n], nil
}

// add appends the nodes of v, which is lower than the variables of earlier calls. For each branch
// b, the caller sets b.hi, which is not ⊥, and value[b.state], which is the lo of b. Then add
// replaces value[b.state] by the node of b.
func (a *assembler) add(v int, branches []branch, value []uint32) error {
	for i := range branches {
		b := &branches[i]
		b.lo = value[b.state]
	}
	if err := a.sort(branches); err != nil {
		return err
	}
	a.descend(v + 1)
	if err := a.reserve(countDistinct(branches)); err != nil {
		return err
	}
	lo, hi := a.lo, a.hi
	last := branch{} // differs from each branch: no branch has hi ⊥
	for _, b := range branches {
		if differs(b, last) {
			lo, hi = append(lo, b.lo), append(hi, b.hi)
			last = b
		}
		value[b.state] = uint32(len(lo) - 1)
	}
	a.lo, a.hi = lo, hi
	a.descend(v)
	return nil
}

// descend records that all nodes appended later have variables < v.
func (a *assembler) descend(v int) {
	for a.level > v {
		a.level--
		a.offset[a.level] = uint32(len(a.lo))
	}
}

func (a *assembler) reserve(n int) error {
	size := len(a.lo) + n
	if err := a.limits.checkNodes(size); err != nil {
		return err
	}
	if size <= cap(a.lo) {
		return nil
	}
	grow := max(n, len(a.lo)/4, 1<<10)
	if err := a.account(8 * int64(len(a.lo)+grow)); err != nil {
		if grow = n; a.account(8*int64(size)) != nil {
			return err
		}
	}
	a.lo = regrow(a.lo, grow)
	a.hi = regrow(a.hi, grow)
	return nil
}

// regrow copies s with room for n more. (append could exceed the bytes that were counted.)
func regrow(s []uint32, n int) []uint32 {
	t := make([]uint32, len(s), len(s)+n)
	copy(t, s)
	return t
}

func differs(x, y branch) bool { return x.hi != y.hi || x.lo != y.lo }

func countDistinct(branches []branch) int {
	n, last := 0, branch{}
	for _, b := range branches {
		if differs(b, last) {
			n++
		}
		last = b
	}
	return n
}

func (a *assembler) finish(root uint32) (*Diagram, error) {
	a.descend(0)
	a.branches, a.scratch = nil, nil
	if err := a.account(int64(len(a.lo)) / 8); err != nil {
		return nil, err
	}
	reached, count := a.reach(root)
	if count < len(a.lo) {
		if err := a.account(4 * int64(len(a.lo))); err != nil {
			return nil, err
		}
		root = a.compact(reached, root)
	}
	return &Diagram{root: root, lo: a.lo, hi: a.hi, offset: a.offset}, nil
}

type bitset []uint64

func (b bitset) has(n uint32) bool { return b[n/64]>>(n%64)&1 != 0 }
func (b bitset) set(n uint32)      { b[n/64] |= 1 << (n % 64) }

// reach marks the nodes that root reaches, in one loop from the last node to the first.
func (a *assembler) reach(root uint32) (reached bitset, count int) {
	reached = make(bitset, len(a.lo)/64+1)
	reached.set(Bottom)
	reached.set(Top)
	reached.set(root)
	count = 2
	for n := root; n > Top; n-- {
		if reached.has(n) {
			reached.set(a.lo[n])
			reached.set(a.hi[n])
			count++
		}
	}
	return reached, count
}

func (a *assembler) compact(reached bitset, root uint32) uint32 {
	lo, hi := a.lo, a.hi
	moved := make([]uint32, len(lo)+1) // for each node, the number of reached nodes before it
	size := uint32(0)
	for n := range uint32(len(lo)) {
		moved[n] = size
		if reached.has(n) {
			lo[size], hi[size] = moved[lo[n]], moved[hi[n]]
			size++
		}
	}
	moved[len(lo)] = size
	for v, end := range a.offset {
		a.offset[v] = moved[end]
	}
	a.lo, a.hi = regrow(lo[:size], 0), regrow(hi[:size], 0)
	return moved[root]
}

// radixBits is the number of bits of a digit. smallSort is the least number of branches for a radix
// sort. (Any number from 32 to 256 is about equally fast.)
const (
	radixBits = 8
	radixMask = 1<<radixBits - 1
	smallSort = 64
)

// sort sorts branches by (hi, lo), so that equal nodes are neighbours and need no hash table.
func (a *assembler) sort(b []branch) error {
	if len(b) < smallSort {
		slices.SortFunc(b, compareBranches)
		return nil
	}
	scratch, err := a.room(&a.scratch, len(b))
	if err != nil {
		return err
	}
	from, to := b, scratch
	minLo, maxLo, minHi, maxHi := spans(b)
	for shift := 0; (maxLo-minLo)>>shift != 0; shift += radixBits {
		pass(from, to, minHi, minLo, shift)
		from, to = to, from
	}
	for shift := 0; (maxHi-minHi)>>shift != 0; shift += radixBits {
		pass(from, to, minHi, minLo, 32+shift)
		from, to = to, from
	}
	if &from[0] != &b[0] {
		copy(b, from)
	}
	return nil
}

func compareBranches(x, y branch) int {
	return cmp.Or(cmp.Compare(x.hi, y.hi), cmp.Compare(x.lo, y.lo))
}

func spans(b []branch) (minLo, maxLo, minHi, maxHi uint32) {
	minLo, minHi = math.MaxUint32, math.MaxUint32
	for i := range b {
		minLo, maxLo = min(minLo, b[i].lo), max(maxLo, b[i].lo)
		minHi, maxHi = min(minHi, b[i].hi), max(maxHi, b[i].hi)
	}
	return minLo, maxLo, minHi, maxHi
}

// pass sorts stably by the digit that begins at bit shift of (hi-minHi)·2^32 + lo-minLo.
func pass(from, to []branch, minHi, minLo uint32, shift int) {
	digit := func(b *branch) uint64 {
		return (uint64(b.hi-minHi)<<32 | uint64(b.lo-minLo)) >> (shift & 63) & radixMask
	}
	var at [radixMask + 1]uint32
	for i := range from {
		at[digit(&from[i])]++
	}
	sum := uint32(0)
	for i, n := range at {
		at[i] = sum
		sum += n
	}
	for i := range from {
		d := digit(&from[i])
		to[at[d]] = from[i]
		at[d]++
	}
}
