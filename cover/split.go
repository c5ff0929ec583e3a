package cover

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Split is a problem that was simplified and split into parts without a common item. A solution of
// the problem has the options in Taken and a solution of each part, so its count is the product of
// the counts of the parts.
//
//	items    a b c d e f, each 1..1      options  ab  b  bc  cd  ef  e
//	Forced   f: ef is chosen, e is dropped
//	Forced   a: ab is chosen, b and bc are dropped
//	Forced   c: cd is chosen             Taken    ab cd ef, no part is left
//
// A [Rule] says when to choose or drop an option. The users of an item are the options that use it
// and are not chosen or dropped yet. The need of an item is its Min minus its uses by chosen
// options, and its room is its Max minus these uses. An option that exceeds the room of an item, or
// contradicts its chosen colour, is dropped at once, without a step.
type Split struct {
	Taken []int  // options that all solutions have, ascending
	Parts []Part // empty if Impossible
	Steps []Step // steps of the simplification, in order
	// Impossible reports that the last step is Unmet, so there is no solution.
	Impossible bool
}

// Part is a part of a whole problem. Item i of Problem is item Items[i] of the whole, with its need
// as Min and its room as Max. Option k of Problem is option Options[k] of the whole, without its
// uses of ignored items. Items and Options are ascending unless ShareEqual reorders them. An option
// whose items are all ignored is a part of its own, without items.
type Part struct {
	Problem        *Problem
	Items, Options []int
}

// Step is a step of a simplification.
type Step struct {
	Rule Rule
	Item int
	By   int // for Only and Implied: the second item
}

// Rule is a kind of Step.
type Rule int

const (
	// Forced chooses a user of the item if all other users together use the item less often than
	// its need. If this holds for several users, they are chosen in ascending order if they fit.
	Forced Rule = iota
	// Only drops the users of the item that do not use item By. The item has room 1 and no
	// colours, and all users of By use it. The need of By is over 0.
	Only
	// Idle ignores the item. The need of the item is 0, and all its users together do not exceed
	// its room, or all use the item with the same colour.
	Idle
	// Implied ignores the item because all its users use By, an item that is not ignored and has
	// room 1 and no colours. Either the need of the item is 0, or the item has need 1, By has a
	// need over 0, and both items have the same users.
	Implied
	// Unmet ends the work: all users of the item together use it less often than its need.
	Unmet
)

// Split simplifies a valid problem until no rule applies, and splits it into parts. If all options
// are left, no item is Implied, and there is one part, then the Problem of this part is p, and its
// Items and Options are nil. The time is linear in the number of uses, unless there are many steps
// on items with many users. The error is the error of ctx.
func (p *Problem) Split(ctx context.Context) (*Split, error) {
	looks := interrupt.Context(ctx)
	s := &splitter{p: p, looks: &looks}
	if err := s.begin(); err != nil {
		return nil, err
	}
	if err := s.simplify(); err != nil {
		return nil, err
	}
	if s.Impossible {
		return &s.Split, nil
	}
	return &s.Split, s.takeApart(ctx)
}

// IsWhole reports whether the only part is the problem itself.
func (s *Split) IsWhole() bool {
	return !s.Impossible && len(s.Parts) == 1 && s.Parts[0].Options == nil
}

type splitter struct {
	Split
	p     *Problem
	looks *interrupt.Watch

	left    []bool // indexed by option; neither chosen nor dropped
	items   []itemState
	queue   []int // items whose users or bounds have changed
	mark    []int // indexed by item; used by the method shared
	marks   int
	changed bool // an option was chosen or dropped, or an item was ignored as Implied
}

type itemState struct {
	users      []int32 // options that use the item; some may be chosen or dropped
	live       int     // number of users that are neither chosen nor dropped
	need, room int64
	total      int64 // number of uses by the live users
	most       int64 // upper bound on the number of uses by one live user
	colour     int32 // colour with which chosen options use the item; 0 if none
	coloured   bool  // some option uses the item with a colour
	ignored    bool
	queued     bool
}

