package differential

import (
	"math/rand/v2"
	"testing"
)

// fuzzBytes is more than the number of bytes that a case uses.
const fuzzBytes = 1 << 10

// seeds are a few cases to start from.
func seeds(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 9))
		data := make([]byte, 24<<(seed%3))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f.Add(data)
	}
}

func fuzz(f *testing.F, kinds ...Kind) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), fuzzBytes)]
		kind := kinds[0]
		if len(data) > 0 {
			kind, data = kinds[int(data[0])%len(kinds)], data[1:]
		}
		c, err := FromBytes(kind, data)
		for _, d := range (&Harness{Checks: Checks(), Temp: t.TempDir()}).Case(t.Context(), c, err, Tally{}) {
			t.Error(d)
		}
	})
}

// FuzzCover and FuzzPuzzle make cases of bytes, for the fuzzer to change.
func FuzzCover(f *testing.F) { fuzz(f, Abstract, Grid) }

func FuzzPuzzle(f *testing.F) { fuzz(f, Flat, Solid) }
