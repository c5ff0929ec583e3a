package sweep

import (
	"github.com/pavage/pavage/internal/engine/jump"
)

// Whether it pays to jump is decided from what states cost both ways: see cost.go. A state of an ordinary level costs a step
// at every level until its present item is free, and its part of a block; a state that waits
// costs once, at its turn, and nothing if nothing fits it there:
//
//	                 million states   seconds   of those that jump   seconds
//	Y5 15x15                   62.2      5.31                  8.3      0.87
//	one-sided 3x30              2.5      0.32                  0.3      0.05
//	pentominoes 6x10            6.6      0.52                  1.0      0.25
//	Kanoodle 5x11               3.1      0.18                  0.6      0.15
//	squares 11x11               5.8      0.20                  1.5      0.16
//	tetrominoes 10x10          42.4      1.08                  9.5      1.83
//	dominoes 20x20             13.6      0.29                  6.6      1.10
//	squares 14x14               4.8      0.20                  1.0      0.36   four words a state
//	squares 16x16              31.7      1.63                  6.7      4.35   eight words
//
// A look at an ordinary level takes a sample of its states; a look at a step that was jumped takes
// what it met. Neither knows more than the level holds, so that a run which goes on from a saved
// level decides as one without a break.
const (
	lookEvery   = 8    // levels: a look costs a two-hundredth of eight steps of dominoes on 20x20
	lookStates  = 4096 // of a level that is worth a look
	lookSample  = 256  // of these
	turnCost    = 25e-9
	sentCost    = 40e-9
	droppedCost = 25e-9
	// A run begins to jump where that costs at most so many hundredths of what going on does,
	// and ends where it costs more than so many. (At the looks, from the first to the last:
	// one-sided 3x30 41 to 10; 8x8 with a hole 54 to 18; squares 11x11 65 to 178, tetrominoes
	// 10x10 106 to 228, dominoes 20x20 271 to 369.)
	begins, ends = 60, 115
	// A level of at most one block for so many states is merged too fast for that, and a jump
	// forgets what its states share. (Blocks for each state where a run would begin to jump: Y5 15x15
	// 0.39, 8x8 with a hole 0.24, pentominoes in any number on 9x10 0.04: 3.4 s and 238 MB in
	// place of 2.8 and 57; 10x10: 22 s and 1.2 GB in place of 16 and 0.18.)
	denseBlocks = 20
)

// stateCost is what a state of an ordinary level costs a step, if it has such a part of a block.
func (r *Sweep[K]) stateCost(level int, blocks float64) float64 {
	var k K
	moves := float64(r.a.Moves(level) - 1)
	return StateCost(len(k), moves) + blocks*BlockCost(len(k), moves)
}

// jumpPays reports whether it pays to jump from the present level.
func (r *Sweep[K]) jumpPays() bool {
	if r.c.jumps != nil {
		return r.c.jumps(r.at)
	}
	if r.at%lookEvery != 0 || r.in.n < lookStates || r.in.away != nil || denseBlocks*r.Blocks() <= r.in.n {
		return false
	}
	stride := r.in.n / lookSample
	sample := make([]K, 0, lookSample+1)
	for i := stride / 2; i < r.in.n; i += stride {
		sample = append(sample, r.in.Key(i))
	}
	o := jump.Look(r.a, r.at, sample)
	ordinary := float64(o.Waits) * r.stateCost(r.at, float64(r.Blocks())/float64(r.in.n))
	fits := o.Fits / 2
	return 100*r.jumpCost(o.Alive, fits, o.Fits-fits) <= begins*ordinary && r.roomToJump(float64(r.in.n))
}

// jumpStillPays reports whether it pays to jump on, after a step that was jumped.
func (r *Sweep[K]) jumpStillPays(done jump.Effort) bool {
	if r.c.jumps != nil {
		return r.c.jumps(r.at)
	}
	if r.at%lookEvery != 0 || done.States < lookStates {
		return true
	}
	// As many ordinary states as wait at a time, with those that are dropped here.
	states, sent := float64(done.States), float64(max(1, done.Sent))
	all := states * (float64(done.Steps) / sent) * (float64(done.Arcs) / sent)
	heads := float64(done.Heads) / states
	blocks := heads*states + (all-states)*heads*heads
	return 100*r.costOf(done) <= ends*all*r.stateCost(r.at-1, blocks/max(1, all)) && r.roomToJump(all)
}

// costOf is what steps that were jumped cost.
func (r *Sweep[K]) costOf(e jump.Effort) float64 { return r.jumpCost(e.States, e.Sent, e.Arcs-e.Sent) }

// jumpCost is what so many turns and arcs cost where a run jumps. Sorting and looking for what fits
// take longer in keys of many words, unlike ordinary levels, whose states are two bytes.
func (r *Sweep[K]) jumpCost(turns, sent, dropped int64) float64 {
	var k K
	return float64(len(k)+1) / 2 * (turnCost*float64(turns) + sentCost*float64(sent) + droppedCost*float64(dropped))
}

// roomToJump reports whether so many states may wait: with memory to spare, for some of them are
// there twice, and all are for a moment when the run goes on without jumping. (Y pentominoes on
// 15x15 in 20 MiB: with an eighth in place of a third it landed, and levels had no room.)
func (r *Sweep[K]) roomToJump(states float64) bool {
	const times = 3
	var k K
	return r.c.Memory <= 0 || states*float64((len(k)+max(1, r.store.words))*wordBytes) <= float64(r.c.Memory/times)
}
