package band

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

const (
	usualStates = 1 << 22 // number of states for which a task needs about 250 MB
	usualLeast  = 1 << 12
)

const (
	// A task uses 1/sortingShare of its memory to sort, and the rest for two levels of the sweep.
	sortingShare = 4
	// besides is the memory of a level with its buffers, divided by the memory of its states alone.
	besides = 1.5
)

func fit(memory int64, words, limbs int) int64 {
	sorted := float64(8*(words+limbs+1)) * 17 / 16 * sortingShare
	levels := 2 * besides * float64(sweep.StateBytes(1, limbs+1)) * sortingShare / (sortingShare - 1)
	return int64(float64(memory) / max(sorted, levels))
}

func (o Options) cut(a *automaton.Automaton) Cut {
	if o.States == 0 && o.Memory > 0 {
		o.States = max(1, min(usualStates, fit(o.Memory, a.Words, 1)))
	}
	return Cut{
		Band:   cmp.Or(o.Band, usualBand(a)),
		Tasks:  o.Tasks,
		States: cmp.Or(o.States, usualStates),
		Least:  cmp.Or(o.Least, usualLeast),
		Memory: o.Memory,
	}
}

func (r *Run) to(at int) int { return min(at+r.Plan.Cut.Band, r.a.Steps()) }

// tasks returns the number of tasks of the band after l. If Cut.Tasks is 0, the number follows from
// a forecast of the levels: in each level, a task should have at most Cut.States states, and these
// should fit in Cut.Memory.
func (r *Run) tasks(l *Level) int {
	c := r.Plan.Cut
	if c.Tasks > 0 {
		return int(max(1, min(int64(c.Tasks), l.States/c.Least, mostTasks)))
	}
	most := float64(l.States)
	for i, states := range r.a.Behind(l.At, most) {
		if l.At+i < r.to(l.At) && states > most {
			most = min(states, mostGrowth*float64(l.States))
		}
	}
	states := c.States
	if c.Memory > 0 {
		states = max(1, min(states, fit(c.Memory, r.a.Words, l.limbs())))
	}
	return int(max(1, min(math.Ceil(most/float64(states)), mostTasks)))
}

const mostGrowth = 64 // the forecast of a level is at most mostGrowth times the number of states at the beginning of the band

// mostTasks limits the tasks of a band, so that a level's file has at most mostBytes bytes.
const mostTasks = 1 << 18

type span struct{ lo, hi string }

func compareKeys(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// span divides the keys of l into ranges with about the same number of states, and returns one of
// the ranges. The argument named of is the number of ranges.
func (l *Level) span(index, of int) (s span) {
	if index > 0 {
		s.lo = l.quantile(index, of)
	}
	if index+1 < of {
		s.hi = l.quantile(index+1, of)
	}
	return s
}

type step struct {
	key    string
	before int64 // number of states of the level whose keys are below key
}

func (l *Level) quantile(index, of int) string {
	l.sorted.Do(l.sortMarks)
	if len(l.steps) == 0 {
		return ""
	}
	wanted := int64(float64(l.States) * float64(index) / float64(of))
	i, _ := slices.BinarySearchFunc(l.steps, wanted, func(s step, wanted int64) int { return cmp.Compare(s.before, wanted) })
	return l.steps[min(i, len(l.steps)-1)].key
}

func (l *Level) sortMarks() {
	for _, made := range l.Slabs {
		marks := made.Slab.Marks
		for i, m := range marks {
			end := made.Slab.States
			if i+1 < len(marks) {
				end = marks[i+1].Before
			}
			l.steps = append(l.steps, step{m.Key, end - m.Before})
		}
	}
	slices.SortFunc(l.steps, func(a, b step) int { return compareKeys(a.key, b.key) })
	below := int64(0)
	for i := range l.steps {
		l.steps[i].before, below = below, below+l.steps[i].before
	}
	l.steps = slices.CompactFunc(l.steps, func(a, b step) bool { return a.key == b.key })
}

const mostMarks = 1 << 17

func thin(slabs []Made) {
	most := max(2, mostMarks/max(1, len(slabs)))
	for i := range slabs {
		marks := slabs[i].Slab.Marks
		if by := (len(marks) + most - 1) / most; by > 1 {
			some := marks[:0:0]
			for k := 0; k < len(marks); k += by {
				some = append(some, marks[k])
			}
			slabs[i].Slab.Marks = some
		}
	}
}
