package cover

import (
	"context"
	"encoding/binary"
	"slices"
)

// bounding adds bounds to a problem p. The items that express a bound depend only on p and the
// bound, so a symmetry of p that maps bounds to bounds also maps these items.
type bounding struct {
	p          *Problem
	items      []Item         // items of p, with their new bounds
	users      [][]int32      // options that use the item, indexed by item of p
	once       []bool         // the item has Max 1 and no colours, indexed by item of p
	forbidden  []bool         // indexed by option
	forbids    bool           // some option is forbidden
	impossible bool           // no solution satisfies some bound
	added      []Bound        // bounds that become items
	known      map[string]int // maps the key of a bound to its index in added
}

func newBounding(p *Problem) *bounding {
	b := &bounding{
		p: p, items: slices.Clone(p.Items), users: make([][]int32, len(p.Items)), once: make([]bool, len(p.Items)),
		forbidden: make([]bool, len(p.Options)), known: map[string]int{},
	}
	coloured := p.ColouredItems()
	for i, it := range p.Items {
		b.once[i] = it.Max == 1 && !coloured[i]
	}
	for o, option := range p.Options {
		for _, u := range option {
			b.users[u.Item] = append(b.users[u.Item], int32(o))
		}
	}
	return b
}

func (b *bounding) take(bound Bound) {
	bound = b.without(bound, func(times int) bool { return times > bound.Max })
	shared := b.shared(bound.Options)
	most := 0 // for every solution, bound.Count is at most this number
	for k := range bound.Options {
		if len(shared) > 0 { // a solution has at most one of the options
			most = max(most, bound.TimesOf(k))
		} else {
			most += bound.TimesOf(k)
		}
	}
	switch {
	case bound.Min > most:
		b.impossible = true
	case bound.Min == 0 && bound.Max >= most:
	case b.tighten(bound):
	case len(shared) > 0: // here, Min is over 0, and Max is at least most
		for _, i := range shared {
			b.items[i].Min = max(b.items[i].Min, 1)
			b.forbid(b.others(i, bound.Options))
		}
		b.without(bound, func(times int) bool { return times < bound.Min })
	default:
		b.add(bound, most)
	}
}

// without forbids the options for which wrong(times) is true. It returns the bound without them.
func (b *bounding) without(bound Bound, wrong func(times int) bool) Bound {
	left := Bound{Name: bound.Name, Min: bound.Min, Max: bound.Max}
	for k, o := range bound.Options {
		if wrong(bound.TimesOf(k)) {
			b.forbid([]int{o})
			continue
		}
		left.Options = append(left.Options, o)
		if bound.Times != nil {
			left.Times = append(left.Times, bound.Times[k])
		}
	}
	return left
}

// shared returns the items of Max 1, without colours, that all of the options use.
func (b *bounding) shared(options []int) []int {
	var all []int
	for k, o := range options {
		if k == 0 {
			for _, u := range b.p.Options[o] {
				if b.once[u.Item] {
					all = append(all, u.Item)
				}
			}
			continue
		}
		all = slices.DeleteFunc(all, func(i int) bool {
			_, uses := b.p.Options[o].find(i)
			return !uses
		})
		if len(all) == 0 {
			return nil
		}
	}
	return all
}

func (o Option) find(item int) (at int, found bool) {
	return slices.BinarySearchFunc(o, item, func(u Use, item int) int { return u.Item - item })
}

// tighten looks for items of p that exactly the options of the bound use, with the same times.
// It applies the Min and Max of the bound to these items, and reports whether there are any.
func (b *bounding) tighten(bound Bound) bool {
	found := false
	for _, u := range b.p.Options[bound.Options[0]] {
		if !b.isOf(u.Item, bound) {
			continue
		}
		it := &b.items[u.Item]
		it.Min, it.Max = max(it.Min, bound.Min), min(it.Max, bound.Max)
		b.impossible = b.impossible || it.Min > it.Max
		found = true
	}
	return found
}

func (b *bounding) isOf(item int, bound Bound) bool {
	if len(b.users[item]) != len(bound.Options) {
		return false
	}
	for k, o := range b.users[item] {
		if int(o) != bound.Options[k] {
			return false
		}
		at, _ := b.p.Options[o].find(item)
		if u := b.p.Options[o][at]; int(u.Times) != bound.TimesOf(k) || u.Colour != 0 {
			return false
		}
	}
	return true
}

func (b *bounding) others(item int, options []int) []int {
	var all []int
	for _, o := range b.users[item] {
		if _, found := slices.BinarySearch(options, int(o)); !found {
			all = append(all, int(o))
		}
	}
	return all
}

func (b *bounding) forbid(options []int) {
	for _, o := range options {
		b.forbidden[o], b.forbids = true, true
	}
}

func (b *bounding) add(bound Bound, most int) {
	if bound.Max >= most {
		bound.Max = Unbounded
	}
	key := bound.key()
	if _, known := b.known[key]; !known {
		b.known[key] = len(b.added)
		b.added = append(b.added, bound)
	}
}

