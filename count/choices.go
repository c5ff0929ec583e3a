package count

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"sync/atomic"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
	"github.com/pavage/pavage/internal/kit/ordered"
)

// A choice of copies is a number of copies for each piece. ByCopies needs memory for every choice.
// This is too much if, for instance, 10 of 35 pieces are used. Then EachRow visits the choices in
// order and searches for the solutions of each choice. Choices with a wrong sum, such as a wrong
// number of cells, are excluded. Often a whole branch of the tree of choices is excluded at once:
//
//	3 pieces of 2, 2 and 3 cells, 0 or 1 copy each, a board of 5 cells:
//
//	copies  0 ── 0            0 or 3 cells, not 5: excluded
//	          └─ 1 ── 1       2 + 3 cells
//	        1 ── 0 ── 1       2 + 3 cells
//	          └─ 1            4 or 7 cells, not 5: excluded

// Range is a range of counts.
type Range struct {
	Min, Max *big.Int // Max is nil if there is no largest count
}

// Has reports whether n is in the range.
func (r Range) Has(n *big.Int) bool {
	return n.Cmp(r.Min) >= 0 && (r.Max == nil || n.Cmp(r.Max) <= 0)
}

// Rows selects rows of the table that ByCopies returns.
type Rows struct {
	Sets   [][]int // the argument sets of ByCopies
	Having Range   // selects rows whose count is in this range
	After  []int   // if not nil, selects rows whose Copies come after this slice
	// A measure gives each item a value. The value of an option is the sum of the values of its
	// items. Min and Max of the items bound the sum of the values of a solution's options. Choices
	// with a sum out of these bounds are excluded: choices with a wrong area, if each cell has the
	// value 1, or with wrong colours, if black cells have the value 1 and white cells -1.
	Measures [][]int
}

const maxZeros = 1 << 20

// ErrChoices is wrapped if there are too many choices of copies.
var ErrChoices = errors.New("too many choices of copies")

// maxDigits is the largest number of choices for which Auto sweeps if solutions have at most one
// option of each set. A sweep would have a state for each choice.
const maxDigits = 1 << 12

// EachRow calls yield with the rows that r selects, in ascending order of copies. The result has no
// Rows and, after a search, no Count. Options.Engine is Auto, Diagram, Sweep or Search. A search
// sets Copies.Seen, even if it fails. The error wraps ErrChoices or is an error of ByCopies or yield.
func EachRow(ctx context.Context, p *cover.Problem, r Rows, o Options, yield func(Row) error) (*Copies, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	if err := checkSets(p, r.Sets); err != nil {
		return nil, err
	}
	if !r.Searches(p, o.Engine) {
		zeros, err := r.zeros(p)
		if err != nil {
			return nil, err
		}
		table, err := ByCopies(ctx, p, r.Sets, o)
		if err == nil {
			return table, r.take(zeros, table, yield)
		}
		if o.Engine != Auto && o.Engine != "" || !errors.Is(err, cover.ErrMemory) {
			return nil, err
		}
	}
	c, err := newChooser(p, r)
	if err != nil {
		return nil, err
	}
	return c.count(ctx, r, o, yield)
}

// Searches reports whether EachRow uses a search. Auto uses it if a table would be too large.
func (r Rows) Searches(p *cover.Problem, e Engine) bool {
	switch e {
	case Search:
		return true
	case Diagram, Sweep:
		return false
	}
	many := slices.ContainsFunc(r.Sets, func(set []int) bool { return mostCopies(p, set) > 1 })
	digits := r.Digits(p)
	return digits > maxCopiesBits || !many && digits > maxDigits
}

// Digits returns the number of choices of copies. ByCopies needs a digit for each choice.
func (r Rows) Digits(p *cover.Problem) float64 {
	digits := 1.0
	for _, radix := range radixes(p, r.Sets).radix {
		digits *= float64(radix)
	}
	return digits
}

// Select calls yield with the rows of table that r selects, as EachRow does.
func (r Rows) Select(p *cover.Problem, table *Copies, yield func(Row) error) error {
	zeros, err := r.zeros(p)
	if err != nil {
		return err
	}
	return r.take(zeros, table, yield)
}

