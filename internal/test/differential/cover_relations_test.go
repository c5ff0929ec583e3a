package differential

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// coverRelations hold a cover's count to the counts of changed covers.
var coverRelations = []Check{
	{"items", "N, the items in another order", 2, All, checkItems},
	{"options", "N, the options in another order", 2, All, checkOptions},
	{"orders", "N, with no order, or reversed, or others first", 2, All, checkOrders},
	{"shuffled", "N, swept in a random order", 2, Small, checkShuffled},
	{"plain", "N, without symmetries", 2, All, checkPlain},
	{"union", "N·M, beside a cover with M solutions", 2, All, checkUnion},
	{"split", "N = N(with an option) + N(without it)", 1, All, checkSplit},
	{"bounds", "N = sum of N(an item is used j times)", 2, Small, checkBounds},
	{"complement", "N = N(any uses of an item) - N(too few) - N(too many)", 2, Small, checkComplement},
	{"scaled", "N, an item's bounds and uses k-fold, with less than k of slack", 2, Small, checkScaled},
	{"twin item", "N, with an item that is used as another is", 2, Small, checkTwinItem},
	{"packed", "N, two exact items as the digits of one", 2, Small, checkPacked},
	{"slack", "N, optional items made exact with an option for none", 2, All, checkSlack},
	{"private", "N·C, with an item a..b of m options of its own, C = sum of m over a..b", 2, All, checkPrivate},
	{"clauses", "N = models of the clauses, as solutions of a cover", 6, Small, checkClauses},
}

// changed is a copy of the problem that may be changed, without symmetries.
func changed(p *cover.Problem) *cover.Problem {
	q := &cover.Problem{Items: slices.Clone(p.Items), Colours: slices.Clone(p.Colours)}
	for _, o := range p.Options {
		q.Options = append(q.Options, slices.Clone(o))
	}
	for _, o := range p.Orders {
		q.Orders = append(q.Orders, slices.Clone(o))
	}
	return q
}

// unordered removes an item from all orders, as it may be used several times.
func unordered(p *cover.Problem, item int) {
	for k, order := range p.Orders {
		p.Orders[k] = slices.DeleteFunc(order, func(i int) bool { return i == item })
	}
}

// tidy sorts the uses of options whose items were changed.
func tidy(p *cover.Problem) {
	for _, o := range p.Options {
		slices.SortFunc(o, func(a, b cover.Use) int { return cmp.Compare(a.Item, b.Item) })
	}
}

// addItem adds an item of no name.
func addItem(p *cover.Problem, least, most int) (item int) {
	p.Items = append(p.Items, cover.Item{Min: least, Max: most})
	return len(p.Items) - 1
}

// checkItems renames the items; symmetries go along.
func checkItems(ctx context.Context, s *subject) error {
	p := s.Problem
	q := changed(p)
	to := s.Perm(len(p.Items))
	for i, item := range p.Items {
		q.Items[to[i]] = item
	}
	for _, o := range q.Options {
		for k := range o {
			o[k].Item = to[o[k].Item]
		}
	}
	tidy(q)
	for _, order := range q.Orders {
		for k := range order {
			order[k] = to[order[k]]
		}
	}
	for _, g := range p.Symmetries {
		moved := make(cover.Symmetry, len(g))
		for i := range g {
			moved[to[i]] = to[g[i]]
		}
		q.Symmetries = append(q.Symmetries, moved)
	}
	return s.counts(ctx, "items permuted", q, s.want)
}

func checkOptions(ctx context.Context, s *subject) error {
	q := changed(s.Problem)
	q.Symmetries = s.Problem.Symmetries
	s.Shuffle(len(q.Options), func(i, k int) { q.Options[i], q.Options[k] = q.Options[k], q.Options[i] })
	return s.counts(ctx, "options permuted", q, s.want)
}

// checkOrders leaves a large board at least one good order, for in a bad one it
// has too many states; others may have to do without any.
func checkOrders(ctx context.Context, s *subject) error {
	q := changed(s.Problem)
	q.Symmetries = s.Problem.Symmetries
	how := s.IntN(4)
	switch {
	case how == 0 && s.Kind != Large:
		q.Orders = nil
	case how == 1:
		for _, order := range q.Orders {
			slices.Reverse(order)
		}
	case how == 2:
		q.Orders = q.Orders[:min(1, len(q.Orders))]
	default:
		slices.Reverse(q.Orders)
	}
	return s.counts(ctx, fmt.Sprintf("orders changed (%d)", how), q, s.want)
}

// checkShuffled sweeps all items that can be swept, or only some; the states of a padded cover with
// only some are too many.
func checkShuffled(ctx context.Context, s *subject) error {
	q := changed(s.Problem)
	order := []int{}
	for _, i := range s.Perm(len(q.Items)) {
		if q.Items[i].Max <= 1 && (s.padding != nil || s.IntN(8) > 0) {
			order = append(order, i)
		}
	}
	q.Orders = [][]int{order}
	return s.counts(ctx, "swept in a random order", q, s.want)
}