func (b Bound) key() string {
	key := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(b.Min)), uint64(b.Max))
	for k, o := range b.Options {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(o)), uint64(b.TimesOf(k)))
	}
	return string(key)
}

const (
	forbiddenName  = "forbidden"
	impossibleName = "impossible"
)

func (b *bounding) problem(ctx context.Context) (*Problem, error) {
	q := *b.p
	if b.impossible { // b.items may have an item whose Min is over its Max
		b.items = slices.Clone(b.p.Items)
	}
	q.Items = b.items
	for _, bound := range b.added {
		q.Items = append(q.Items, Item{bound.Name, bound.Min, bound.Max})
	}
	if b.forbids {
		q.Items = append(q.Items, Item{forbiddenName, 0, 0})
	}
	if b.impossible {
		q.Items = append(q.Items, Item{impossibleName, 1, 1})
	}
	q.Options = b.options()
	q.Orders = make([][]int, len(b.p.Orders))
	for k, order := range b.p.Orders {
		q.Orders[k] = b.order(order)
	}
	var err error
	q.Symmetries, err = b.symmetries(ctx, q.Items)
	return &q, err
}

func (b *bounding) options() []Option {
	more := make([][]Use, len(b.p.Options))
	for k, bound := range b.added {
		for i, o := range bound.Options {
			more[o] = append(more[o], Use{Item: len(b.p.Items) + k, Times: int32(bound.TimesOf(i))})
		}
	}
	all := slices.Clone(b.p.Options)
	for o, uses := range more {
		if b.forbidden[o] {
			uses = append(uses, Use{Item: len(b.p.Items) + len(b.added), Times: 1})
		}
		if len(uses) > 0 {
			all[o] = slices.Concat(all[o], Option(uses))
		}
	}
	return all
}

// A new item is in an order only if the first items of its options are less than maxSpread windows
// apart. The window is the largest distance in the order between two items of an option, plus 1.
const maxSpread = 3

// order inserts each new item of max 1 into an order, after the first items of all its options.
func (b *bounding) order(order []int) []int {
	first, window := b.firsts(order)
	behind := make([][]int, len(order))
	for k, bound := range b.added {
		if bound.Max != 1 {
			continue
		}
		from, to := len(order), -1
		for _, o := range bound.Options {
			from, to = min(from, first[o]), max(to, first[o])
		}
		if from >= 0 && to < len(order) && to-from < maxSpread*window {
			behind[to] = append(behind[to], len(b.p.Items)+k)
		}
	}
	var all []int
	for at, i := range order {
		all = append(append(all, i), behind[at]...)
	}
	return all
}

// firsts returns the index in order of each option's first item, or -1. For window see maxSpread.
func (b *bounding) firsts(order []int) (first []int, window int) {
	at := make([]int, len(b.p.Items))
	for i := range at {
		at[i] = -1
	}
	for k, i := range order {
		at[i] = k
	}
	first = make([]int, len(b.p.Options))
	for o, option := range b.p.Options {
		first[o] = -1
		last := -1
		for _, u := range option {
			if k := at[u.Item]; k >= 0 {
				if last = max(last, k); first[o] < 0 || k < first[o] {
					first[o] = k
				}
			}
		}
		window = max(window, last-first[o]+1)
	}
	return first, window
}

func (b *bounding) symmetries(ctx context.Context, items []Item) ([]Symmetry, error) {
	if len(b.p.Symmetries) == 0 {
		return nil, nil
	}
	m, err := b.p.Mapper(ctx)
	if err != nil {
		return nil, err
	}
	var kept []Symmetry
	for _, s := range b.p.Symmetries {
		extended, err := b.extend(s, items, m)
		if err != nil {
			return nil, err
		}
		if extended != nil {
			kept = append(kept, extended)
		}
	}
	return kept, nil
}

// extend extends s to the new items. It returns nil if s does not preserve the bounds.
func (b *bounding) extend(s Symmetry, items []Item, m *Mapper) (Symmetry, error) {
	for i, to := range s {
		if items[i].Min != items[to].Min || items[i].Max != items[to].Max {
			return nil, nil
		}
	}
	image, err := m.Images(s)
	if err != nil {
		return nil, err
	}
	for o, to := range image {
		if b.forbidden[o] != b.forbidden[to] {
			return nil, nil
		}
	}
	all := append(make(Symmetry, 0, len(items)), s...)
	for _, bound := range b.added {
		to, known := b.known[bound.moved(image).key()]
		if !known {
			return nil, nil
		}
		all = append(all, len(b.p.Items)+to)
	}
	for len(all) < len(items) {
		all = append(all, len(all))
	}
	return all, nil
}

func (b Bound) moved(image []int) Bound {
	type counted struct{ option, times int }
	all := make([]counted, len(b.Options))
	for k, o := range b.Options {
		all[k] = counted{image[o], b.TimesOf(k)}
	}
	slices.SortFunc(all, func(x, y counted) int { return x.option - y.option })
	moved := Bound{Min: b.Min, Max: b.Max}
	for _, c := range all {
		moved.Options, moved.Times = append(moved.Options, c.option), append(moved.Times, c.times)
	}
	return moved
}
