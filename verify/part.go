package verify

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// part is the set of solutions that have all taken options, and no other options than open ones.
// The fields need and room are the remaining bounds of the items.
//
//	dominoes on 2x3      taken        open
//	the whole            –            ab bc de ef ad be cf
//	a is covered by ab   ab           de ef cf            (c, d, e, f need an option)
//	             or ad   ad           bc ef be cf
type part struct {
	problem *cover.Problem
	taken   []int
	open    []int   // options that may still be taken, ascending
	need    []int   // need[i] is the number of uses of item i still required; may be negative
	room    []int   // room[i] is the number of uses of item i still allowed, or cover.Unbounded
	colour  []int32 // colour[i] is the chosen colour of item i, or 0; nil without colours
	held    int64   // bytes of the lists of this part and of the parts it was cut from
	share   float64 // estimated share of the work for all parts; a cut divides it equally
	dead    bool    // whether the part is known to have no solutions
}

func wholePart(p *cover.Problem) *part {
	w := &part{problem: p, share: 1, open: make([]int, len(p.Options))}
	for _, it := range p.Items {
		w.need, w.room = append(w.need, it.Min), append(w.room, it.Max)
	}
	if len(p.Colours) > 0 {
		w.colour = make([]int32, len(p.Items))
	}
	for o := range w.open {
		w.open[o] = o
	}
	w.held = w.bytes()
	return w
}

func (w *part) bytes() int64 {
	return 8*int64(cap(w.taken)+cap(w.open)+len(w.need)+len(w.room)) + 4*int64(len(w.colour))
}

func (w *part) only(keep func(option int) bool) *part {
	next := *w
	next.open = slices.DeleteFunc(slices.Clone(w.open), func(o int) bool { return !keep(o) })
	next.held = w.held + next.bytes()
	return &next
}

const noItem = -1

// with returns the part of w whose solutions have option o, but no option before o that uses the
// item. The caller sets the share of the part.
func (w *part) with(o, item int) *part {
	next := &part{
		problem: w.problem, taken: append(slices.Clone(w.taken), o),
		need: slices.Clone(w.need), room: slices.Clone(w.room), colour: slices.Clone(w.colour),
	}
	for _, u := range w.problem.Options[o] {
		if w.agrees(u) {
			continue
		}
		if u.Colour != 0 {
			next.colour[u.Item] = u.Colour
		}
		next.need[u.Item] -= int(u.Times)
		if next.room[u.Item] != cover.Unbounded {
			next.room[u.Item] -= int(u.Times)
		}
	}
	for _, other := range w.open {
		if other != o && next.fits(other) && (other > o || !w.usesItem(other, item)) {
			next.open = append(next.open, other)
		}
	}
	next.held = w.held + next.bytes()
	return next
}

func (w *part) fits(o int) bool {
	return !slices.ContainsFunc(w.problem.Options[o], func(u cover.Use) bool { return !w.agrees(u) && int(u.Times) > w.room[u.Item] })
}

// agrees reports whether the item of u already has the colour of u, so that u is not counted.
func (w *part) agrees(u cover.Use) bool { return u.Colour != 0 && w.colour[u.Item] == u.Colour }

func (w *part) rows() []row {
	rows := make([]row, len(w.need))
	for i, n := range w.uses() {
		rows[i] = row{make([]use, 0, n), max(0, w.need[i]), w.room[i]}
	}
	for k, o := range w.open {
		for _, u := range w.problem.Options[o] {
			if r := &rows[u.Item]; !w.agrees(u) {
				r.uses = append(r.uses, use{int32(k + 1), u.Times, u.Colour})
			}
		}
	}
	return rows
}

// load returns a solver for the part, or an error of encode. It passes memory to encode.
func (w *part) load(ctx context.Context, memory int64) (*solver, error) {
	c, err := w.encode(ctx, memory, giniOption, giniLiteral)
	if err != nil {
		return nil, err
	}
	return newSolver(ctx, c)
}

// encode returns the formula. The formula and its solver may need at most memory bytes; 0 means no
// limit. The arguments option and lit are the bytes of the solver for an option and for a literal.
// The error wraps ErrTooLarge or cover.ErrMemory, or is an error of ctx.
func (w *part) encode(ctx context.Context, memory, option, lit int64) (*CNF, error) {
	looks := interrupt.Context(ctx)
	held := option * int64(len(w.open)) // bytes except for literals
	for _, o := range w.open {
		uses := len(w.problem.Options[o])
		if err := looks.Work(uses); err != nil {
			return nil, err
		}
		held += useBytes * int64(uses)
	}
	most := int64(maxLiterals)
	if memory > 0 {
		most = min(most, (memory-held)/(literalBytes+lit))
	}
	if most < 0 {
		return nil, tooLittle(memory)
	}
	c, rows := &CNF{Options: w.open, most: most}, w.rows()
	for _, write := range []bool{false, true} { // the first pass only measures
		if write {
			c.Lits = make([]int32, 0, c.measured)
		}
		c.Vars, c.measured, c.dry = len(w.open), 0, !write
		for _, r := range rows {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if c.encode(r); c.isFull() && most < maxLiterals {
				return nil, tooLittle(memory)
			}
			if c.isFull() {
				return nil, errTooLarge
			}
		}
	}
	return c, nil
}

const useBytes, literalBytes = 12, 4