func (r Rows) zeros(p *cover.Problem) ([][]int, error) {
	if r.Having.Min.Sign() > 0 {
		return nil, nil
	}
	c, err := newChooser(p, r)
	if err != nil {
		return nil, err
	}
	return slices.Collect(c.choices(branch{sums: make([]int, len(c.totals))})), nil
}

// take yields the rows that r selects from the table and from the choices in zeros.
func (r Rows) take(zeros [][]int, table *Copies, yield func(Row) error) error {
	rows := table.Rows
	for _, copies := range zeros {
		_, found := slices.BinarySearchFunc(table.Rows, copies, func(row Row, c []int) int { return slices.Compare(row.Copies, c) })
		if !found {
			rows = append(rows, Row{copies, new(big.Int)})
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return slices.Compare(a.Copies, b.Copies) })
	table.Rows = nil
	for _, row := range rows {
		if r.After != nil && slices.Compare(row.Copies, r.After) <= 0 || !r.Having.Has(row.Count) {
			continue
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	return nil
}

type chooser struct {
	problem    *cover.Problem
	sets       [][]int
	of         []int // indexed by option; the index of the option's set, or -1
	own        []int // indexed by set; an item of all options of the set and of no other, or -1
	low, high  []int // indexed by set; bounds on the copies
	totals     []total
	until      [][]int // indexed by set; the totals to which this set or a later set contributes
	ways       map[string]*big.Int
	symmetries bool // own has an item for every set
}

// total is a condition on the sum of copies[s]·each[s] over all sets s. The condition is
// least ≤ sum ≤ most. If modulus is not 0, a multiple of modulus may be added to the sum.
type total struct {
	each                 []int
	least, most, modulus int
}

func (t *total) holds(sum int) bool {
	if t.modulus == 0 {
		return sum >= t.least && sum <= t.most
	}
	return mod(sum-t.least, t.modulus) <= t.most-t.least
}

func (t *total) plus(sum, s, copies int) int {
	sum += copies * t.each[s]
	if t.modulus > 0 {
		return mod(sum, t.modulus)
	}
	return sum
}

func mod(a, m int) int { return (a%m + m) % m }

func newChooser(p *cover.Problem, r Rows) (*chooser, error) {
	c := &chooser{problem: p, sets: r.Sets, of: setOf(p, r.Sets), ways: map[string]*big.Int{}, symmetries: true}
	for _, set := range r.Sets {
		c.low, c.high = append(c.low, 0), append(c.high, mostCopies(p, set))
	}
	byItem := c.uses()
	zeros := r.Having.Min.Sign() == 0
	for _, uses := range byItem {
		c.add(uses, zeros)
	}
	for _, m := range r.Measures {
		c.add(c.measured(m), zeros)
	}
	coloured := p.ColouredItems()
	for k := range c.sets {
		own := -1
		for i, v := range byItem {
			if v.isOf(k, len(c.sets)) && !coloured[i] {
				own = i
			}
		}
		c.own = append(c.own, own)
		c.symmetries = c.symmetries && own >= 0
	}
	c.until = make([][]int, len(c.sets)+1)
	for s := range c.sets {
		for t, total := range c.totals {
			if slices.ContainsFunc(total.each[s:], func(v int) bool { return v != 0 }) {
				c.until[s] = append(c.until[s], t)
			}
		}
	}
	all, err := c.below(0, make([]int, len(c.totals)))
	if err != nil {
		return nil, err
	}
	if zeros && all.Cmp(big.NewInt(maxZeros)) > 0 {
		return nil, fmt.Errorf("%w: there are %d choices, expected at most %d choices if choices without a solution are listed", ErrChoices, all, maxZeros)
	}
	return c, nil
}

// values has the values of all options for one measure, or the numbers of their uses of one item.
type values struct {
	of          [][]int // indexed by set; values of its options; the last entry is for other options
	least, most int     // bounds on the sum of the values of a solution's options
	bounded     bool
}

func (v *values) add(s, value int) {
	if s < 0 {
		s = len(v.of) - 1
	}
	if !slices.Contains(v.of[s], value) {
		v.of[s] = append(v.of[s], value)
	}
}

func (v *values) isOf(s, sets int) bool {
	for k, of := range v.of[:sets+1] {
		want := 0
		if k == s {
			want = 1
		}
		if len(of) > 1 || len(of) == 1 && of[0] != want || len(of) == 0 && k == s {
			return false
		}
	}
	return true
}

func (c *chooser) uses() []*values {
	all := make([]*values, len(c.problem.Items))
	coloured := c.problem.ColouredItems() // all uses of such an item in one colour count as one
	last := make([]map[int]int, len(all)) // last[i][s] is how many options of set s use item i
	for i, it := range c.problem.Items {
		all[i] = &values{of: make([][]int, len(c.sets)+1), least: it.Min, most: it.Max, bounded: !coloured[i]}
		last[i] = map[int]int{}
	}
	size := make([]int, len(c.sets)+1)
	for o, option := range c.problem.Options {
		s := c.of[o]
		if s < 0 {
			s = len(c.sets)
		}
		size[s]++
		for _, u := range option {
			all[u.Item].add(s, int(u.Times))
			last[u.Item][s]++
		}
	}
	for i, v := range all {
		for s := range v.of {
			if last[i][s] < size[s] {
				v.add(s, 0)
			}
		}
	}
	return all
}

func (c *chooser) measured(measure []int) *values {
	v := &values{of: make([][]int, len(c.sets)+1), bounded: true}
	coloured := c.problem.ColouredItems()
	for i, m := range measure {
		it := c.problem.Items[i]
		v.bounded = v.bounded && (m == 0 || it.Max < cover.Unbounded && !coloured[i])
		v.least += min(m*it.Min, m*it.Max)
		v.most += max(m*it.Min, m*it.Max)
	}
	for o, option := range c.problem.Options {
		sum := 0
		for _, u := range option {
			if u.Item < len(measure) {
				sum += measure[u.Item] * int(u.Times)
			}
		}
		v.add(c.of[o], sum)
	}
	return v
}

// add adds the condition on copies that follows from v. If options of a set have different values,
// the copies determine the sum only modulo the greatest common divisor of the differences of these
// values. (If black cells have the value 1 and white cells -1, a hexomino may have the value -2 in
// one placement and 2 in another. These are equal modulo 4.) If zeros is true, add adds
// no total with a modulus, which would exclude choices with the right number of cells.
func (c *chooser) add(v *values, zeros bool) {
	others := v.of[len(c.sets)]
	t := total{least: v.least, most: v.most}
	differences := 0
	for _, of := range v.of[:len(c.sets)] {
		each := 0
		if len(of) > 0 {
			each = of[0]
		}
		t.each = append(t.each, each)
		for _, value := range of {
			differences = gcd(differences, max(value-each, each-value))
		}
	}
	used := slices.ContainsFunc(t.each, func(v int) bool { return v != 0 })
	free := slices.ContainsFunc(others, func(v int) bool { return v != 0 })
	switch {
	case !v.bounded || !used && !free:
	case differences > 1 && !free && v.most-v.least < differences-1:
		if t.modulus = differences; !zeros {
			c.totals = append(c.totals, t)
		}
	case differences > 0 || slices.ContainsFunc(others, func(v int) bool { return v < 0 }):
	case free && slices.ContainsFunc(t.each, func(v int) bool { return v < 0 }):
	default:
		if free {
			t.least = 0
		}
		c.bind(t)
	}
}

func (c *chooser) bind(t total) {
	only := -1
	for s, each := range t.each {
		switch {
		case each != 0 && only >= 0, each < 0:
			c.totals = append(c.totals, t)
			return
		case each != 0:
			only = s
		}
	}
	if only >= 0 {
		c.low[only] = max(c.low[only], (t.least+t.each[only]-1)/t.each[only])
		c.high[only] = min(c.high[only], t.most/t.each[only])
	}
}

const maxWays = 1 << 20

// below returns the number of choices for the sets s, s+1, … if earlier sets have the given sums.
func (c *chooser) below(s int, sums []int) (*big.Int, error) {
	key := binary.AppendVarint(nil, int64(s))
	for _, t := range c.until[s] {
		key = binary.AppendVarint(key, int64(sums[t]))
	}
	if n := c.ways[string(key)]; n != nil {
		return n, nil
	}
	n := new(big.Int)
	if s == len(c.sets) {
		n.SetInt64(1)
		return n, nil
	}
	if len(c.ways) == maxWays {
		return nil, fmt.Errorf("%w: partial choices have more than %d different totals of cells and copies", ErrChoices, maxWays)
	}
	c.ways[string(key)] = n // recursive calls have other keys, so n is complete before it is read
	for copies := c.low[s]; copies <= c.high[s]; copies++ {
		if next := c.with(s, sums, copies); next != nil {
			below, err := c.below(s+1, next)
			if err != nil {
				return nil, err
			}
			n.Add(n, below)
		}
	}
	return n, nil
}

func (c *chooser) with(s int, sums []int, copies int) []int {
	next := slices.Clone(sums)
	for _, t := range c.until[s] {
		next[t] = c.totals[t].plus(sums[t], s, copies)
		if !slices.Contains(c.until[s+1], t) && !c.totals[t].holds(next[t]) {
			return nil
		}
	}
	return next
}

type branch struct {
	copies []int // copies of the sets 0..len(copies)-1
	sums   []int // indexed by total; the sum for these copies
}

// branches splits the choices that come after the given choice, or all choices if after is nil,
// into branches. Each branch has at most size() choices, and is as large as this allows.
func (c *chooser) branches(after []int, size func() int64) iter.Seq[branch] {
	return func(yield func(branch) bool) {
		c.visit(branch{sums: make([]int, len(c.totals))}, after, size, yield)
	}
}

// visit yields branches within b like the method branches, or single choices if size is nil.
func (c *chooser) visit(b branch, after []int, size func() int64, yield func(branch) bool) bool {
	s := len(b.copies)
	below, err := c.below(s, b.sums)
	switch {
	case err != nil || below.Sign() == 0: // newChooser has called below for all sums without an error
		return true
	case s == len(c.sets):
		return after != nil || yield(b)
	case after == nil && size != nil && below.Cmp(big.NewInt(size())) <= 0:
		return yield(b)
	}
	from := c.low[s]
	if after != nil {
		from = max(from, after[s])
	}
	for k := from; k <= c.high[s]; k++ {
		var behind []int
		if after != nil && k == after[s] {
			behind = after
		}
		next := c.with(s, b.sums, k)
		if next != nil && !c.visit(branch{append(slices.Clip(b.copies), k), next}, behind, size, yield) {
			return false
		}
	}
	return true
}

func (c *chooser) choices(b branch) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		c.visit(b, nil, nil, func(choice branch) bool { return yield(choice.copies) })
	}
}

