package verify

import "github.com/pavage/pavage/cover"

// unmetMagic is the first line of version 2.
const unmetMagic = "pavage certificate 2\n"

// Unmet is why a certificate of version 2 says that there is no solution.
type Unmet struct {
	Item int // an item of the cover
	Min  int // how often it has to be used at least
}

// checkUnmet checks the body of a certificate of version 2: an item cannot be used
// as often as it has to be, since the options that use it are too few, or exclude
// each other by items that they share out.
func (c *certificate) checkUnmet() {
	c.readDigest()
	c.at("item")
	items := c.p.Items
	item, shared := c.within("item", 0, len(items)-1), make([]bool, len(items))
	n := c.within("number of shared items", 0, len(items))
	for range n {
		i := c.within("shared item", 0, len(items)-1)
		c.want(i != item && !shared[i] && items[i].Max == 1 && c.fields[i] == nil, "shared item %d, want others than item %d, each once, with max 1 and without colours", i, item)
		shared[i] = true
		c.poll(1)
	}
	c.Unmet = &Unmet{item, items[item].Min}
	c.want(c.isUnmet(item, shared, int64(n)), "the options can use item %d so often as its min, %d", item, items[item].Min)
	c.readEnd()
}

// isUnmet reports whether no choice of options uses the item as often as its min.
func (c *certificate) isUnmet(item int, shared []bool, n int64) bool {
	type user struct{ times, size int64 }
	var users []user
	total, least := int64(0), int64(c.p.Items[item].Min)
	for _, o := range c.p.Options {
		h, possible := user{}, true
		for _, u := range o {
			possible = possible && (c.p.Items[u.Item].Max == cover.Unbounded || int(u.Times) <= c.p.Items[u.Item].Max)
			if u.Item == item {
				h.times = int64(u.Times)
			} else if shared[u.Item] {
				h.size++
			}
		}
		c.poll(len(o))
		if !possible || h.times == 0 {
			continue
		}
		if total += h.times; h.size == 0 { // it shares nothing: give it an item of its own
			h.size = 1
			n++
		}
		users = append(users, h)
	}
	few := true // each option takes more of the shared items for a use than there are for min uses
	for _, h := range users {
		few = few && h.times*n < least*h.size
	}
	return total < least || few && least > 0
}
