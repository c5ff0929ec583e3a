package sweep

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// The kernels, which use nearly all the time of a sweep, each measured separately, on about the
// number of states of a part. Figures are for 2^12 states or arcs.

const kernelStates = 1 << 12

// kernel returns a sorter with the images of random states under three moves.
func kernel() (t *sorter, lows []uint16, odd []uint64, moves []lowMove) {
	r := rand.New(rand.NewPCG(1, 2))
	t = &sorter{}
	odd = make([]uint64, oddWords(kernelStates))
	for range kernelStates {
		lows = append(lows, uint16(r.Uint32()))
	}
	markOdd(odd, lows)
	moves = []lowMove{{test: 0b111, add: 0b111}, {test: 0b1011, add: 0b1011}, {test: 0b110001, add: 0b110001}}
	return t, lows, odd, moves
}

func BenchmarkPick(b *testing.B) {
	t, lows, odd, moves := kernel()
	for b.Loop() {
		for first := uint32(0); first < kernelStates; first += pickedStates {
			pick(t.picked[:], lows, odd, first, first+pickedStates, &moves[0], bare, 0, 0)
		}
	}
}

func BenchmarkMove(b *testing.B) {
	t, lows, odd, moves := kernel()
	shared := lowMove{test: 1}
	for b.Loop() {
		t.images = t.images[:0]
		for first := uint32(0); first < kernelStates; first += pickedStates {
			t.move(moves, lows, odd, first, first+pickedStates, &shared, bare, false)
		}
	}
}

func BenchmarkSet(b *testing.B) {
	t, lows, _, _ := kernel()
	for b.Loop() {
		for _, low := range lows {
			t.set(uint32(low) >> 1)
		}
	}
}

// BenchmarkLimbs adds the counts of 2^12 arcs: addOne, addTwo, addMany.
func BenchmarkLimbs(b *testing.B) {
	for _, limbs := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(limbs), func(b *testing.B) {
			t, lows, _, _ := kernel()
			for i, low := range lows {
				t.images = append(t.images, image{uint32(low) >> 1, uint32(i)})
				t.set(uint32(low) >> 1)
			}
			var p Part[[1]uint64]
			p.readAll(t, t.summary[:], 0)
			in := [][]uint64{make([]uint64, kernelStates*limbs)}
			for b.Loop() {
				p.counts = p.counts[:0]
				p.add(t, in, Want{Value: Count{}, Limbs: limbs}, limbs)
			}
		})
	}
}

// BenchmarkPart makes all of a level as one part: gather, merge, mark and emit.
func BenchmarkPart(b *testing.B) {
	a, err := automaton.Compile(b.Context(), problem(b, "8x8", "tetrominoes=any"))
	if err != nil {
		b.Fatal(err)
	}
	r := New[[1]uint64](a, Config{Value: Count{}, Threads: 1, once: true})
	for r.Level() < a.Steps()/2 {
		advance(b, r)
	}
	t := automaton.NewTransition[[1]uint64](a, r.Level())
	s, err := NewStep(context.Background(), t, r.Present(), Want{Value: Count{}, Limbs: 1})
	if err != nil {
		b.Fatal(err)
	}
	w, p := &Worker[[1]uint64]{}, &Part[[1]uint64]{}
	for b.Loop() {
		if err := s.Part(w, Bounds[[1]uint64]{}, p); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(p.lows)), "states")
}
