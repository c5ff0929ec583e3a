// Package sample draws solutions of an exact cover, each exactly as likely as any
// other, or in proportion to weights.
//
// [From] makes a [Source] of a problem. Its Draws, with a [Seeded] or a [Fresh] source of random
// numbers, are solutions with their ranks.
//
// # Purpose
//
// A source draws in the way that suits its problem:
//
//	                ┌── a count.Set with ranks: the decision diagram of all solutions,
//	                │   or the levels of a sweep; with weights or without
//	problem ─ From ─┼── the diagrams of what symmetries fix: one solution of each class
//	                └── a count.Coupling: planar dimers, by coupling from the past
//
// All but the last draw in the same way: they number what there is to draw, draw a uniform
// number, its rank, and find what has that rank. A diagram with the number of sets
// below every node orders its family:
//
//	  (a)  3               The family {ab, a, b}, nodes with their
//	lo╱ ╲hi                counts. At each node the sets without its
//	(b)1 (b)2              variable come first:
//	  ╲   ╱ ╲
//	   ⊤        rank 0: b    rank 1: a    rank 2: ab
//
// unrank(2): at (a), 1 set lies under lo, so 2-1 = 1 under hi; at the right
// (b), 1 set lies under lo, so 1-1 = 0 under hi; ⊤. Taken: a, b.
//
// Levels are gone back through: from a state to a predecessor with the probability (its
// pasts)/(the state's), all the way. That meets each solution with the probability
//
//	c(last)   c(before)         1        1
//	─────── · ───────── · … · ────── = ─────
//	 count     c(last)        c(2nd)   count
//
// Instead of one small draw for each step a rank is drawn once. What is left of the rank at a state
// is uniform below the state's number of pasts, and tells which predecessor is next. The
// ranks of levels are in another order than those of a diagram.
//
// Three tilings of a puzzle, of any seed:
//
//	model, err := puzzle.Model(ctx) // package tiling: option i is placement i
//	source, err := sample.From(ctx, model.Problem, sample.Request{}, count.Options{})
//	for draw, err := range source.Draws(ctx, sample.Seeded(5), 3) {
//		// draw.Options are the placements of one tiling
//	}
//
// # Fairness
//
// A uniform integer below n is drawn by rejection: as many random bits as n-1
// has, again until the value is below n (less than two tries on average).
// Neither modulo, which favours small values, nor float, which misses values,
// comes near it. The same seed gives the same draws on every machine.
//
// # Without replacement
//
// Draws may be unique: then no solution comes twice, and all sequences of so many
// different ones are equally likely. For that, ranks are shuffled; only the ranks that were
// moved are kept. A draw of a class, or by weight, is repeated until it is new. So each is a
// draw from what is left.
//
// # Non-goals
//
// No geometry: a draw is a list of options. No building of diagrams and levels,
// which is for package count.
//
// # Cost
//
// To rank, unrank or draw from a diagram takes time linear in the length of a path
// from root to ⊤, which is at most the number of variables, times the limbs of a
// count. (A tiling of 8x8 dominoes takes 0.8 µs, and as much again as a line of JSON: a
// million a second are drawn, and a third of that are written by one core.) By weight a
// draw also divides for each of its members. A walk goes once through all levels for thousands of
// draws. Draws without replacement take a lookup in a map, and 40 bytes each, or 120 if ranks
// have several limbs.
//
// # References
//
// Knuth, TAOCP 4A, 7.1.4, exercise 25 (random solutions from a diagram);
// Knuth, TAOCP 2, 3.4.1 (rejection).
package sample

import (
	crand "crypto/rand"
	"errors"
	"math/big"
	"math/rand/v2"
)

var (
	// ErrEmpty says that there is nothing to draw from.
	ErrEmpty = errors.New("there is no solution to draw")
	// ErrTooMany is wrapped when more draws without replacement are wanted than there is to
	// draw.
	ErrTooMany = errors.New("there are not so many")
)

// Draw is one fair draw.
type Draw struct {
	// Rank is a place in the order of the source's Set; nil of draws by weight or by coupling.
	Rank    *big.Int
	Options []int // of the problem; a slice of its own
}

// Seeded is a source whose output a seed fixes on every machine (PCG-DXSM).
func Seeded(seed uint64) rand.Source { return rand.NewPCG(seed, 0x9E3779B97F4A7C15) }

// Fresh is a source seeded by the operating system (ChaCha8).
func Fresh() rand.Source {
	var seed [32]byte
	_, _ = crand.Read(seed[:]) // never fails: it ends the program rather
	return rand.NewChaCha8(seed)
}
