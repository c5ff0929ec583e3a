package search

import (
	"context"
	"fmt"
	"testing"

	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// BenchmarkSearch counts the sets of distinct pieces that people own.
func BenchmarkSearch(b *testing.B) {
	for _, id := range []string{"pent-6x10", "pent-8x8-O4", "bedlam", "tetris-cube", "solid-3x4x5"} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("puzzle=%s/threads=%d", id, threads), func(b *testing.B) { benchmark(b, id, threads) })
		}
	}
}

func benchmark(b *testing.B, id string, threads int) {
	for _, f := range facts.Counts() {
		if f.ID != id {
			continue
		}
		model := puzzletest.Parse(b, f.Puzzle)
		for b.Loop() {
			s, err := Compile(context.Background(), model.Problem)
			if err != nil {
				b.Fatal(err)
			}
			r, err := hunt(context.Background(), s, Options{Threads: threads}, 0, nil)
			if err != nil {
				b.Fatal(err)
			}
			if r.Count.String() != f.Count.String() {
				b.Fatalf("%v, want %v", r.Count, f.Count)
			}
			b.ReportMetric(float64(r.Nodes), "nodes")
			b.ReportMetric(float64(r.Tries), "tries")
		}
	}
}