// upTo returns the number of choices that do not come after the given choice.
func (c *chooser) upTo(after []int) *big.Int {
	all, sums := new(big.Int), make([]int, len(c.totals))
	for s, last := range after {
		for k := c.low[s]; k <= min(last, c.high[s]); k++ {
			next := c.with(s, sums, k)
			switch {
			case next != nil && (k < last || s == len(after)-1):
				below, _ := c.below(s+1, next)
				all.Add(all, below)
			case next != nil:
				sums = next
			}
			if k == last && next == nil {
				return all
			}
		}
		if last < c.low[s] || last > c.high[s] {
			return all
		}
	}
	return all
}

// tally has the wanted rows of a branch. If err is not nil, no row is after the choice in last.
type tally struct {
	rows   []Row
	last   []int // copies of the last choice whose solutions were counted, or nil
	effort Effort
	bytes  int64
	err    error
}

func (c *chooser) count(ctx context.Context, r Rows, o Options, yield func(Row) error) (*Copies, error) {
	all, err := c.below(0, make([]int, len(c.totals)))
	if err != nil {
		return nil, err
	}
	table := &Copies{Engine: Search, Seen: r.After, Of: all}
	defer func() { table.Choices = c.upTo(table.Seen) }()
	threads := o.threads()
	each := o
	each.Watch, each.Threads, each.Memory, each.Engine = Watch{}, 1, o.Memory/int64(threads), Auto
	t := &tallying{chooser: c, having: r.Having, o: each}
	t.next.Store(firstBranch)
	for got := range ordered.Map(ctx, threads, c.branches(r.After, t.next.Load), t.tally) {
		table.States += got.effort.States
		table.Tries += got.effort.Tries
		table.Bytes = max(table.Bytes, int64(threads)*got.bytes)
		for _, row := range got.rows {
			if err := yield(row); err != nil {
				return table, err
			}
			table.Seen = row.Copies
			if err := ctx.Err(); err != nil {
				return table, err
			}
		}
		if got.last != nil {
			table.Seen = got.last
		}
		if got.err != nil {
			return table, got.err
		}
		if o.Progress != nil {
			seen := c.upTo(table.Seen)
			share, _ := new(big.Rat).SetFrac(seen, all).Float64()
			o.Progress(Progress{Fraction: share, Done: seen.Int64(), Unit: "choices"})
		}
	}
	return table, ctx.Err()
}

