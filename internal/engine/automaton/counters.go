package automaton

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
)

type counter struct {
	item      int
	at, width int // position of the lowest bit, and number of bits of the value
	cap       int
	bias      uint64 // value of the field when the item is not used
	kind      counterKind
	least     int // least number of uses at the end
	uses          // bounds on the uses that are still possible
}

type counterKind uint8

const (
	flag counterKind = iota
	bounded
	saturating
)

func (f counter) guardBits() int {
	if f.kind == bounded {
		return 1
	}
	return 0
}

func (f counter) apply(to []move, m move, times int) []move {
	switch f.kind {
	case flag:
		m.test.Put(f.at, 1)
		m.add.Put(f.at, 1)
		return append(to, m)
	case bounded:
		m.add.Put(f.at, uint64(times))
		m.guard.Set(f.at + f.width)
		return append(to, m)
	}
	// A saturating counter has the top bit 1 if the count is cap. The option uses the item once.
	full := m
	full.test.Put(f.at, 1<<(f.width-1))
	full.want.Put(f.at, 1<<(f.width-1))
	m.test.Put(f.at, 1<<(f.width-1))
	m.add.Put(f.at, 1)
	return append(to, m, full)
}

func (c *compiler) countItems() {
	c.counterOf = make([]int, len(c.p.Items))
	uses := c.usesByItem()
	for i, it := range c.p.Items {
		c.counterOf[i] = -1
		if !c.isCounted(i) {
			continue
		}
		most := uses[i].left(0, c.cellsFrom(0))
		if it.Min > most {
			c.Feasible = false
			return
		}
		if it.Min == 0 && (most <= it.Max || it.Max == 0) {
			continue // no choice violates the bounds; if Max is 0, no option uses the item
		}
		if len(c.counters) > key.MaxWords*64 {
			return // layOut will return an error
		}
		f := counter{item: i, least: it.Min, uses: uses[i]}
		f.choose(it, most)
		c.counterOf[i] = len(c.counters)
		c.counters = append(c.counters, f)
	}
}

func (f *counter) choose(it cover.Item, most int) {
	switch {
	case it.Max == 1:
		f.kind, f.cap, f.width = flag, 1, 1
	case most <= it.Max && f.largest == 1 && !f.crowded:
		// The field has one bit more than cap-1 needs. This bit is 1 exactly if the count is cap.
		f.kind, f.cap = saturating, it.Min
		f.width = bitsFor(f.cap-1) + 1
		f.bias = 1<<(f.width-1) - uint64(f.cap)
	default:
		f.kind, f.cap = bounded, min(it.Max, most)
		f.width = bitsFor(f.cap)
		f.bias = key.LowBits(f.width) - uint64(f.cap)
	}
}

// maxSaturating limits the saturating counters of an option. Each of them doubles the moves.
// If an option uses more than maxSaturating items with a Min, none has a saturating counter.
const maxSaturating = 4

func (c *compiler) usesByItem() []uses {
	all := make([]uses, len(c.p.Items))
	for step, options := range c.byStep {
		for _, o := range options {
			size := max(1, c.swept(o))
			crowded := c.lowerBounds(o) > maxSaturating
			for _, u := range c.p.Options[o] {
				if c.isCounted(u.Item) {
					all[u.Item].add(step, int(u.Times), size, crowded)
				}
			}
		}
	}
	return all
}

func (c *compiler) lowerBounds(o int) int {
	n := 0
	for _, u := range c.p.Options[o] {
		if c.at[u.Item] < 0 && c.p.Items[u.Item].Min > 0 {
			n++
		}
	}
	return n
}

func (c *compiler) isCounted(item int) bool { return c.at[item] < 0 && c.colour(item) == nil }

// uses gives upper bounds on the number of times that later steps use an item.
type uses struct {
	steps        []int // steps with options that use the item, rising
	times        []int // times[k] is the number of uses by options up to step steps[k]
	largest      int   // largest number of uses by one option
	crowded      bool  // some option has more than maxSaturating items with a lower bound
	rate, perRun int   // rate/perRun is the largest ratio of uses by an option to its swept items
}

func (u *uses) add(step, times, size int, crowded bool) {
	n := len(u.steps)
	if n == 0 || u.steps[n-1] != step {
		before := 0
		if n > 0 {
			before = u.times[n-1]
		}
		u.steps, u.times = append(u.steps, step), append(u.times, before)
		n++
	}
	u.times[n-1] += times
	u.largest = max(u.largest, times)
	u.crowded = u.crowded || crowded
	if u.perRun == 0 || times*u.perRun > u.rate*size {
		u.rate, u.perRun = times, size
	}
}

// left returns an upper bound on the number of uses that step i and all later steps can add. The
// argument steps is the result of cellsFrom(i).
func (u *uses) left(i, steps int) int {
	n := len(u.steps)
	if n == 0 {
		return 0
	}
	left := u.times[n-1]
	if k, _ := slices.BinarySearch(u.steps, i); k > 0 {
		left -= u.times[k-1]
	}
	return min(left, steps*u.rate/u.perRun)
}

func (c *compiler) swept(o int) int {
	n := 0
	for _, u := range c.p.Options[o] {
		if c.at[u.Item] >= 0 {
			n++
		}
	}
	return n
}

func (c *compiler) makeFloors(ctx context.Context) error {
	for _, f := range c.counters {
		if err := ctx.Err(); err != nil {
			return err
		}
		before := 0
		for i := range c.steps {
			least := f.least - f.left(i+1, c.cellsFrom(i+1))
			if least > before {
				c.steps[i].floors = append(c.steps[i].floors, Floor{
					at: f.at, width: f.width + f.guardBits(), least: uint64(least) + f.bias,
				})
				before = least
			}
		}
	}
	return nil
}

// Bound is an item with a counter in the states.
type Bound struct {
	Item int
	// Values is the number of values of the counter. The number of states may grow by this factor.
	Values int
}

// Bounds returns the items with a counter, in no particular order.
func (a *Automaton) Bounds() []Bound {
	all := make([]Bound, len(a.counters))
	for i, f := range a.counters {
		all[i] = Bound{f.item, f.cap + 1}
	}
	return all
}