func (s *splitter) begin() error {
	p := s.p
	s.left, s.items, s.mark = make([]bool, len(p.Options)), make([]itemState, len(p.Items)), make([]int, len(p.Items))
	s.queue = make([]int, 0, len(p.Items))
	for i, it := range p.Items {
		s.items[i].need, s.items[i].room = int64(it.Min), int64(it.Max)
		if it.Max == Unbounded {
			s.items[i].room = math.MaxInt64
		}
		s.push(i)
	}
	users := 0
	for o, option := range p.Options {
		if err := s.looks.Work(len(option)); err != nil {
			return err
		}
		for _, u := range option {
			s.items[u.Item].coloured = s.items[u.Item].coloured || u.Colour != 0
		}
		if s.left[o] = s.fits(option); !s.left[o] {
			s.changed = true
			continue
		}
		for _, u := range option {
			it := &s.items[u.Item]
			it.live++
			it.total += int64(u.Times)
			it.most = max(it.most, int64(u.Times))
		}
		users += len(option)
	}
	all := make([]int32, users)
	for i := range s.items {
		it := &s.items[i]
		it.users, all = all[:0:it.live], all[it.live:]
	}
	for o, option := range p.Options {
		if !s.left[o] {
			continue
		}
		for _, u := range option {
			s.items[u.Item].users = append(s.items[u.Item].users, int32(o))
		}
	}
	return s.looks.Look()
}

func (s *splitter) push(i int) {
	if it := &s.items[i]; !it.queued && !it.ignored {
		it.queued = true
		s.queue = append(s.queue, i)
	}
}

func (s *splitter) fits(option Option) bool {
	for _, u := range option {
		it := &s.items[u.Item]
		if int64(u.Times) > it.room || it.colour != 0 && it.colour != u.Colour {
			return false
		}
	}
	return true
}

func (s *splitter) simplify() error {
	for len(s.queue) > 0 && !s.Impossible {
		i := s.queue[0]
		s.queue = s.queue[1:]
		it := &s.items[i]
		it.queued = false
		if err := s.looks.Work(1 + len(it.users)/64); err != nil {
			return err
		}
		if len(it.users) > 2*it.live {
			it.users = slices.DeleteFunc(it.users, func(o int32) bool { return !s.left[o] })
		}
		switch spare := it.total - it.need; {
		case it.need > 0 && spare < 0:
			s.step(Unmet, i, 0)
			s.Impossible = true
		case it.need > 0 && spare < it.most:
			if err := s.force(i, spare); err != nil {
				return err
			}
		}
		if it.queued || s.Impossible {
			continue
		}
		if it.need <= 0 && (it.total <= it.room || s.oneColour(i)) {
			s.step(Idle, i, 0)
			it.ignored = true
			continue
		}
		if err := s.compare(i); err != nil {
			return err
		}
	}
	return nil
}

func (s *splitter) step(r Rule, item, by int) { s.Steps = append(s.Steps, Step{r, item, by}) }

func (s *splitter) use(o int32, i int) Use {
	at, _ := s.p.Options[o].find(i)
	return s.p.Options[o][at]
}