// tallying counts the solutions of branches. One search lists the solutions of all choices of a
// branch, so it visits a partial cover once for all choices. A branch with a long list is split.
type tallying struct {
	*chooser
	having Range
	o      Options
	next   atomic.Int64 // largest number of choices of the next branch
}

const (
	// The first branches have at most firstBranch choices, and no branch has more than maxBranch
	// choices. The counts of 65,536 choices of 35 pieces need 10 to 30 MB.
	firstBranch, maxBranch = 1 << 8, 1 << 16
	// If the list of a branch needs more than triesPerChoice tries for each choice, the branch is
	// split into branches with at most 1/split of its choices.
	split          = 16
	triesPerChoice = 1 << 12
)

func (t *tallying) tally(ctx context.Context, b branch) tally {
	var all tally
	all.err = t.add(ctx, b, &all)
	return all
}

func (t *tallying) add(ctx context.Context, b branch, all *tally) error {
	below, err := t.below(len(b.copies), b.sums)
	if err != nil {
		return err
	}
	choices, before := below.Int64(), all.effort
	if choices == 1 {
		copies := t.lastOf(b)
		n, err := t.countOne(ctx, copies, all)
		if err != nil {
			return err
		}
		if t.having.Has(n) {
			all.rows = append(all.rows, Row{copies, n})
		}
		all.last = copies
	} else {
		counts, err := t.list(ctx, b.copies, choices*triesPerChoice, all)
		if errors.Is(err, search.ErrLimit) || errors.Is(err, cover.ErrMemory) {
			return t.addParts(ctx, b, max(1, choices/split), all)
		}
		if err != nil {
			return err
		}
		t.take(b, counts, all)
	}
	work := all.effort.States - before.States + all.effort.Tries - before.Tries
	if more := min(maxBranch, 4*choices); work < choices*triesPerChoice/split && more > t.next.Load() {
		t.next.Store(more)
	}
	return nil
}

