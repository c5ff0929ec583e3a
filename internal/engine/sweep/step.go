package sweep

import (
	"context"
	"errors"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// errNarrow is wrapped when a count does not fit in Want.Limbs.
var errNarrow = errors.New("a count does not fit in its limbs")

// Step has everything that parts are made from. It does not change, so workers may share it.
type Step[K key.Key] struct {
	automaton.Transition[K]
	from    *Level[K] // the level before the step; the field source has its slabs
	source  Source
	odd     []uint64 // bit s is set if the present item is covered in state s
	classes []class[K]
	want    Want
	weights factors // want.Value if it is weighted, else nil

	keep func(K) bool
	lone *automaton.Lone
}

// Want selects the data of a part besides its states.
type Want struct {
	Value Value
	Limbs int // limbs of a value, without a residue; 0 if states have no values
	Arcs  bool
	noted bool // whether parts gather their arcs in Part.along
	tests tests
}

// Bounds is a range [Lo, Hi) of keys of a level. The low [Step.Grain] bits of Lo and Hi are 0.
type Bounds[K key.Key] struct {
	Lo, Hi       K
	HasLo, HasHi bool
}

// NewStep returns the step from this level by the transition t. It fails with the error of ctx.
func NewStep[K key.Key](ctx context.Context, t automaton.Transition[K], from *Level[K], w Want) (*Step[K], error) {
	s := newStep(t, from, w, make([]uint64, oddWords(from.n)), nil)
	return s, s.findOdd(ctx, 1)
}

func newStep[K key.Key](t automaton.Transition[K], from *Level[K], w Want, odd []uint64, classes []class[K]) *Step[K] {
	weights, _ := w.Value.(factors)
	t.Streams = allowed(t.Streams, weights)
	s := &Step[K]{
		Transition: t, from: from, source: from.source(), want: w,
		weights: weights, odd: odd, classes: classify(classes, t.Streams, from.blocks.low),
	}
	s.choose(w.tests)
	return s
}

func oddWords(states int) int { return (states + 63) / 64 }

func (s *Step[K]) findOdd(ctx context.Context, threads int) error {
	return each(threads, len(s.from.lows), func(i int) error {
		s.source.Odd(i, s.odd[i<<slabBits/64:])
		return ctx.Err()
	})
}

// Grain returns the number of low bits in which keys of one block of sums may differ.
func (s *Step[K]) Grain() uint { return s.from.blocks.low - 1 }

// Part sets p to the part of the next level within b. It depends only on the transition, the states
// of the level and b: parts can be made in any order, by any number of workers, on any machine. It
// fails if a count does not fit in Want.Limbs, or if a slab cannot be read.
func (s *Step[K]) Part(w *Worker[K], b Bounds[K], p *Part[K]) error {
	if w.of != s {
		w.Leave()
		w.of = s
		w.begin(s.source, len(s.from.lows), len(s.classes))
	}
	w.gather(s.from.blocks.heads, s.classes, s.Window, b)
	return s.fill(w, p, w.merge())
}

// Leave releases the slabs that the worker reads.
func (w *Worker[K]) Leave() {
	w.end()
	w.of = nil
}

func (s *Step[K]) fill(w *Worker[K], p *Part[K], run []entry[K]) error {
	if w.sorter == nil {
		w.sorter = &sorter{}
	}
	p.clear()
	below := key.Low[K](s.from.blocks.low - 1)
	for i := 0; i < len(run); {
		base, j := key.Without(run[i].key, below), i+1
		for j < len(run) && key.Without(run[j].key, below) == base {
			j++
		}
		if err := s.mark(w, run[i:j]); err != nil {
			return err
		}
		if !s.emit(w, p, base) {
			return errNarrow
		}
		w.settle()
		i = j
	}
	p.close()
	if s.want.noted {
		p.group()
	}
	return nil
}

func (s *Step[K]) mark(w *Worker[K], run []entry[K]) error {
	t := w.sorter
	t.images, t.variables = t.images[:0], t.variables[:0]
	for _, e := range run {
		c := &s.classes[e.variable]
		first, end := s.from.blocks.first[e.source], uint32(s.from.end(int(e.source)))
		slab := int(first >> slabBits)
		if err := w.open(int(e.variable), slab); err != nil {
			return err
		}
		lows := w.lows[slab]
		for first < end {
			last := min(end, first&^63+pickedStates)
			t.move(c.moves, lows, s.odd, first, last, &c.shared, c.parity, s.want.Arcs || s.weights != nil)
			first = last
		}
	}
	for _, m := range t.images {
		t.set(m.low)
	}
	return nil
}
