package count

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
	"github.com/pavage/pavage/internal/kit/ordered"
)

// The table of ByCopies has a digit for each choice of copies, which is too much for 35 pieces of
// which 10 are used. EachRow then goes through the choices and counts each of them. Sums leave out
// choices that cannot have a solution, and whole subtrees of choices:
//
//	3 pieces of 2, 2 and 3 cells, 0 or 1 copy each, a board of 5 cells:
//
//	copies  0 ── 0            the third piece has 3 of 5 cells: left out
//	          └─ 1 ── 1       2 + 3 cells
//	        1 ── 0 ── 1       2 + 3 cells
//	          └─ 1            2 + 2 cells, and 1 is left: left out

// Range is a range of counts.
type Range struct {
	Min, Max *big.Int // Max is nil if there is no largest count
}

// Some is the range of all counts but 0.
func Some() Range { return Range{Min: big.NewInt(1)} }

// Has reports whether n is in the range.
func (r Range) Has(n *big.Int) bool {
	return n.Cmp(r.Min) >= 0 && (r.Max == nil || n.Cmp(r.Max) <= 0)
}

// Rows selects rows of the table of solutions by copies.
type Rows struct {
	Sets   [][]int // as in ByCopies
	Having Range   // of the count of a row
	After  []int   // only rows behind the row with these copies; nil: all
	// Measures give items a value. If all items in a measure are used as often in all solutions,
	// the values of the options in a solution have a fixed sum. A measure that is 1 for each cell
	// leaves out choices with another area than the board, and a measure that is 1 for black cells
	// and -1 for white cells leaves out choices by their colours.
	Measures [][]int
}

// maxZeros is the largest number of choices that are listed if rows without a solution are wanted.
const maxZeros = 1 << 20

// ErrChoices is wrapped if there are too many choices of copies.
var ErrChoices = errors.New("too many choices of copies")

// maxDigits is the number of digits from which Auto goes through the choices if every set has at
// most one option in a solution. Then a sweep has a state for each choice anyway, and each state a
// number with one digit that is not 0.
const maxDigits = 1 << 12

// EachRow calls yield with the rows that r selects, in ascending order of copies. The result has no
// Rows. Options.Engine is Auto, Diagram, Sweep or Search; with Search each choice is counted alone,
// Count is nil, and Copies.Seen is set, also with an error. Errors are those of ByCopies and yield's,
// or wrap ErrChoices.
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

// Searches reports whether EachRow counts each choice alone with an engine, unless Auto finds later
// that the other engines need too much memory.
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

// Digits returns the number of digits of a number with the counts of all choices of copies.
func (r Rows) Digits(p *cover.Problem) float64 {
	digits := 1.0
	for _, radix := range radixes(p, r.Sets).radix {
		digits *= float64(radix)
	}
	return digits
}

// Select calls yield with the rows of a table that r selects, as EachRow does.
func (r Rows) Select(p *cover.Problem, table *Copies, yield func(Row) error) error {
	zeros, err := r.zeros(p)
	if err != nil {
		return err
	}
	return r.take(zeros, table, yield)
}

// zeros returns all choices if rows without a solution are wanted.
func (r Rows) zeros(p *cover.Problem) ([][]int, error) {
	if r.Having.Min.Sign() > 0 {
		return nil, nil
	}
	c, err := newChooser(p, r)
	if err != nil {
		return nil, err
	}
	return slices.Collect(c.choices(nil)), nil
}

// take moves the rows that r selects out of a table. Each choice in zeros that has no row gets one.
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

// chooser knows which choices of copies there are.
type chooser struct {
	problem    *cover.Problem
	sets       [][]int
	of         []int // set of each option, or -1
	own        []int // by set: the item that the options of this set use, once each, and no other option
	low, high  []int // by set: bounds of copies
	totals     []total
	balances   []total // sums of which some choices have no solution, but which are no bounds
	until      [][]int // by set: totals with a value at this set or behind it
	ways       map[string]*big.Int
	symmetries bool // of the problem are kept by choices
}

// total is a sum of copies[s]·each[s] over all sets s, which is between least and most; or, if
// modulus is not 0, which is between them up to a multiple of modulus.
type total struct {
	each                 []int
	least, most, modulus int
}

// holds reports whether the sum is right.
func (t *total) holds(sum int) bool {
	if t.modulus == 0 {
		return sum >= t.least && sum <= t.most
	}
	return mod(sum-t.least, t.modulus) <= t.most-t.least
}

