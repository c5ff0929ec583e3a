package bdd

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
)

// boards are the benchmarks' families; the 8x8 one reduces to 512,227 nodes.
var boards = []struct {
	rows, cols int
	shapes     []shape
}{
	{8, 8, []shape{small3[1], small3[2]}},
	{8, 8, small3},
	{9, 8, small3},
}

func (s *layerSpec) arcs() (n int) {
	for _, l := range s.layers {
		n += len(l.Arcs)
	}
	return n
}

// BenchmarkBuild reduces prepared layers: the Spec costs nothing.
func BenchmarkBuild(b *testing.B) {
	for _, c := range boards {
		s := boardSpec(c.rows, c.cols, c.shapes)
		b.Run(fmt.Sprintf("board=%dx%d/shapes=%d", c.rows, c.cols, len(c.shapes)), func(b *testing.B) {
			b.ReportAllocs()
			var d *Diagram
			peak := int64(0)
			for b.Loop() {
				var err error
				if d, err = Build(b.Context(), s, Limits{Progress: func(p Progress) { peak = p.Bytes }}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.arcs()), "arcs")
			b.ReportMetric(float64(d.Size()), "nodes")
			b.ReportMetric(float64(d.Bytes()), "diagram-bytes")
			b.ReportMetric(float64(peak), "peak-bytes")
		})
	}
}

func BenchmarkCounts(b *testing.B) {
	for _, c := range boards {
		d := build(b, boardSpec(c.rows, c.cols, c.shapes))
		b.Run(fmt.Sprintf("board=%dx%d/shapes=%d", c.rows, c.cols, len(c.shapes)), func(b *testing.B) {
			for b.Loop() {
				counts, err := d.Counts(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(counts.Width()), "limbs")
			}
			b.ReportMetric(float64(d.Size()), "nodes")
		})
	}
}

// BenchmarkWeigh is BenchmarkCounts with weights of one limb, small and large.
func BenchmarkWeigh(b *testing.B) {
	c := boards[1]
	d := build(b, boardSpec(c.rows, c.cols, c.shapes))
	for _, weight := range []uint64{2, 1<<64 - 1} {
		weights := equalWeights(d, weight)
		b.Run(fmt.Sprintf("board=%dx%d/weight=%d", c.rows, c.cols, weight), func(b *testing.B) {
			for b.Loop() {
				counts := must[*Counts](b)(d.Weigh(b.Context(), weights, 0))
				b.ReportMetric(float64(counts.Bytes()), "bytes")
			}
		})
	}
}

func BenchmarkMarginals(b *testing.B) {
	c := boards[1]
	d := build(b, boardSpec(c.rows, c.cols, c.shapes))
	for _, weight := range []uint64{1, 2, 1<<64 - 1} {
		weights := equalWeights(d, weight)
		counts := must[*Counts](b)(d.Weigh(b.Context(), weights, 0))
		b.Run(fmt.Sprintf("board=%dx%d/weight=%d", c.rows, c.cols, weight), func(b *testing.B) {
			for b.Loop() {
				must[[]*big.Int](b)(d.Marginals(b.Context(), counts, 0))
			}
		})
	}
}

// BenchmarkBest yields the first sets of 10^22.
func BenchmarkBest(b *testing.B) {
	c := boards[1]
	d := build(b, boardSpec(c.rows, c.cols, c.shapes))
	weights := make([]*big.Int, d.Vars())
	for v := range weights {
		weights[v] = big.NewInt(int64(1 + v*v%7))
	}
	for _, n := range []int{1, 1000, 100_000} {
		b.Run(fmt.Sprintf("board=%dx%d/sets=%d", c.rows, c.cols, n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				collect(b, d.Best(b.Context(), weights, 0), n)
			}
		})
	}
}

func equalWeights(d *Diagram, weight uint64) []*big.Int {
	return slices.Repeat([]*big.Int{new(big.Int).SetUint64(weight)}, d.Vars())
}

// BenchmarkUnion joins the two halves of a large family, and freezes it.
func BenchmarkUnion(b *testing.B) {
	c := boards[1]
	d := build(b, boardSpec(c.rows, c.cols, c.shapes))
	with, without := restrict(b, d, 200, true), restrict(b, d, 200, false)
	b.Run(fmt.Sprintf("nodes=%d+%d", with.Size(), without.Size()), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if u := must[*Diagram](b)(combine(b.Context(), Union, with, without, Limits{})); !u.Equal(d) {
				b.Fatal("union differs")
			}
		}
	})
}
