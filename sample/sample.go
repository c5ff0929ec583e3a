// Package sample draws solutions of an exact cover, all with equal probability, or in
// proportion to weights.
//
// [From] returns the [Source] of a problem. Its Draws, with a [Seeded] or a [Fresh] source of
// random numbers, are solutions with their ranks.
//
// # Purpose
//
// A source draws by the method that suits its problem:
//
//	                ┌── a count.Set with ranks: the decision diagram of all solutions,
//	                │   or the levels of a sweep; with weights or without
//	problem ─ From ─┼── the diagrams of the solutions fixed by symmetries: one of each class
//	                └── count.Matchings: planar dimers, by shuffling, spanning trees or
//	                    coupling from the past; shuffling also with weights
//
// A set with ranks numbers its solutions. A draw is a uniform number, the rank, and the solution
// with this rank. A diagram with the number of sets below each node orders the sets of its family:
//
//	    (a) 3              The family {ab, a, b}, nodes with their
//	  lo╱   ╲hi            counts. At each node the sets without its
//	(b) 1   (b) 2          variable come first:
//	  hi╲ lo╱ ╲hi
//	    ⊤   ⊤   ⊤          rank 0: b    rank 1: a    rank 2: ab
//
// unrank(2): at (a), 1 set lies under lo, so go to hi with rank 2-1 = 1. At the right (b), 1 set
// lies under lo, so go to hi with rank 1-1 = 0. This is ⊤, and the set is a, b.
//
// A draw from a sweep goes back through its levels, from the last to the first: from a state to a
// predecessor with the probability c(predecessor)/c(state), where c is the number of pasts. A draw
// yields each solution with the probability
//
//	c(last)   c(before)         1        1
//	─────── · ───────── · … · ────── = ─────
//	 count     c(last)        c(2nd)   count
//
// One rank serves for all steps. The remainder of the rank at a state is
// uniform below the state's number of pasts, and selects the next predecessor. The ranks of
// levels are in another order than the ranks of a diagram.
//
// Three tilings of a puzzle, with the seed 5:
//
//	model, err := puzzle.Model(ctx) // package tiling: option i is placement i
//	source, err := sample.From(ctx, model.Problem, sample.Request{}, count.Options{})
//	for draw, err := range source.Draws(ctx, sample.Seeded(5), 3) {
//		// draw.Options are the placements of one tiling
//	}
//
// # Fairness
//
// A uniform integer below n is drawn by rejection: random numbers, with as many bits as n-1, are
// drawn until one is below n (less than two tries on average). Neither modulo, which
// favours small values, nor floating point, which misses values, is used. The same seed gives the
// same draws on every machine.
//
// # Without replacement
//
// Draws may be unique: then no solution is repeated, and all sequences of n different solutions
// are equally likely. For this purpose ranks are shuffled; only the ranks that were moved are
// stored. A draw of a class, or by weight, is repeated until it is new. So each draw is fair
// among the remaining solutions.
//
// # Non-goals
//
// There is no geometry: a draw is a list of options. Package count builds diagrams and levels.
//
// # Cost
//
// Ranking, unranking and drawing from a diagram need time proportional to the number of limbs of a
// count, times the length of a path from root to ⊤, which is at most the number of variables. Ranks
// come from one goroutine, and several goroutines make bundles of draws, see [Map]. A million lines
// of JSON of 8x8 dominoes take 2.0 s with one thread and 1.2 s with two, on a busy machine of two
// cores. A draw by weight also costs a division for each of its options. Thousands of draws from a
// sweep share one pass through all levels. Each draw without replacement costs a lookup in a map
// and 40 bytes, or 120 bytes if ranks have several limbs.
//
// # References
//
// Knuth, TAOCP 4A, 7.1.4, exercise 25 (random solutions from a diagram); Knuth, TAOCP 2, 3.4.1
// (rejection).
package sample

import (
	crand "crypto/rand"
	"errors"
	"math/big"
	"math/rand/v2"
)

var (
	// ErrEmpty is the error of Source.Check if there is no solution to draw.
	ErrEmpty = errors.New("there is no solution to draw")
	// ErrTooMany is wrapped if more draws are requested than solutions (or symmetry classes) exist.
	ErrTooMany = errors.New("more draws than solutions")
)

// Draw is a solution that was drawn.
type Draw struct {
	// Rank is the place of the solution in Source.Set; nil for draws by weight or from matchings.
	Rank    *big.Int
	Options []int // not shared with other draws
}

// Seeded returns a source whose output depends only on the seed, on every machine (PCG-DXSM).
func Seeded(seed uint64) rand.Source { return rand.NewPCG(seed, 0x9E3779B97F4A7C15) }

// Fresh returns a source seeded by the operating system (ChaCha8).
func Fresh() rand.Source {
	var seed [32]byte
	_, _ = crand.Read(seed[:]) // Read never fails: it ends the program instead
	return rand.NewChaCha8(seed)
}
