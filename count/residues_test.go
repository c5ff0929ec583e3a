package count

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
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
		r, err := Count(ctx, p, Auto, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, effort, err := Residues(ctx, p, moduli, nil, Options{})
		if err != nil || effort.Engine != Sweep || effort.Count != nil {
			t.Fatalf("%s: %+v, %v", puzzle, effort, err)
		}
		order, err := OtherOrder(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		other, _, err := Residues(ctx, p, moduli, order, Options{})
		if err != nil || !slices.Equal(got, other) {
			t.Errorf("%s: in another order %v, %v, want %v", puzzle, other, err, got)
		}
		for i, m := range moduli {
			want := new(big.Int).Mod(r.Count, new(big.Int).SetUint64(m))
			if want.Uint64() != got[i] {
				t.Errorf("%s: %d modulo %d, want %d", puzzle, got[i], m, want)
			}
		}
	}
	for _, bad := range [][]uint64{nil, {1}, {3, 0}, {MaxModulus + 1}, make([]uint64, 17)} {
		if _, _, err := Residues(ctx, problem(t, dominoes8), bad, nil, Options{}); !errors.Is(err, ErrModulus) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	p := problem(t, dominoes8)
	if _, _, err := Residues(ctx, p, moduli, []int{1, 1}, Options{}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("an order with an item twice: %v", err)
	}
}

// TestOtherOrder: it is not the order of Count.
func TestOtherOrder(t *testing.T) {
	ctx := context.Background()
	for _, puzzle := range []string{dominoes8, "{board: 3x40, pieces: [{name: domino, copies: any}]}", "{board: 3x5, pieces: [{set: pentominoes, copies: 0..1}]}"} {
		p := problem(t, puzzle)
		order, err := OtherOrder(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		a, err := feasible(ctx, p, false)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(order, a.Order) {
			t.Errorf("%s: no other order", puzzle)
		}
	}
}
