package verify

import (
	"fmt"
	"math/bits"

	"github.com/pavage/pavage/cover"
)

// keyBits is how many bits a key has at most.
const keyBits = 255

// key is a state, bit 0 the lowest of word 0.
type key [4]uint64

// set sets the bits from a place up to another.
func (k *key) set(from, to int) {
	for ; from < to; from++ {
		k[from/64] |= 1 << (from % 64)
	}
}

// plus is the sum of keys that has no more than 256 bits.
func (k key) plus(other key) key {
	var carry uint64
	for w := range k {
		k[w], carry = bits.Add64(k[w], other[w], carry)
	}
	return k
}

// counter is an item that no step decides, and its field in a key.
type counter struct {
	item       int
	saturating bool
	place      uint
	full       uint64 // most that the field holds
	min, max   uint64
}

func (n *counter) read(k *key) uint64 {
	w, low := n.place/64, n.place%64
	v := k[w] >> low
	if w < 3 {
		v |= k[w+1] << (64 - low)
	}
	return v & n.full
}

func (n *counter) write(k *key, v uint64) {
	w, low := n.place/64, n.place%64
	k[w] = k[w]&^(n.full<<low) | v<<low
	if w < 3 {
		k[w+1] = k[w+1]&^(n.full>>(64-low)) | v>>(64-low)
	}
}

// choice is what a state may do at a step: an option, or nothing.
type choice struct {
	option int // -1 for nothing
	window key // the bits of its items
	counts []times
	free   bool  // nothing can be chosen though the step's item is not used
	before int64 // the child that it had last
}

// times says how often an option uses a counter's item.
type times struct {
	counter *counter
	n       uint64
}

func (h *choice) String() string {
	if h.option < 0 {
		return "nothing"
	}
	return fmt.Sprintf("option %d", h.option)
}

// choices are those of step i, in order.
func (c *certificate) choices(i int) []choice {
	choices := make([]choice, 0, len(c.options[i])+1)
	for _, o := range c.options[i] {
		h := choice{option: o}
		for _, u := range c.p.Options[o] {
			if step := c.stepOf[u.Item]; step >= 0 {
				h.window.set(step-i, step-i+1)
			} else if n := c.counterOf[u.Item]; n != nil {
				h.counts = append(h.counts, times{n, uint64(u.Times)})
			}
		}
		choices = append(choices, h)
	}
	lone := c.steps[i]%2 == 1
	return append(choices, choice{option: -1, free: lone || c.p.Items[c.steps[i]/2].Min == 0})
}

// fits reports whether the choice is one of the state's.
func (h *choice) fits(k *key) bool {
	if h.option < 0 {
		return h.free || k[0]&1 == 1
	}
	for w := range k {
		if k[w]&h.window[w] != 0 {
			return false
		}
	}
	for _, u := range h.counts {
		if n := u.counter; !n.saturating && n.max != cover.Unbounded && n.read(k)+u.n > n.max {
			return false
		}
	}
	return true
}

// child is the state that a choice which fits leads to.
func (h *choice) child(k key, ahead *key) (child key, err error) {
	for w := range k {
		k[w] |= h.window[w]
	}
	for _, u := range h.counts {
		n := u.counter
		v := n.read(&k) + u.n
		if n.saturating {
			v = min(v, n.min)
		}
		if v > n.full {
			return k, fmt.Errorf("uses item %d for the %dth time, which its counter cannot hold", n.item, v)
		}
		n.write(&k, v)
	}
	for w := range k {
		child[w] = k[w]&ahead[w]>>1 | k[w]&^ahead[w]
		if w < 3 {
			child[w] |= k[w+1] & ahead[w+1] << 63
		}
	}
	return child, nil
}
