package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/facts"
	"github.com/pavage/pavage/tiling"
)

func TestEstimatePrint(t *testing.T) {
	for _, f := range facts.Counts() {
		if !f.HasPuzzle() {
			continue
		}
		puzzle, err := tiling.Parse(f.ID, []byte(f.Puzzle))
		if err != nil {
			t.Fatal(err)
		}
		model, err := puzzle.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		t0 := time.Now()
		s, err := Compile(model.Problem)
		if err != nil {
			t.Fatal(err)
		}
		tc := time.Since(t0)
		t0 = time.Now()
		e, err := s.Estimate(context.Background(), rand.New(rand.NewPCG(1, 2)), 20*time.Millisecond)
		fmt.Printf("%-20s compile %v est %v: %+v err %v want %v\n", f.ID, tc, time.Since(t0), e, err, f.Count)
		if e.Seconds < 3 {
			t0 = time.Now()
			r, _ := s.Count(context.Background(), Options{Threads: 1})
			fmt.Printf("     %v: %v %v %v\n", time.Since(t0), r.Count, r.Nodes, r.Tries)
		}
	}
}