// plus returns a sum with some copies of set s.
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
	for _, uses := range byItem {
		c.add(uses)
	}
	for _, m := range r.Measures {
		c.add(c.measured(m))
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
	if r.Having.Min.Sign() > 0 {
		c.totals, c.balances = append(c.totals, c.balances...), nil
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
	if r.Having.Min.Sign() == 0 && all.Cmp(big.NewInt(maxZeros)) > 0 {
		return nil, fmt.Errorf("%w: %d, and choices without a solution are listed if there are at most %d", ErrChoices, all, maxZeros)
	}
	return c, nil
}

// values are the values that the options of each set have in a measure, and at last the values of
// the options in no set.
type values struct {
	of          [][]int // each value once
	least, most int     // sum of the values in a solution
	bounded     bool    // the sum is between least and most
}

// add adds the value of an option of set s, or of no set if s is -1.
func (v *values) add(s, value int) {
	if s < 0 {
		s = len(v.of) - 1
	}
	if !slices.Contains(v.of[s], value) {
		v.of[s] = append(v.of[s], value)
	}
}

// isOf reports whether all options of set s have the value 1, and all others have the value 0.
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

// uses returns, by item, the number of times that the options use the item.
func (c *chooser) uses() []*values {
	all := make([]*values, len(c.problem.Items))
	coloured := c.problem.ColouredItems() // options of one colour use an item once together
	last := make([]map[int]int, len(all)) // by item: number of options of a set that use it
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

// measured returns the values of the options in a measure.
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

// add adds the bounds that follow from the values of a measure. If a set has several values, their
// differences have a divisor, up to which the sum is known: hexominoes have 2, 3 or 4 black cells,
// so black less white cells are 0, or 2 and -2, which are equal up to 4.
func (c *chooser) add(v *values) {
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
		t.modulus = differences
		c.balances = append(c.balances, t)
	case differences > 0 || slices.ContainsFunc(others, func(v int) bool { return v < 0 }):
	case free && slices.ContainsFunc(t.each, func(v int) bool { return v < 0 }):
	default:
		if free {
			t.least = 0
		}
		c.bind(t)
	}
}

// bind adds a total, which bounds the copies of a set if no other set has a value.
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

// maxWays is the largest number of different sums of the first sets that are kept.
const maxWays = 1 << 20

// below returns the number of choices of the sets from s on, if the sets before it have these sums.
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
		return nil, fmt.Errorf("%w: their sums of cells and copies have over %d values", ErrChoices, maxWays)
	}
	c.ways[string(key)] = n // of no choice but this one is n read before it is complete
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

// with returns the sums with some copies of set s, or nil if a sum that is complete is wrong.
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

// choices yields the choices behind a choice, or all, in ascending order.
func (c *chooser) choices(after []int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		copies := make([]int, len(c.sets))
		var visit func(s int, sums []int, tight bool) bool
		visit = func(s int, sums []int, tight bool) bool {
			if s == len(copies) {
				return tight || yield(slices.Clone(copies))
			}
			from := c.low[s]
			if tight {
				from = max(from, after[s])
			}
			for k := from; k <= c.high[s]; k++ {
				next := c.with(s, sums, k)
				if next == nil {
					continue
				}
				if below, err := c.below(s+1, next); err != nil || below.Sign() == 0 {
					continue // no error, since all sums were met when c was made
				}
				copies[s] = k
				if !visit(s+1, next, tight && k == after[s]) {
					return false
				}
			}
			return true
		}
		visit(0, make([]int, len(c.totals)), after != nil)
	}
}

// upTo returns the number of choices that are not behind a choice.
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

// counted is a choice with its number of solutions, of which more than the largest that is wanted
// may be left out.
type counted struct {
	Row
	effort Effort
	bytes  int64
	err    error
}

// count counts the choices, each in a thread of its own.
func (c *chooser) count(ctx context.Context, r Rows, o Options, yield func(Row) error) (*Copies, error) {
	table := &Copies{Engine: Search, Seen: r.After}
	all, err := c.below(0, make([]int, len(c.totals)))
	if err != nil {
		return nil, err
	}
	table.Choices, table.Of = new(big.Int), all
	if r.After != nil {
		table.Choices = c.upTo(r.After)
	}
	threads := o.threads()
	each := o
	each.Watch, each.Threads, each.Memory, each.Engine = Watch{}, 1, o.Memory/int64(threads), Auto
	one := func(ctx context.Context, copies []int) counted {
		return c.countOne(ctx, copies, r.Having.Max, each)
	}
	picks, err := c.picks(ctx)
	switch {
	case err != nil:
		return table, err
	case picks != nil && (o.Memory == 0 || picks.Bytes(threads) <= o.Memory):
		pickers := make(chan *search.Picker, threads)
		for range threads {
			p := picks.Picker(ctx)
			defer p.End()
			pickers <- p
		}
		table.Bytes = picks.Bytes(threads)
		one = func(ctx context.Context, copies []int) counted {
			p := <-pickers
			defer func() { pickers <- p }()
			return c.pick(ctx, p, copies, r.Having.Max)
		}
	}
	shown := func() {
		if o.Progress == nil {
			return
		}
		share, _ := new(big.Rat).SetFrac(table.Choices, all).Float64()
		o.Progress(Progress{Fraction: share, Done: table.Choices.Int64(), Unit: "choices"})
	}
	for got := range ordered.Map(ctx, threads, c.choices(r.After), one) {
		if got.err != nil {
			return table, got.err
		}
		table.States += got.effort.States
		table.Tries += got.effort.Tries
		table.Bytes = max(table.Bytes, int64(threads)*got.bytes)
		if r.Having.Has(got.Count) {
			if err := yield(got.Row); err != nil {
				return table, err
			}
		}
		table.Seen = got.Copies
		table.Choices.Add(table.Choices, big.NewInt(1))
		shown()
	}
	return table, ctx.Err()
}