func (t *tallying) addParts(ctx context.Context, b branch, size int64, all *tally) (err error) {
	t.next.Store(size)
	t.visit(b, nil, func() int64 { return size }, func(part branch) bool {
		err = t.add(ctx, part, all)
		return err == nil
	})
	return err
}

// list searches for the solutions whose copies begin with the argument copies, and counts them by
// copies. It returns search.ErrLimit if it needs more than the given number of tries.
func (t *tallying) list(ctx context.Context, copies []int, tries int64, all *tally) (map[string]uint64, error) {
	p, of := t.chosen(copies)
	s, err := space(ctx, p, t.o)
	if err != nil {
		return nil, err
	}
	counts := map[string]uint64{} // uint64 suffices: a list has fewer than 2^64 solutions
	found, key := make([]int, len(t.sets)), []byte{}
	h := s.Hunt(ctx, searchOptions(t.o, "tries"), func(options []int) bool {
		clear(found)
		for _, o := range options {
			if s := of[o]; s >= 0 {
				found[s]++
			}
		}
		key = appendCopies(key[:0], found)
		counts[string(key)]++
		return true
	})
	defer h.End()
	r, err := h.Run(tries)
	all.spend(Effort{States: r.Nodes, Tries: r.Tries}, s.Bytes(1))
	return counts, err
}

