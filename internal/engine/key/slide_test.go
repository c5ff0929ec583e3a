package key

import (
	"math/rand/v2"
	"testing"
)

// testSlide compares moves by many bits with as many moves by one.
func testSlide[K Key](t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		k := random[K](r)
		bits := r.IntN(64*len(k)) + 1
		var window K
		for b := range bits {
			window[b>>6] |= 1 << (b & 63)
		}
		n := r.IntN(bits + 1)
		down, up := k, k
		for range n {
			down, up = Shift(down, window), Unshift(up, window, 1)
		}
		if got := Slide(k, window, n); got != down {
			t.Fatalf("%x by %d of %d bits: %x, want %x", k, n, bits, got, down)
		}
		if got := SlideBack(k, window, n); got != up {
			t.Fatalf("%x back by %d of %d bits: %x, want %x", k, n, bits, got, up)
		}
		ones := 0
		for ones < 64*len(k) && Has(k, ones) {
			ones++
		}
		if got := TrailingOnes(k); got != ones {
			t.Fatalf("%x: %d ones, want %d", k, got, ones)
		}
	}
}

func TestSlide(t *testing.T) {
	t.Run("1", testSlide[[1]uint64])
	t.Run("2", testSlide[[2]uint64])
	t.Run("3", testSlide[[3]uint64])
	t.Run("4", testSlide[[4]uint64])
	t.Run("8", testSlide[[MaxWords]uint64])
}
