package sweep

import (
	"math/big"
	"slices"
)

// Value is the data that a state has beside its key: none if it is nil, or a [Count], [Residues],
// a [Checked] count or a sum made by [Weighted].
type Value interface {
	root() []uint64
	// check is the prime of a residue behind the limbs of a value; 0: there is none.
	check() uint64
	// add adds the values of a block's sources to its states'. lost is not 0 if limbs are too few.
	add(t *sorter, out []uint64, in [][]uint64, limbs, inLimbs int) (lost uint64)
}

// Count is the number of ways to a state.
type Count struct{}

// Residues are the moduli, from 2 to MaxModulus, that the number of ways to a state is reduced
// by: it has a residue for each. Such a run has no Total and cannot be saved.
type Residues []uint64

// Checked is a Count, and behind its limbs the remainder of the count modulo this prime below
// MaxModulus: see residues.go. No step is repeated, and the run cannot be saved.
type Checked uint64

// Weighted returns the sum over the ways to a state of the products of their variables' weights
// (nil for 1). No step is repeated, and levels are not shelved or saved.
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

// Keep sets which data of a step a run keeps beside its levels.
type Keep int

const (
	KeepNothing Keep = iota
	KeepArcs         // Step returns the arcs
	KeepLevel        // the level before the present one, for EachChild. No step is repeated
	keepHistory      // all levels, which share slabs with records: no record may be forgotten
)