func tooLittle(memory int64) error {
	return fmt.Errorf("%w: the formula needs more than %d bytes", cover.ErrMemory, memory)
}

func (w *part) uses() []int {
	n := make([]int, len(w.need))
	for _, o := range w.open {
		for _, u := range w.problem.Options[o] {
			n[u.Item]++
		}
	}
	return n
}

// narrowest returns the item with the fewest open options, and the number of these options. If some
// items need more uses, it chooses only among these items.
func (w *part) narrowest() (item, options int) {
	item = -1
	needed := false
	for i, n := range w.uses() {
		needs := w.need[i] > 0
		if !needs && (needed || n == 0) {
			continue
		}
		if item < 0 || n < options || needs && !needed {
			item, options = i, n
		}
		needed = needed || needs
	}
	return item, options
}

type cutter struct {
	most   int              // a part with at most this number of open options is not cut again
	memory int64            // bytes for the lists of all parts held at the same time; 0 means no limit
	looks  interrupt.Watch  // checks the context that ends the work
	leaf   func(*part) bool // called with each part; returns false to end the work
}

// cut calls leaf with parts of w. Each solution of w is in exactly one of the parts. A part has at
// most c.most open options, unless it is dead, was made by depth cuts, or memory is scarce. A cut
// makes a part for each open option of an item: the part has the solutions with this option and
// without the item's options before it. If the item need not be used, one more part has no options
// of the item. No open option of w may break a bound. cut returns false after leaf returns false,
// or after the end of the context.
func (c *cutter) cut(w *part, depth int) bool {
	if c.looks.Work(len(w.open)) != nil {
		return false
	}
	item, options := w.narrowest()
	w.dead = item >= 0 && options == 0
	if len(w.open) <= c.most || depth == 0 || w.dead || c.isFull(w) {
		return c.leaf(w)
	}
	needs := w.need[item] > 0
	branches := float64(options)
	if !needs {
		branches++
	}
	for _, o := range w.open {
		if !w.usesItem(o, item) {
			continue
		}
		next := w.with(o, item)
		next.share = w.share / branches
		if !c.cut(next, depth-1) {
			return false
		}
	}
	if needs {
		return true
	}
	rest := w.only(func(o int) bool { return !w.usesItem(o, item) })
	rest.share = w.share / branches
	return c.cut(rest, depth-1)
}

// isFull reports whether one more part with lists of the size of w's lists would exceed the memory.
func (c *cutter) isFull(w *part) bool { return c.memory > 0 && w.held+w.bytes() > c.memory }

func (w *part) usesItem(o, item int) bool {
	return slices.ContainsFunc(w.problem.Options[o], func(u cover.Use) bool { return u.Item == item })
}

// A part is not cut again if it has at most mostOpen open options, and at most two thirds of the
// options of the problem. For larger parts, gini needs larger tables and learns more clauses. For
// smaller parts, solvers are loaded more often and learn less. The tables show the seconds that
// one thread needs to list all models of a sample of parts, for the pentominoes and a square on 8x8
// (with the cross in one of 6 places), and for dominoes:
//
//	open options     300   500   650   800  1000  1200
//	pentominoes      196   117    99   102    79   194
//
//	open options      45    60    75    90   112
//	dominoes          23    25    21    24    23
const mostOpen = 800

// With these limits, lists of open options need 0.5 GB at most. Dominoes on 8x8 need a dozen cuts.
const (
	maxCuts    = 64
	maxOptions = 1 << 20
)

func (e *enumeration) cubes(ctx context.Context) {
	if n := len(e.problem.Options); n > maxOptions {
		e.fail(fmt.Errorf("%w: %d options are too many to split the search, expected at most %d", ErrTooLarge, n, maxOptions))
		return
	}
	parts, threads := make(chan *part), max(1, e.options.Threads)
	lists, each := int64(0), int64(0) // limits in bytes; 0 means no limit
	if memory := e.options.Memory; memory > 0 {
		lists = max(1, memory/4)                     // for the lists of the cuts
		each = max(1, (memory-lists)/int64(threads)) // for the formula and solver of a thread
	}
	var workers sync.WaitGroup
	for range threads {
		workers.Go(func() { e.walkAll(ctx, parts, each) })
	}
	dead := 0.0
	c := cutter{most: min(mostOpen, len(e.whole.open)*2/3), memory: lists, looks: interrupt.Context(ctx)}
	c.leaf = func(w *part) bool {
		if w.dead {
			dead += w.share
		} else {
			w.share, dead = w.share+dead, 0
			parts <- w
		}
		return !e.stopped.Load()
	}
	if !c.cut(e.whole, maxCuts) {
		e.stopped.Store(true)
	}
	close(parts)
	workers.Wait()
}

// walkAll walks the parts that it receives. After a stop it still receives parts, since the sender
// may be blocked. The formula and solver of a part use at most memory bytes; 0 means no limit.
func (e *enumeration) walkAll(ctx context.Context, parts <-chan *part, memory int64) {
	k := &walk{tally: e.newTally()}
	for w := range parts {
		if e.stopped.Load() {
			continue
		}
		k.solver = nil // frees its memory for the next solver
		if s, err := w.load(ctx, memory); err != nil {
			e.fail(err)
		} else {
			k.run(w, s)
		}
		if !e.stopped.Load() {
			k.share += w.share
		}
		k.flush()
	}
}
