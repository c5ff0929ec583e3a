package frontier

import "github.com/pavage/pavage/cover"

// counter is a field of the key that counts the uses of one item that the
// sweep does not decide. There are three kinds:
//
//	flag       at most once: one bit, tested like a cell
//	bounded    up to cap: biased, so that cap+1 carries into a guard bit
//	saturating at least cap, no upper bound: stays at cap once it is there
type counter struct {
	item       int
	at, width  int // bit position, bits of the value
	cap        int
	bias       uint64 // value of the field when nothing is used
	kind       counterKind
	least      int // uses wanted at the end
	potentials     // what the steps can still use
}

type counterKind uint8

const (
	flag counterKind = iota
	bounded
	saturating
)

// potentials bounds from above how often an item can still be used.
type potentials struct {
	suffix      []int // by step: sum of times of the options from there on
	uses, cells int   // the highest rate of uses of the item to items swept
}

func (f counter) guardBits() int {
	if f.kind == bounded {
		return 1
	}
	return 0
}

// apply is what becomes of a move when its option uses the item.
func (f counter) apply(m move, times int) []move {
	switch f.kind {
	case flag:
		m.test.put(f.at, 1)
		m.add.put(f.at, 1)
		return []move{m}
	case bounded:
		if times > f.cap {
			return nil
		}
		m.add.put(f.at, uint64(times))
		m.guard.set(f.at + f.width)
		return []move{m}
	}
	// Saturating, times is 1: below cap the biased field's top bit is 0.
	full := m
	full.test.put(f.at, 1<<(f.width-1))
	full.want.put(f.at, 1<<(f.width-1))
	m.test.put(f.at, 1<<(f.width-1))
	m.add.put(f.at, 1)
	return []move{m, full}
}

// countItems makes a counter for every item that is not swept and whose
// bounds can bind at all.
func (c *compiler) countItems() {
	c.counterOf = make([]int, len(c.p.Items))
	times := c.timesByItem()
	for i, it := range c.p.Items {
		c.counterOf[i] = -1
		if c.at[i] >= 0 {
			continue
		}
		pot := c.potentials(i)
		most := pot.left(0, len(c.byStep))
		if it.Min > most {
			c.Feasible = false
			continue
		}
		if it.Min == 0 && (most <= it.Max || it.Max == 0) {
			continue // cannot bind (options that pass a max of 0 are gone already)
		}
		f := counter{item: i, least: it.Min, potentials: pot}
		f.choose(it, most, times[i])
		c.counterOf[i] = len(c.counters)
		c.counters = append(c.counters, f)
	}
}

// choose picks the cheapest kind of counter that keeps the bounds.
func (f *counter) choose(it cover.Item, most, times int) {
	switch {
	case it.Max == 1:
		f.kind, f.cap, f.width = flag, 1, 1
	case most <= it.Max && times == 1:
		// One bit above the bits for cap-1: it is set exactly at cap.
		f.kind, f.cap = saturating, it.Min
		f.width = bitsFor(f.cap-1) + 1
		f.bias = 1<<(f.width-1) - uint64(f.cap)
	default:
		f.kind, f.cap = bounded, min(it.Max, most)
		f.width = bitsFor(f.cap)
		f.bias = lowBits(f.width) - uint64(f.cap)
	}
}

// timesByItem is the largest number of times any option uses each item.
func (c *compiler) timesByItem() []int {
	times := make([]int, len(c.p.Items))
	for _, options := range c.byStep {
		for _, o := range options {
			for _, u := range c.p.Options[o] {
				times[u.Item] = max(times[u.Item], u.Times)
			}
		}
	}
	return times
}

func (c *compiler) potentials(item int) potentials {
	pot := potentials{suffix: make([]int, len(c.byStep)+1), cells: 1}
	for i := len(c.byStep) - 1; i >= 0; i-- {
		pot.suffix[i] = pot.suffix[i+1]
		for _, o := range c.byStep[i] {
			if t := timesOf(c.p.Options[o], item); t > 0 {
				pot.suffix[i] += t
				if n := max(1, c.swept(o)); t*pot.cells > pot.uses*n {
					pot.uses, pot.cells = t, n
				}
			}
		}
	}
	return pot
}

// left bounds the uses that the steps from i on can add.
func (pot potentials) left(i, steps int) int {
	return min(pot.suffix[i], (steps-i)*pot.uses/pot.cells)
}

// swept is the number of swept items that option o covers.
func (c *compiler) swept(o int) int {
	n := 0
	for _, u := range c.p.Options[o] {
		if c.at[u.Item] >= 0 {
			n++
		}
	}
	return n
}

func timesOf(o cover.Option, item int) int {
	for _, u := range o {
		if u.Item == item {
			return u.Times
		}
	}
	return 0
}

// makeFloors finds after which steps a counter must have reached how much.
func (c *compiler) makeFloors() {
	for _, f := range c.counters {
		before := 0
		for i := range c.steps {
			least := f.least - f.left(i+1, len(c.steps))
			if least > before {
				c.steps[i].floors = append(c.steps[i].floors, floor{
					at: f.at, width: f.width + f.guardBits(), least: uint64(least) + f.bias,
				})
				before = least
			}
		}
	}
}

func (f floor) ok(word uint64) bool { return word>>(f.at&63)&lowBits(f.width) >= f.least }