func checkPlain(ctx context.Context, s *subject) error {
	return s.counts(ctx, "without symmetries", changed(s.Problem), s.want)
}

// checkUnion puts a random cover, or the same again, beside the cover.
func checkUnion(ctx context.Context, s *subject) error {
	other, times := s.Problem, s.want
	if s.Kind == Large || s.IntN(2) == 0 {
		other = oracle.RandomGrid(s.Rand)
		solutions, err := oracle.Solutions(other)
		if err != nil {
			s.note("beside one too big for the oracle") // one grid of many thousands
			return nil
		}
		times = big.NewInt(int64(len(solutions)))
	}
	return s.counts(ctx, "beside another", union(s.Problem, other), new(big.Int).Mul(s.want, times))
}

// union is both problems at once. Each of its orders is an order of p followed by an order of
// other.
func union(p, other *cover.Problem) *cover.Problem {
	q, r := changed(p), changed(other)
	from, colours := len(q.Items), int32(len(q.Colours))
	q.Items, q.Colours = append(q.Items, r.Items...), append(q.Colours, r.Colours...)
	for _, o := range r.Options {
		for k := range o {
			o[k].Item += from
			if o[k].Colour != 0 {
				o[k].Colour += colours
			}
		}
		q.Options = append(q.Options, o)
	}
	for k := range q.Orders {
		if len(r.Orders) == 0 {
			break
		}
		for _, i := range r.Orders[k%len(r.Orders)] {
			q.Orders[k] = append(q.Orders[k], from+i)
		}
	}
	return q
}

func checkSplit(ctx context.Context, s *subject) error {
	if len(s.Problem.Options) == 0 {
		return nil
	}
	o := s.IntN(len(s.Problem.Options))
	without := changed(s.Problem)
	without.Options = slices.Delete(without.Options, o, o+1)
	sum, err := s.count(ctx, without, s.engine())
	if err != nil {
		return fmt.Errorf("without option %d: %w", o, err)
	}
	if with := taken(s.Problem, o); with != nil {
		n, err := s.count(ctx, with, s.engine())
		if err != nil {
			return fmt.Errorf("with option %d: %w", o, err)
		}
		sum.Add(sum, n)
	}
	return s.same(fmt.Sprintf("with and without option %d", o), sum, s.want)
}

// taken is the rest of the problem when an option is chosen; nil if it cannot be chosen.
func taken(p *cover.Problem, option int) *cover.Problem {
	if r := p.Residual([]int{option}); r != nil {
		return r.Problem
	}
	return nil
}

// uses returns the number of uses of an item by all options together.
func uses(p *cover.Problem, item int) (n int) {
	for _, o := range p.Options {
		for _, u := range o {
			if u.Item == item {
				n += int(u.Times)
			}
		}
	}
	return n
}

// bounded is the cover with other bounds of an item.
func bounded(p *cover.Problem, item, least, most int) *cover.Problem {
	q := changed(p)
	q.Items[item].Min, q.Items[item].Max = least, most
	if most > 1 {
		unordered(q, item)
	}
	return q
}

// plainItem draws an item that is used with no colour, whose bounds can be others.
func (s *subject) plainItem() (item int, ok bool) {
	var plain []int
	for i, coloured := range s.Problem.ColouredItems() {
		if !coloured {
			plain = append(plain, i)
		}
	}
	if len(plain) == 0 {
		return 0, false
	}
	return pick(s.Rand, plain), true
}

// checkBounds adds up over the number of times that an item is used.
func checkBounds(ctx context.Context, s *subject) error {
	const mostTerms = 8
	i, ok := s.plainItem()
	if !ok {
		return nil
	}
	item := s.Problem.Items[i]
	last := min(item.Max, uses(s.Problem, i))
	if last-item.Min >= mostTerms {
		return nil
	}
	sum := new(big.Int)
	for j := item.Min; j <= last; j++ {
		n, err := s.count(ctx, bounded(s.Problem, i, j, j), s.engine())
		if err != nil {
			return fmt.Errorf("item %d used %d times: %w", i, j, err)
		}
		sum.Add(sum, n)
	}
	return s.same(fmt.Sprintf("item %d used %d to %d times", i, item.Min, last), sum, s.want)
}

// checkComplement counts without the bounds of an item, and subtracts the solutions that violate
// the bounds.
func checkComplement(ctx context.Context, s *subject) error {
	i, ok := s.plainItem()
	if !ok {
		return nil
	}
	item := s.Problem.Items[i]
	sum := new(big.Int)
	for _, part := range []struct{ least, most, sign int }{
		{0, cover.Unbounded, 1},
		{0, item.Min - 1, -1},
		{item.Max + 1, cover.Unbounded, -1},
	} {
		if part.most < part.least || part.least > cover.Unbounded {
			continue
		}
		n, err := s.count(ctx, bounded(s.Problem, i, part.least, part.most), s.otherEngine())
		if err != nil {
			return fmt.Errorf("item %d used %d..%d times: %w", i, part.least, part.most, err)
		}
		sum.Add(sum, n.Mul(n, big.NewInt(int64(part.sign))))
	}
	return s.same(fmt.Sprintf("item %d of any uses, less the wrong ones", i), sum, s.want)
}

