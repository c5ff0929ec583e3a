package count

import (
	"context"
	"errors"
	"math/big"
	"testing"
)

// TestResidues compares residues with counts, also of problems that have no
// solution, or none for sure.
func TestResidues(t *testing.T) {
	ctx := context.Background()
	moduli := []uint64{2, 1_000_003, MaxModulus}
	for _, puzzle := range []string{
		dominoes8,
		"{board: 5x6, pieces: [pentominoes]}",
		"{board: 12x12, pieces: [{name: domino, copies: any}, {name: monomino, copies: 0..3}]}",
		"{board: 3x3, pieces: [{name: domino, copies: any}]}",
		"{board: 3x3, pieces: [{name: domino, copies: 7}]}",
	} {
		p := problem(t, puzzle)
		r, err := Count(ctx, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, effort, err := Residues(ctx, p, moduli, Options{Engine: Search})
		if err != nil || effort.Engine != Sweep || effort.Count != nil {
			t.Fatalf("%s: %+v, %v", puzzle, effort, err)
		}
		for i, m := range moduli {
			want := new(big.Int).Mod(r.Count, new(big.Int).SetUint64(m))
			if want.Uint64() != got[i] {
				t.Errorf("%s: %d modulo %d, want %d", puzzle, got[i], m, want)
			}
		}
	}
	for _, bad := range [][]uint64{nil, {1}, {3, 0}, {MaxModulus + 1}, make([]uint64, 17)} {
		if _, _, err := Residues(ctx, problem(t, dominoes8), bad, Options{}); !errors.Is(err, ErrModulus) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
