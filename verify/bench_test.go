package verify

import (
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
)

// BenchmarkCount lists all solutions on one thread, without symmetries:
//
//	go test ./verify -run '^$' -bench Count -benchtime 1x
func BenchmarkCount(b *testing.B) {
	for _, puzzle := range [][]string{
		{"6x6", "domino=any"},
		{"8x8", "domino=any"},
		{"4x4", "monomino=any", "domino=any"},
		{"9x9", "L3=any"},
		{"3x20", "pentominoes"},
		{"3x3x3", "soma"},
	} {
		b.Run(puzzle[0]+"-"+puzzle[1], func(b *testing.B) {
			p := plain(puzzletest.Inline(b, puzzle[0], puzzle[1:]...).Problem)
			for b.Loop() {
				r, err := Count(b.Context(), p, Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Models)/r.Elapsed.Seconds(), "models/s")
			}
		})
	}
}
