package verify

import (
	"bytes"
	"math/bits"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// byRows returns the plan that decides the cells in reading order: items with max 1 by rising
// index, the narrowest window, and counters for items with other bounds.
func byRows(p *cover.Problem) *plan {
	l := &plan{window: 1}
	for i, it := range p.Items {
		if it.Max == 1 {
			l.steps = append(l.steps, uint64(2*i))
		}
	}
	for _, option := range p.Options {
		steps := l.stepsOf(option)
		l.window = max(l.window, steps[len(steps)-1]-steps[0]+1)
	}
	end := l.window
	for i, it := range p.Items {
		if it.Max != 1 && it.Max != cover.Unbounded {
			width := bits.Len(uint(it.Max))
			l.counters = append(l.counters, paperCounter{uint64(i), 0, uint64(end), uint64(width)})
			end += width
		}
	}
	return l
}

// BenchmarkCertificate checks certificates of the tests' own writer:
//
//	go test ./verify -run '^$' -bench Certificate
func BenchmarkCertificate(b *testing.B) {
	for _, puzzle := range [][]string{
		{"8x8", "domino=any"},
		{"12x12", "domino=any"},
		{"8x8", "monomino=any", "domino=any"},
		{"6x6", "L3=any", "O4=any", "domino=0..5"},
	} {
		b.Run(puzzle[0]+"-"+puzzle[1], func(b *testing.B) {
			p := puzzletest.Inline(b, puzzle[0], puzzle[1:]...).Problem
			file := byRows(p).write(p).file(b)
			b.ResetTimer()
			b.ReportAllocs()
			states, arcs := int64(0), int64(0)
			for b.Loop() {
				r, err := CheckCertificate(b.Context(), p, bytes.NewReader(file), CertificateOptions{})
				if err != nil {
					b.Fatal(err)
				}
				states, arcs = states+r.States, arcs+r.Arcs
			}
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(arcs)/b.Elapsed().Seconds(), "arcs/s")
			b.ReportMetric(float64(len(file)), "bytes")
		})
	}
}
