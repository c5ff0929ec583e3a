package search

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/key"
)

// errand is a part of the walk through a chart: the subtree of a place, reached by one path.
type errand struct {
	at     uint32 // the first way of the place
	ways   uint16 // the number of its ways
	left   uint64 // remaining capacities
	weight uint64
	share  float64 // of the whole tree
	path   []int32 // the options of the path, if solutions are visited
}

// flat is one walker in a chart.
type flat struct {
	chart  *chart
	pool   *pool
	stack  []flatFrame
	effort effort
	visit  func(path []int32, weight uint64) bool
	path   []int32
	ended  bool
}

// flatFrame is a place on the path to the present place.
type flatFrame struct {
	at, end      uint32 // the ways that are not tried yet
	left, weight uint64
}

// errands is the least number of parts of a walk, if the tree has as many: more than walkers, so
// that no walker waits long for the last part.
const errands = 256

// walk walks through a chart.
func (c *chart) walk(pool *pool, visit func([]int32, uint64) bool) {
	f := &flat{chart: c, pool: pool, visit: visit}
	var todo []errand
	if visit == nil && c.merges {
		todo = f.merge()
	} else {
		todo = f.divide()
	}
	f.report()
	var next atomic.Int64
	var walkers sync.WaitGroup
	for range pool.walkers {
		g := &flat{chart: c, pool: pool, visit: visit}
		walkers.Go(func() {
			defer pool.leave()
			for k := next.Add(1) - 1; k < int64(len(todo)) && !g.ended; k = next.Add(1) - 1 {
				g.run(&todo[k])
			}
		})
	}
	walkers.Wait()
}

// whole returns the errand for the whole walk.
func (c *chart) whole() errand {
	return errand{at: c.root, ways: c.roots, left: c.capacities.room, weight: 1, share: 1}
}

// divide returns the errands of a walk. It expands all errands, level by level.
func (f *flat) divide() []errand {
	c := f.chart
	todo := []errand{c.whole()}
	for len(todo) > 0 && len(todo) < errands && !f.ended {
		var more []errand
		for _, e := range todo {
			more = f.expand(e, more)
		}
		todo = more
	}
	return todo
}

// expand appends the errands of the places that e leads to.
func (f *flat) expand(e errand, more []errand) []errand {
	c, begun := f.chart, len(more)
	f.effort.nodes++
	f.effort.tries += int64(e.ways)
	for k := range uint32(e.ways) {
		w := &c.ways[e.at+k]
		if !fits(e.left, w.low, w.high, c.capacities.guard) {
			continue
		}
		next := c.kinds[w.kind]
		path := e.path
		if o := c.options[e.at+k]; o != none && f.visit != nil {
			path = append(slices.Clip(path), o)
		}
		weight := e.weight * next.weight
		if w.ways > 0 {
			more = append(more, errand{w.to, w.ways, e.left - next.use, weight, 0, path})
			continue
		}
		f.path = path
		if f.solution(weight); f.ended {
			return more
		}
	}
	for k := begun; k < len(more); k++ {
		more[k].share = e.share / float64(len(more)-begun)
	}
	if len(more) == begun {
		f.effort.done += e.share
	}
	return more
}

func (f *flat) solution(weight uint64) {
	f.effort.sum.add(weight)
	if f.visit != nil && (f.pool.stopped.Load() || !f.visit(f.path, weight)) {
		f.ended = true
	}
}

// run does an errand.
func (f *flat) run(e *errand) {
	if f.visit != nil {
		f.path = append(f.path[:0], e.path...)
		f.visitAll(e)
	} else {
		f.count(e)
	}
	if !f.ended {
		f.effort.done += e.share
	}
	f.poll()
}

// placesPerPoll is the number of places visited between two polls: a fifth of a millisecond.
const placesPerPoll = 1 << 13

// count counts the solutions of an errand: the hot loop.
func (f *flat) count(e *errand) {
	ways, kinds, guard := f.chart.ways, f.chart.kinds, f.chart.capacities.guard
	stack := f.stack[:0]
	at, end, left, weight := e.at, e.at+uint32(e.ways), e.left, e.weight
	nodes, tries, total := 1, int(e.ways), f.effort.sum
	for {
		if at == end {
			if len(stack) == 0 {
				break
			}
			top := &stack[len(stack)-1]
			at, end, left, weight = top.at, top.end, top.left, top.weight
			stack = stack[:len(stack)-1]
			continue
		}
		w := &ways[at]
		at++
		if !fits(left, w.low, w.high, guard) {
			continue
		}
		k := &kinds[w.kind]
		if w.ways == 0 {
			total.add(weight * k.weight)
			continue
		}
		if at < end {
			stack = append(stack, flatFrame{at, end, left, weight})
		}
		left -= k.use
		weight *= k.weight
		at, end = w.to, w.to+uint32(w.ways)
		tries += int(w.ways)
		if nodes++; nodes == placesPerPoll {
			f.effort.nodes += int64(nodes)
			f.effort.tries += int64(tries)
			f.effort.sum = total
			if nodes, tries, total = 0, 0, (sum{}); !f.poll() {
				return
			}
		}
	}
	f.stack = stack
	f.effort.sum = total
	f.effort.nodes += int64(nodes)
	f.effort.tries += int64(tries)
}

