package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
)

// header is what a certificate says of its states and choices.
type header struct {
	window   int
	ahead    key // the bits of the window
	fields   key // these and those of all counters
	counters []counter
	steps    []int // each 2 · item, or 2 · option + 1

	counterOf []*counter  // by item; nil for none
	stepOf    []int       // by item; -1 for none
	lone      map[int]int // the steps of lone options
}

// readHeader reads window, counters and steps for a problem, each number within
// its range.
func readHeader(b *body, p *cover.Problem) (h header, err error) {
	if h.window, err = b.within(1, keyBits); err != nil {
		return h, fmt.Errorf("window: %w", err)
	}
	h.ahead.set(0, h.window)
	h.fields.set(0, h.window)
	n, err := b.within(0, keyBits-h.window)
	if err != nil {
		return h, fmt.Errorf("number of counters: %w", err)
	}
	for k, end := 0, h.window; k < n; k++ {
		if end, err = h.readCounter(b, p, end); err != nil {
			return h, fmt.Errorf("counter %d: %w", k, err)
		}
	}
	if n, err = b.within(0, len(p.Items)+len(p.Options)); err != nil {
		return h, fmt.Errorf("number of steps: %w", err)
	}
	for i := range n {
		step, err := b.within(0, 2*max(len(p.Items), len(p.Options)))
		if err != nil {
			return h, fmt.Errorf("step %d: %w", i, err)
		}
		h.steps = append(h.steps, step)
	}
	return h, nil
}

// readCounter reads a counter whose place is start or more, and returns the
// end of its field.
func (h *header) readCounter(b *body, p *cover.Problem, start int) (end int, err error) {
	var v [4]int
	for k, what := range []string{"item", "kind", "place", "width"} {
		low := []int{0, 0, start, 1}[k]
		high := []int{len(p.Items) - 1, 1, keyBits - 1, keyBits - v[2]}[k]
		if v[k], err = b.within(low, high); err != nil {
			return 0, fmt.Errorf("%s %w", what, err)
		}
	}
	it := p.Items[v[0]]
	// No item is used more than MaxOptions · MaxTimes = 2^44 times, so that 62
	// bits of a wider field do.
	full := uint64(1)<<min(v[3], 62) - 1
	h.counters = append(h.counters, counter{v[0], v[1] == 1, uint(v[2]), full, uint64(it.Min), uint64(it.Max)})
	h.fields.set(v[2], v[2]+v[3])
	return v[2] + v[3], nil
}

// assign gives items their steps and counters and every possible option its
// step, by conditions 1 and 2. The options of each step are returned, rising.
func (h *header) assign(p *cover.Problem) (options [][]int, err error) {
	h.stepOf, h.lone = slices.Repeat([]int{-1}, len(p.Items)), map[int]int{}
	for i, step := range h.steps {
		claim := h.claimItem
		if step%2 == 1 {
			claim = h.claimOption
		}
		if err := claim(p, i, step/2); err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
	}
	h.counterOf = make([]*counter, len(p.Items))
	for k := range h.counters {
		item := h.counters[k].item
		if h.stepOf[item] >= 0 || h.counterOf[item] != nil {
			return nil, fmt.Errorf("counter %d: item %d has a step or a counter already", k, item)
		}
		h.counterOf[item] = &h.counters[k]
	}
	options = make([][]int, len(h.steps))
	for o, option := range p.Options {
		switch step, err := h.place(p, o); {
		case err != nil:
			return nil, fmt.Errorf("option %d %w", o, err)
		case isPossible(p, option):
			options[step] = append(options[step], o)
		}
	}
	return options, nil
}

func (h *header) claimItem(p *cover.Problem, step, item int) error {
	switch {
	case item >= len(p.Items):
		return fmt.Errorf("item %d, want one of %d", item, len(p.Items))
	case h.stepOf[item] >= 0:
		return fmt.Errorf("item %d has step %d already", item, h.stepOf[item])
	case p.Items[item].Max != 1:
		return fmt.Errorf("item %d has max %d, want 1", item, p.Items[item].Max)
	}
	h.stepOf[item] = step
	return nil
}

func (h *header) claimOption(p *cover.Problem, step, option int) error {
	if option >= len(p.Options) {
		return fmt.Errorf("option %d, want one of %d", option, len(p.Options))
	}
	if before, twice := h.lone[option]; twice {
		return fmt.Errorf("option %d has step %d already", option, before)
	}
	h.lone[option] = step
	return nil
}

// isPossible reports whether the option passes no item's max by itself.
func isPossible(p *cover.Problem, option cover.Option) bool {
	return !slices.ContainsFunc(option, func(u cover.Use) bool { return u.Times > p.Items[u.Item].Max })
}

// place returns the step of an option, 0 for one that is not possible.
func (h *header) place(p *cover.Problem, o int) (step int, err error) {
	step, alone := h.lone[o]
	first, last, size := h.span(p.Options[o])
	switch {
	case !isPossible(p, p.Options[o]):
		if alone {
			err = fmt.Errorf("has step %d, but passes the max of an item by itself", step)
		}
	case alone && size > 0:
		err = fmt.Errorf("has step %d, but uses the item of step %d, too", step, first)
	case alone:
		return step, nil
	case size == 0:
		err = errors.New("uses the item of no step, and has no step of its own")
	case last-first >= h.window:
		err = fmt.Errorf("uses the items of steps %d to %d, too far apart for a window of %d", first, last, h.window)
	}
	return first, err
}

// span is the first and the last step that an option's items have, and how
// many of them.
func (h *header) span(option cover.Option) (first, last, size int) {
	for _, u := range option {
		step := h.stepOf[u.Item]
		switch {
		case step < 0:
			continue
		case size == 0:
			first, last = step, step
		}
		first, last, size = min(first, step), max(last, step), size+1
	}
	return first, last, size
}

// bounds checks conditions 3 and 4, about items whose max no choice looks at.
func (h *header) bounds(p *cover.Problem) error {
	times, crowded := make([]int64, len(p.Items)), make([]bool, len(p.Items))
	for _, option := range p.Options {
		if !isPossible(p, option) {
			continue
		}
		_, _, size := h.span(option)
		for _, u := range option {
			times[u.Item] += int64(u.Times)
			most := (int64(p.Items[u.Item].Max) + 1) * int64(max(1, size))
			crowded[u.Item] = crowded[u.Item] || int64(u.Times)*int64(len(h.steps)) >= most
		}
	}
	for i, it := range p.Items {
		n := h.counterOf[i]
		if n != nil && !n.saturating || h.stepOf[i] >= 0 {
			continue
		}
		if it.Max != cover.Unbounded && times[i] > int64(it.Max) && crowded[i] {
			return fmt.Errorf("item %d can pass its max %d, want a step or an exact counter", i, it.Max)
		}
		if n == nil && it.Min > 0 {
			return fmt.Errorf("item %d has neither step nor counter, but min %d", i, it.Min)
		}
	}
	return nil
}
