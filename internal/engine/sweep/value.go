package sweep

import (
	"math/big"
	"slices"
)

// Value selects the data of a state besides its key: nil for none, [Count], [Residues], [Checked],
// or a result of [Weighted].
type Value interface {
	root() []uint64
	// check returns the prime of the residue that follows the limbs of a value, or 0.
	check() uint64
	// add adds the values of sources to the values of images. lost is not 0 if some sum does not fit.
	add(t *sorter, out []uint64, in [][]uint64, limbs, inLimbs int) (lost uint64)
}

// Count is the number of ways to a state.
type Count struct{}

// Residues has moduli, each from 2 to MaxModulus. The value of a state is a list of the residues of
// the number of ways to it. A run with Residues has no Total and cannot be saved.
type Residues []uint64

// Checked is a prime below MaxModulus. The value of a state is its Count, followed by this Count
// modulo the prime: see residues.go. No step is repeated, and the run cannot be saved.
type Checked uint64

// Weighted returns a Value for weighted ways. A way's weight is the product of the weights of its
// variables, and a state's value is the sum of the weights of the ways to it. A nil weight is 1.
// No step is repeated, and no level is shelved or saved.
func Weighted(weights []*big.Int) Value {
	if len(weights) == 0 {
		return Count{}
	}
	return newFactors(weights)
}

func (Count) root() []uint64      { return []uint64{1} }
func (r Residues) root() []uint64 { return slices.Repeat([]uint64{1}, len(r)) }
func (Checked) root() []uint64    { return []uint64{1, 1} }
func (factors) root() []uint64    { return []uint64{1} }

func (Count) check() uint64     { return 0 }
func (Residues) check() uint64  { return 0 }
func (c Checked) check() uint64 { return uint64(c) }
func (factors) check() uint64   { return 0 }

func checkOf(v Value) uint64 {
	if v == nil {
		return 0
	}
	return v.check()
}

func repeatable(v Value) bool {
	switch v.(type) {
	case Count, Residues:
		return true
	}
	return false
}

// Keep selects what a run keeps in addition to the present level.
type Keep int

const (
	KeepNothing Keep = iota
	KeepArcs         // Step returns the arcs
	KeepLevel        // the level before the present one, for EachChild; steps are neither recorded nor repeated
	keepHistory      // all levels. They share slabs with records, so no record may be forgotten
)