// balanced reports whether the copies have sums with which there may be a solution.
func (c *chooser) balanced(copies []int) bool {
	return !slices.ContainsFunc(c.balances, func(t total) bool {
		sum := 0
		for s, k := range copies {
			sum = t.plus(sum, s, k)
		}
		return !t.holds(sum)
	})
}

// picks prepares one search for all choices, if each has at most one option of each set. It returns
// nil if it cannot.
func (c *chooser) picks(ctx context.Context) (*search.Picks, error) {
	if !c.symmetries || slices.Max(c.high) > 1 || Unbalanced(c.problem) {
		return nil, nil
	}
	p := *c.problem
	p.Symmetries = nil
	for _, s := range c.problem.Symmetries {
		if !slices.ContainsFunc(c.own, func(i int) bool { return s[i] != i }) {
			p.Symmetries = append(p.Symmetries, s)
		}
	}
	return search.CompilePicks(ctx, &p, c.sets)
}

// pick is countOne with a picker.
func (c *chooser) pick(ctx context.Context, p *search.Picker, copies []int, most *big.Int) counted {
	got := counted{Row: Row{copies, new(big.Int)}}
	if got.err = ctx.Err(); got.err != nil || !c.balanced(copies) {
		return got
	}
	in := make([]bool, len(copies))
	for s, k := range copies {
		in[s] = k == 1
	}
	r := p.Count(in, most)
	got.Count, got.effort, got.err = r.Count, Effort{States: r.Nodes, Tries: r.Tries}, ctx.Err()
	return got
}

// countOne counts the solutions of one choice, or some number above most.
func (c *chooser) countOne(ctx context.Context, copies []int, most *big.Int, o Options) counted {
	got := counted{Row: Row{copies, new(big.Int)}}
	if got.err = ctx.Err(); got.err != nil {
		return got
	}
	if !c.balanced(copies) {
		return got
	}
	p := c.chosen(copies)
	if !search.IsOfSingles(p) {
		var r *Result
		if r, got.err = countValid(ctx, p, Auto, o); got.err == nil {
			got.Count, got.effort, got.bytes = r.Count, r.Effort, r.Bytes
		}
		return got
	}
	s, err := space(ctx, p, o)
	if err != nil {
		got.err = err
		return got
	}
	h := s.Hunt(ctx, searchOptions(o, "tries"), nil)
	defer h.End()
	var r search.Result
	for tries := int64(glance); ; tries += glance {
		limit := tries
		if most == nil {
			limit = 0
		}
		r, err = h.Run(limit)
		if !errors.Is(err, search.ErrLimit) || r.Count.Cmp(most) > 0 {
			break
		}
	}
	if err != nil && !errors.Is(err, search.ErrLimit) {
		got.err = err
	}
	got.Count, got.effort, got.bytes = r.Count, Effort{States: r.Nodes, Tries: r.Tries}, s.Bytes(1)
	return got
}

// glance is the number of tries between two looks at the solutions found so far.
const glance = 1 << 12

// chosen returns the problem whose solutions have these copies of each set: without the options of a
// set that has no copy, and with bounds on the item that counts the options of a set.
func (c *chooser) chosen(copies []int) *cover.Problem {
	p := *c.problem
	p.Items, p.Options, p.Symmetries = slices.Clone(p.Items), nil, nil
	added := make([]int, len(copies)) // by set: the item added for it, or -1
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
		if s >= 0 && copies[s] == 0 {
			continue
		}
		if s >= 0 && added[s] >= 0 {
			option = append(slices.Clip(option), cover.Use{Item: added[s], Times: 1})
		}
		p.Options = append(p.Options, option)
	}
	if c.symmetries {
		for _, s := range c.problem.Symmetries {
			if c.keeps(s, p.Items) {
				p.Symmetries = append(p.Symmetries, s)
			}
		}
	}
	return &p
}

// keeps reports whether a symmetry takes the items of the sets to items with the same bounds.
func (c *chooser) keeps(s cover.Symmetry, items []cover.Item) bool {
	return !slices.ContainsFunc(c.own, func(i int) bool {
		a, b := items[i], items[s[i]]
		return a.Min != b.Min || a.Max != b.Max
	})
}