// visitAll visits the solutions of an errand. The path of the errand is in f.path.
func (f *flat) visitAll(e *errand) {
	c := f.chart
	if f.effort.nodes++; f.effort.nodes >= placesPerPoll && !f.poll() {
		return
	}
	f.effort.tries += int64(e.ways)
	long := len(f.path)
	for k := range uint32(e.ways) {
		w := &c.ways[e.at+k]
		if !fits(e.left, w.low, w.high, c.capacities.guard) {
			continue
		}
		next := c.kinds[w.kind]
		if o := c.options[e.at+k]; o != none {
			f.path = append(f.path, o)
		}
		if weight := e.weight * next.weight; w.ways == 0 {
			f.solution(weight)
		} else {
			f.visitAll(&errand{at: w.to, ways: w.ways, left: e.left - next.use, weight: weight})
		}
		if f.ended {
			return
		}
		f.path = f.path[:long]
	}
}

// poll reports the effort to the pool, and returns whether the walk goes on.
func (f *flat) poll() bool {
	f.report()
	f.pool.enforceLimit()
	f.ended = f.ended || f.pool.stopped.Load()
	return !f.ended
}

func (f *flat) report() {
	f.pool.take(f.effort, f.ended)
	f.effort = effort{}
}

// spot is a merged errand: all errands with the same place and remaining capacities. It has no
// pointers, so the garbage collector does not scan spots.
type spot struct {
	left, weight uint64
	share        float64
	at           uint32
	ways         uint16
}

// merger makes errands as divide does, but merges errands with the same place and remaining
// capacities. It goes on as long as merging pays.
type merger struct {
	flat       *flat
	here, next []spot
	index      []int32 // hash table of 1 + an index in next
	met        int     // ways that lead to the spots in next
}

func (f *flat) merge() []errand {
	whole := f.chart.whole()
	m := &merger{flat: f, here: []spot{{whole.left, whole.weight, whole.share, whole.at, whole.ways}}, index: make([]int32, fewErrands)}
	for pays := true; pays && len(m.here) > 0 && !f.ended; {
		m.met, m.next = 0, m.next[:0]
		clear(m.index)
		for i := range m.here {
			m.expand(&m.here[i])
		}
		m.here, m.next = m.next, m.here
		pays = len(m.here) < fewErrands || len(m.here) < mostErrands && float64(m.met) > mergesPay*float64(len(m.here))
		f.report()
		f.ended = f.ended || f.pool.stopped.Load()
	}
	todo := make([]errand, len(m.here))
	for i, s := range m.here {
		todo[i] = errand{at: s.at, ways: s.ways, left: s.left, weight: s.weight, share: s.share}
	}
	return todo
}

// expand adds the spots to which the ways of s lead.
func (m *merger) expand(s *spot) {
	f, c := m.flat, m.flat.chart
	f.effort.nodes++
	f.effort.tries += int64(s.ways)
	share := s.share / float64(s.ways)
	for k := range uint32(s.ways) {
		w := &c.ways[s.at+k]
		if !fits(s.left, w.low, w.high, c.capacities.guard) {
			f.effort.done += share
			continue
		}
		next := &c.kinds[w.kind]
		if w.ways == 0 {
			f.effort.sum.add(s.weight * next.weight)
			f.effort.done += share
			continue
		}
		m.met++
		m.add(spot{s.left - next.use, s.weight * next.weight, share, w.to, w.ways})
	}
}

// add adds a spot to next, or merges it with an equal spot there.
func (m *merger) add(s spot) {
	mask := len(m.index) - 1
	at := int(key.Mix(uint64(s.at), s.left)) & mask
	for ; m.index[at] != 0; at = (at + 1) & mask {
		one := &m.next[m.index[at]-1]
		if one.at == s.at && one.left == s.left && one.weight+s.weight <= mostWeight {
			one.weight += s.weight
			one.share += s.share
			return
		}
	}
	m.next = push(m.next, s)
	m.index[at] = int32(len(m.next))
	if 2*len(m.next) > len(m.index) {
		m.rehash()
	}
}

func (m *merger) rehash() {
	m.index = make([]int32, 4*len(m.index))
	mask := len(m.index) - 1
	for n := range m.next {
		at := int(key.Mix(uint64(m.next[n].at), m.next[n].left)) & mask
		for m.index[at] != 0 {
			at = (at + 1) & mask
		}
		m.index[at] = int32(n) + 1
	}
}
