package count_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestMatchingsMemory: draws are refused if they need more memory than the limit.
func TestMatchingsMemory(t *testing.T) {
	p := puzzletest.Inline(t, "30x30", "domino=any").Problem
	little := count.Options{Limits: count.Limits{Memory: 1 << 16}}
	for _, method := range []count.DrawMethod{count.Shuffling, count.Trees, count.Coupling, count.Fastest} {
		if _, err := count.Match(t.Context(), p, method, little); !errors.Is(err, cover.ErrMemory) {
			t.Errorf("%s: %v, expected ErrMemory", method, err)
		}
	}
	if f := count.ForecastMatchings(t.Context(), p, count.Coupling, little); f == nil || f.Known || f.Bytes < 1<<16 {
		t.Errorf("%+v, expected an unknown time, and more than 64 KiB", f)
	}
	heavy := make([]*big.Rat, len(p.Options))
	for o := range heavy {
		power := new(big.Int).Lsh(big.NewInt(1), 4000)
		heavy[o] = new(big.Rat).SetFrac(big.NewInt(1), power.Add(power, big.NewInt(int64(2*o+1))))
	}
	weighted := count.Options{Limits: count.Limits{Memory: 2 << 20}, Weights: heavy}
	if _, err := count.Match(t.Context(), p, count.Shuffling, weighted); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("whole weights of 12,000 bits: %v, expected ErrMemory", err)
	}
	weighted.Memory = 16 << 20
	if m, err := count.Match(t.Context(), p, count.Shuffling, weighted); err != nil || m.Bytes() < 2<<20 {
		t.Errorf("whole weights of 12,000 bits: %v, expected draws of more than 2 MiB", err)
	}
	path := make([][2]int32, 10_000)
	for v := range path {
		path[v] = [2]int32{int32(v), int32(v + 1)}
	}
	if _, err := count.SpanningTrees(len(path)+1, path, little.Limits); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("spanning trees: %v, expected ErrMemory", err)
	}
}

// TestNoGrowth: tilings of other boards than Aztec diamonds do not grow.
func TestNoGrowth(t *testing.T) {
	weightless := make([]*big.Rat, 4)
	for o := range weightless {
		weightless[o] = new(big.Rat)
	}
	for board, weights := range map[string][]*big.Rat{"3x3": nil, "4x4": nil, "2x2": weightless} {
		m, err := count.Match(t.Context(), puzzletest.Inline(t, board, "domino=any").Problem, count.Shuffling, count.Options{Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Growth(); !errors.Is(err, count.ErrNoGrowth) {
			t.Errorf("%s: %v, expected %v", board, err, count.ErrNoGrowth)
		}
	}
}