// checkScaled multiplies the uses and the bounds of an item. Less than a use
// of slack on either side changes nothing.
func checkScaled(ctx context.Context, s *subject) error {
	i, ok := s.plainItem()
	if !ok {
		return nil
	}
	q := changed(s.Problem)
	k := 2 + s.IntN(4)
	item := &q.Items[i]
	item.Min = max(0, item.Min*k-s.IntN(k))
	if item.Max != cover.Unbounded {
		item.Max = item.Max*k + s.IntN(k)
	}
	for _, o := range q.Options {
		for at := range o {
			if o[at].Item == i {
				o[at].Times *= int32(k)
			}
		}
	}
	unordered(q, i)
	return s.counts(ctx, fmt.Sprintf("item %d %d-fold", i, k), q, s.want)
}

// checkTwinItem adds an item that is used as another is, swept or counted.
func checkTwinItem(ctx context.Context, s *subject) error {
	if len(s.Problem.Items) == 0 {
		return nil
	}
	q := changed(s.Problem)
	i := s.IntN(len(q.Items))
	twin := addItem(q, q.Items[i].Min, q.Items[i].Max)
	for k, o := range q.Options {
		for _, u := range o {
			if u.Item == i {
				q.Options[k] = append(q.Options[k], cover.Use{Item: twin, Times: u.Times, Colour: u.Colour})
			}
		}
	}
	if q.Items[i].Max <= 1 && s.IntN(2) == 0 {
		for k, order := range q.Orders {
			q.Orders[k] = slices.Insert(order, s.IntN(len(order)+1), twin)
		}
	}
	return s.counts(ctx, fmt.Sprintf("a twin of item %d", i), q, s.want)
}

// checkPacked makes one item of two exact items: the uses of the first are its low digit, which
// cannot carry, and the uses of the second its high digit.
func checkPacked(ctx context.Context, s *subject) error {
	var exact []int
	for i, item := range s.Problem.Items {
		if item.Min == item.Max {
			exact = append(exact, i)
		}
	}
	if len(exact) < 2 {
		return nil
	}
	s.Shuffle(len(exact), func(a, b int) { exact[a], exact[b] = exact[b], exact[a] })
	low, high := exact[0], exact[1]
	q := changed(s.Problem)
	base := max(uses(q, low), q.Items[low].Max) + 1
	both := q.Items[low].Max + base*q.Items[high].Max
	packed := addItem(q, both, both)
	for _, i := range []int{low, high} {
		q.Items[i] = cover.Item{Max: cover.Unbounded}
		unordered(q, i)
	}
	for k, o := range q.Options {
		n := 0
		for _, u := range o {
			switch u.Item {
			case low:
				n += int(u.Times)
			case high:
				n += base * int(u.Times)
			}
		}
		if n > 0 { // its old uses stay, or two options might become one
			q.Options[k] = append(q.Options[k], cover.Use{Item: packed, Times: int32(n)})
		}
	}
	return s.counts(ctx, fmt.Sprintf("items %d and %d in one", low, high), q, s.want)
}

// checkSlack makes items that may be used once less exact: a missing use is supplied by an option
// of its own.
func checkSlack(ctx context.Context, s *subject) error {
	q := changed(s.Problem)
	coloured := q.ColouredItems()
	for i, item := range q.Items {
		if item.Max != item.Min+1 || s.IntN(4) == 0 || coloured[i] {
			continue
		}
		q.Items[i].Min++
		own := addItem(q, 0, cover.Unbounded) // there may be an option of this item alone
		q.Options = append(q.Options, cover.Option{{Item: i, Times: 1}, {Item: own, Times: 1}})
	}
	return s.counts(ctx, "optional items made exact", q, s.want)
}

// checkPrivate adds an item with options of its own.
func checkPrivate(ctx context.Context, s *subject) error {
	q := changed(s.Problem)
	options := 1 + s.IntN(4)
	least := s.IntN(options + 1)
	most := least + s.IntN(options-least+1)
	item := addItem(q, least, most)
	for k := range options {
		o := cover.Option{{Item: item, Times: 1}}
		if k > 0 {
			o = append(o, cover.Use{Item: addItem(q, 0, cover.Unbounded), Times: 1})
		}
		q.Options = append(q.Options, o)
	}
	ways := new(big.Int)
	for j := least; j <= most; j++ {
		ways.Add(ways, new(big.Int).Binomial(int64(options), int64(j)))
	}
	return s.counts(ctx, fmt.Sprintf("%d..%d of %d more options", least, most, options), q, ways.Mul(ways, s.want))
}