func appendCopies(key []byte, copies []int) []byte {
	for _, k := range copies {
		key = binary.AppendUvarint(key, uint64(k))
	}
	return key
}

func (t *tallying) take(b branch, counts map[string]uint64, all *tally) {
	all.last = t.lastOf(b)
	add := func(copies []int, n uint64) {
		if count := new(big.Int).SetUint64(n); t.having.Has(count) {
			all.rows = append(all.rows, Row{copies, count})
		}
	}
	if t.having.Min.Sign() == 0 {
		for copies := range t.choices(b) {
			add(copies, counts[string(appendCopies(nil, copies))])
		}
		return
	}
	first := len(all.rows)
	for key, n := range counts {
		copies, rest := make([]int, len(t.sets)), []byte(key)
		for s := range copies {
			k, length := binary.Uvarint(rest)
			copies[s], rest = int(k), rest[length:]
		}
		add(copies, n)
	}
	slices.SortFunc(all.rows[first:], func(a, b Row) int { return slices.Compare(a.Copies, b.Copies) })
}

func (c *chooser) lastOf(b branch) []int {
	copies, sums := slices.Clone(b.copies), b.sums
	for s := len(copies); s < len(c.sets); s++ {
		for k := c.high[s]; k >= c.low[s]; k-- {
			next := c.with(s, sums, k)
			if next == nil {
				continue
			}
			if below, err := c.below(s+1, next); err == nil && below.Sign() > 0 {
				copies, sums = append(copies, k), next
				break
			}
		}
	}
	return copies
}

// If Having.Max is below maxSome, countOne does not count, but lists up to Having.Max+1 solutions.
const maxSome = 1 << 12

// countOne returns the number of solutions of a choice. If it is above Having.Max, the result may
// be any number above Having.Max.
func (t *tallying) countOne(ctx context.Context, copies []int, all *tally) (*big.Int, error) {
	p, _ := t.chosen(copies)
	if most := t.having.Max; most != nil && most.Cmp(big.NewInt(maxSome)) < 0 {
		some, err := Some(ctx, p, int(most.Int64())+1, t.o)
		return big.NewInt(int64(len(some))), err
	}
	r, err := countValid(ctx, p, Auto, t.o)
	if err != nil {
		return nil, err
	}
	all.spend(r.Effort, r.Bytes)
	return r.Count, nil
}

func (t *tally) spend(e Effort, bytes int64) {
	t.effort.States += e.States
	t.effort.Tries += e.Tries
	t.bytes = max(t.bytes, bytes)
}

// chosen returns the problem whose solutions have the given copies of the first sets, and the set
// of each option of this problem. The problem has an item for each of the first sets. All options
// of the set use this item once.
func (c *chooser) chosen(copies []int) (*cover.Problem, []int) {
	p, of := *c.problem, []int{}
	p.Items, p.Options, p.Symmetries = slices.Clone(p.Items), nil, nil
	added := make([]int, len(copies)) // indexed by set; the item added for the set, or -1
	for s, k := range copies {
		added[s] = -1
		i := c.own[s]
		if i < 0 {
			i, added[s] = len(p.Items), len(p.Items)
			p.Items = append(p.Items, cover.Item{})
		}
		p.Items[i].Min, p.Items[i].Max = k, k
	}
	for o, option := range c.problem.Options {
		s := c.of[o]
		if s >= 0 && s < len(copies) && copies[s] == 0 {
			continue
		}
		if s >= 0 && s < len(copies) && added[s] >= 0 {
			option = append(slices.Clip(option), cover.Use{Item: added[s], Times: 1})
		}
		p.Options, of = append(p.Options, option), append(of, s)
	}
	if c.symmetries {
		for _, s := range c.problem.Symmetries {
			if c.keeps(s, p.Items) {
				p.Symmetries = append(p.Symmetries, s)
			}
		}
	}
	return &p, of
}

func (c *chooser) keeps(s cover.Symmetry, items []cover.Item) bool {
	return !slices.ContainsFunc(c.own, func(i int) bool {
		a, b := items[i], items[s[i]]
		return a.Min != b.Min || a.Max != b.Max
	})
}