func (s *splitter) force(i int, spare int64) error {
	var forced []int32
	it := &s.items[i]
	it.most = 0 // is computed again, since the user with the most uses may have been removed
	for _, o := range it.users {
		if !s.left[o] {
			continue
		}
		times := int64(s.use(o, i).Times)
		if it.most = max(it.most, times); times > spare {
			forced = append(forced, o)
		}
	}
	if err := s.looks.Work(len(it.users)); err != nil || len(forced) == 0 {
		return err
	}
	s.step(Forced, i, 0)
	for _, o := range forced {
		if s.left[o] {
			s.Taken = append(s.Taken, int(o))
			s.remove(o)
			if err := s.take(s.p.Options[o]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *splitter) take(option Option) error {
	for _, u := range option {
		it := &s.items[u.Item]
		if it.colour != 0 {
			continue // an earlier chosen option uses the item with the same colour
		}
		if it.colour = u.Colour; u.Colour == 0 {
			it.need -= int64(u.Times)
			if it.room != math.MaxInt64 {
				it.room -= int64(u.Times)
			}
		}
	}
	for _, u := range option {
		it := &s.items[u.Item]
		if it.room >= it.most && it.colour == 0 {
			continue
		}
		for _, o := range it.users {
			if s.left[o] && !s.fits(s.p.Options[o]) {
				s.remove(o)
			}
		}
		if err := s.looks.Work(len(it.users)); err != nil {
			return err
		}
	}
	return nil
}

func (s *splitter) remove(o int32) {
	s.left[o] = false
	s.changed = true
	for _, u := range s.p.Options[o] {
		it := &s.items[u.Item]
		it.live--
		it.total -= int64(u.Times)
		s.push(u.Item)
	}
}

func (s *splitter) oneColour(i int) bool {
	if !s.items[i].coloured {
		return false
	}
	var first Use
	for _, o := range s.items[i].users {
		if !s.left[o] {
			continue
		}
		u := s.use(o, i)
		if u.Colour == 0 || first.Colour != 0 && u != first {
			return false
		}
		first = u
	}
	return true
}

func (s *splitter) compare(i int) error {
	shared, err := s.shared(i)
	if err != nil {
		return err
	}
	it := &s.items[i]
	for _, x := range shared {
		by := &s.items[x]
		if it.need <= 0 || it.need == 1 && by.need >= 1 && by.live == it.live {
			s.step(Implied, i, x)
			it.ignored, s.changed = true, true
			return nil
		}
	}
	if it.need <= 0 {
		return nil
	}
	for _, x := range shared {
		if s.items[x].live == it.live {
			continue
		}
		s.step(Only, x, i)
		for _, o := range s.items[x].users {
			if _, uses := s.p.Options[o].find(i); s.left[o] && !uses {
				s.remove(o)
			}
		}
		if err := s.looks.Work(len(s.items[x].users)); err != nil {
			return err
		}
	}
	return nil
}

// shared returns the other items of room 1, without colours, that all live users of item i use. If
// each of the first k users uses item x, mark[x] is marks+k. Often shared ends after a few users.
func (s *splitter) shared(i int) (shared []int, err error) {
	k := 0
	for _, o := range s.items[i].users {
		if !s.left[o] {
			continue
		}
		k++
		shared = shared[:0]
		for _, u := range s.p.Options[o] {
			if x := &s.items[u.Item]; u.Item != i && !x.ignored && x.room == 1 && !x.coloured && (k == 1 || s.mark[u.Item] == s.marks+k-1) {
				s.mark[u.Item] = s.marks + k
				shared = append(shared, u.Item)
			}
		}
		if err := s.looks.Work(len(s.p.Options[o])); err != nil || len(shared) == 0 {
			s.marks += k
			return nil, err
		}
	}
	s.marks += k
	return shared, nil
}

func (s *splitter) takeApart(ctx context.Context) error {
	slices.Sort(s.Taken)
	first := make([]int, len(s.items)) // union-find forest that joins items with a common user
	for i := range first {
		first[i] = i
	}
	root := func(i int) int {
		for first[i] != i {
			first[i] = first[first[i]]
			i = first[i]
		}
		return i
	}
	free := 0
	for o, option := range s.p.Options {
		if !s.left[o] {
			continue
		}
		one := -1
		for _, u := range option {
			if s.items[u.Item].ignored {
				continue
			}
			if one < 0 {
				one = root(u.Item)
			}
			other := root(u.Item)
			one, other = min(one, other), max(one, other)
			first[other] = one
		}
		if one < 0 {
			free++
		}
		if err := s.looks.Work(len(option)); err != nil {
			return err
		}
	}
	part, parts := make([]int, len(s.items)), 0 // part of each item
	for i := range s.items {
		switch {
		case s.items[i].ignored:
			part[i] = -1
		case root(i) == i:
			part[i] = parts
			parts++
		default:
			part[i] = part[root(i)]
		}
	}
	if !s.changed && parts+free <= 1 {
		s.Parts = []Part{{Problem: s.p}}
		return nil
	}
	return s.makeParts(ctx, part, parts)
}

// makeParts sets s.Parts. part[i] is the part of item i, or -1 if the item is ignored.
func (s *splitter) makeParts(ctx context.Context, part []int, parts int) error {
	p := s.p
	s.Parts = make([]Part, parts)
	for k := range s.Parts {
		s.Parts[k].Problem = &Problem{Colours: p.Colours}
	}
	number := make([]int, len(p.Items)) // index of each item in its part
	for i, k := range part {
		if k < 0 {
			continue
		}
		of, it := &s.Parts[k], &s.items[i]
		number[i] = len(of.Items)
		of.Items = append(of.Items, i)
		left := Item{Name: p.Items[i].Name, Min: int(max(0, it.need)), Max: Unbounded}
		if it.room != math.MaxInt64 {
			left.Max = int(it.room)
		}
		of.Problem.Items = append(of.Problem.Items, left)
		if i < len(p.Places) { // only the first items have places
			of.Problem.Places = append(of.Problem.Places, p.Places[i])
		}
	}
	for o, option := range p.Options {
		if !s.left[o] {
			continue
		}
		var uses Option
		k := -1
		for _, u := range option {
			if part[u.Item] >= 0 {
				k = part[u.Item]
				u.Item = number[u.Item]
				uses = append(uses, u)
			}
		}
		if err := s.looks.Work(len(option)); err != nil {
			return err
		}
		if k < 0 {
			s.Parts = append(s.Parts, Part{Problem: &Problem{Options: []Option{{}}}, Options: []int{o}})
			continue
		}
		s.Parts[k].Problem.Options = append(s.Parts[k].Problem.Options, uses)
		s.Parts[k].Options = append(s.Parts[k].Options, o)
	}
	for _, order := range p.Orders {
		orders := make([][]int, parts)
		for _, i := range order {
			if k := part[i]; k >= 0 {
				orders[k] = append(orders[k], number[i])
			}
		}
		for k, order := range orders {
			if len(order) > 0 {
				s.Parts[k].Problem.Orders = append(s.Parts[k].Problem.Orders, order)
			}
		}
		if err := s.looks.Work(len(order)); err != nil {
			return err
		}
	}
	return s.restrict(ctx, part, number)
}

func (s *splitter) restrict(ctx context.Context, part, number []int) error {
	kept := make([][]Symmetry, len(s.Parts))
	for _, whole := range s.p.Symmetries {
		for k := range s.Parts {
			of := make(Symmetry, 0, len(s.Parts[k].Items))
			for _, i := range s.Parts[k].Items {
				if to := whole[i]; part[to] == k {
					of = append(of, number[to])
				}
			}
			if len(of) == len(s.Parts[k].Items) && !slices.ContainsFunc(kept[k], func(s Symmetry) bool { return slices.Equal(s, of) }) {
				kept[k] = append(kept[k], of)
			}
		}
		if err := s.looks.Work(len(whole)); err != nil {
			return err
		}
	}
	for k := range s.Parts {
		of := s.Parts[k].Problem
		if len(kept[k]) < 2 {
			continue
		}
		_, err := of.AllImages(ctx, kept[k])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil { // AllImages fails if the part has equal options
			of.Symmetries = kept[k]
		}
	}
	return nil
}

// equalEffort limits the effort of a search for an isomorphism between two parts to about 10 ms.
const equalEffort = 1 << 20

const mostCompared = 16

// ShareEqual gives isomorphic parts the Problem of the first of them, and reorders their Items and
// Options to match it. The effort is limited, so isomorphic parts may keep different Problems. The
// error is the error of ctx.
func (s *Split) ShareEqual(ctx context.Context) error {
	type known struct {
		*Problem
		*Shape
	}
	byKey, byHash, alike := map[string]*Problem{}, map[uint64][]known{}, map[[2]int]int{}
	for _, part := range s.Parts {
		alike[[2]int{len(part.Items), len(part.Options)}]++
	}
	for k := range s.Parts {
		part := &s.Parts[k]
		key := part.Problem.key()
		if same := byKey[key]; same != nil {
			part.Problem = same
			continue
		}
		byKey[key] = part.Problem
		if alike[[2]int{len(part.Items), len(part.Options)}] == 1 {
			continue
		}
		shape, err := part.Problem.Shape(ctx)
		if err != nil {
			return err
		}
		found := false
		alike := byHash[shape.Hash()]
		for _, other := range alike[:min(len(alike), mostCompared)] {
			items, options, err := other.Isomorphism(ctx, shape, equalEffort)
			if err != nil {
				return err
			}
			if found = items != nil; found {
				delete(byKey, key) // so that a later part with this key is reordered, too
				part.Problem, part.Items, part.Options = other.Problem, pick(part.Items, items), pick(part.Options, options)
				break
			}
		}
		if !found {
			byHash[shape.Hash()] = append(byHash[shape.Hash()], known{part.Problem, shape})
		}
	}
	return ctx.Err()
}

func pick(list, places []int) []int {
	picked := make([]int, len(places))
	for k, at := range places {
		picked[k] = list[at]
	}
	return picked
}

func (p *Problem) key() string {
	key := binary.AppendUvarint(nil, uint64(len(p.Items)))
	for _, it := range p.Items {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(it.Min)), uint64(it.Max))
	}
	for _, option := range p.Options {
		key = binary.AppendUvarint(key, uint64(len(option)))
		for _, u := range option {
			key = binary.AppendUvarint(key, uint64(u.Item))
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(u.Times)), uint64(u.Colour))
		}
	}
	return string(key)
}
