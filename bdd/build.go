package bdd

import (
	"context"
	"fmt"
	"math"
)

// Build makes the diagram of a specification. It expands the layers from the root down and reduces
// them from the last layer up. A state becomes a chain of nodes, in which each lo is the next node.
// The chain has one node for each arc with a variable and a child other than ⊥. The last lo is the
// child of the arc with NoVar, or ⊥ if there is no such arc.
//
// The error wraps [ErrSpec] or [ErrLimit], or is an error of ctx or of the Spec.
func Build(ctx context.Context, s Spec, l Limits) (*Diagram, error) {
	a, err := newAssembler(s.Vars(), l)
	if err != nil {
		return nil, err
	}
	if s.Layers() < 0 {
		return nil, fmt.Errorf("%w: %d layers, expected 0 or more", ErrSpec, s.Layers())
	}
	b := &builder{assembler: a, steps: 2 * s.Layers()}
	accepted, err := b.expand(ctx, s)
	if err != nil {
		return nil, err
	}
	root, err := b.reduce(ctx, accepted)
	if err != nil {
		return nil, err
	}
	return b.finish(root)
}

type builder struct {
	*assembler
	layers       []Layer
	first        []uint32 // layer i has the variables first[i] to first[i+1]-1
	states, arcs int64
	step, steps  int
}

// expand stores every layer. It returns the number of states after the last layer, 0 or 1.
func (b *builder) expand(ctx context.Context, s Spec) (int, error) {
	states := 1
	b.first = []uint32{0}
	for i := range s.Layers() {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		layer, err := s.Expand(ctx, i)
		if err != nil {
			return 0, err
		}
		end, err := checkLayer(ctx, &layer, states, b.first[i], uint32(s.Vars()))
		if err != nil {
			return 0, fmt.Errorf("layer %d: %w", i, err)
		}
		if err := b.hold(layer.bytes()); err != nil {
			return 0, err
		}
		b.layers = append(b.layers, layer)
		b.first = append(b.first, end)
		b.states += int64(states)
		b.arcs += int64(len(layer.Arcs))
		states = layer.Next
		b.progress()
	}
	if states > 1 {
		return 0, fmt.Errorf("%w: %d states after the last layer, expected 0 or 1", ErrSpec, states)
	}
	return states, nil
}

func (b *builder) progress() {
	b.step++
	if b.limits.Progress == nil {
		return
	}
	b.limits.Progress(Progress{
		Step: b.step, Steps: b.steps, States: b.states, Arcs: b.arcs,
		Nodes: int64(len(b.lo)), Bytes: b.peak,
	})
}

// checkLayer checks a layer, whose variables must be in first..vars-1. The result end is the
// largest variable plus 1, or first if there is none.
func checkLayer(ctx context.Context, l *Layer, states int, first, vars uint32) (end uint32, err error) {
	if l.Next < 0 || int64(l.Next) > math.MaxUint32 {
		return 0, fmt.Errorf("%w: a layer has %d next states, expected 0 to 2^32-1", ErrSpec, l.Next)
	}
	if len(l.Start) != states+1 || l.Start[0] != 0 || int64(l.Start[states]) != int64(len(l.Arcs)) {
		return 0, fmt.Errorf("%w: a layer of %d states has %d starts, expected %d starts, the first 0 and the last %d, the number of arcs",
			ErrSpec, states, len(l.Start), int64(states)+1, len(l.Arcs))
	}
	end = first
	for s := range states {
		if s%pollEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		from, to := l.Start[s], l.Start[s+1]
		if from > to || int64(to) > int64(len(l.Arcs)) {
			return 0, fmt.Errorf("%w: the arcs of state %d begin at %d and end at %d, expected begin ≤ end ≤ %d", ErrSpec, s, from, to, len(l.Arcs))
		}
		low := first
		for k, a := range l.Arcs[from:to] {
			switch {
			case int64(a.Child) >= int64(l.Next):
				return 0, fmt.Errorf("%w: state %d: arc %d leads to state %d, but there are only %d states", ErrSpec, s, k, a.Child, l.Next)
			case a.Var == NoVar && k == int(to-from)-1:
			case a.Var < low || a.Var >= vars:
				return 0, fmt.Errorf("%w: state %d: arc %d has variable %d, expected %d..%d (variables rise, and only the last arc may have NoVar)", ErrSpec, s, k, a.Var, low, int64(vars)-1)
			default:
				low = a.Var + 1
			}
		}
		end = max(end, low)
	}
	return end, nil
}

func (b *builder) reduce(ctx context.Context, accepted int) (uint32, error) {
	next := []uint32{Top}[:accepted]
	for i := len(b.layers) - 1; i >= 0; i-- {
		value, err := b.reduceLayer(ctx, i, next)
		if err != nil {
			return 0, err
		}
		b.held += 4 * int64(len(value)-len(next))
		next = value
		b.progress()
	}
	b.held = 0
	return next[0], nil
}

// reduceLayer returns the nodes of the states of layer i and frees the layer. The node of
// state s of layer i+1 is next[s].
func (b *builder) reduceLayer(ctx context.Context, i int, next []uint32) ([]uint32, error) {
	layer, low := b.layers[i], b.first[i]
	if err := b.account(4 * int64(len(layer.Start)-1)); err != nil {
		return nil, err
	}
	value := make([]uint32, len(layer.Start)-1)
	// The branches of variable low+v begin at index bound[v].
	bound := make([]uint32, b.first[i+1]-low+1)
	for k, a := range layer.Arcs {
		if k%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if a.Var != NoVar && next[a.Child] != Bottom {
			bound[a.Var-low+1]++
		}
	}
	for v := 1; v < len(bound); v++ {
		bound[v] += bound[v-1]
	}
	branches, err := b.room(&b.branches, int(bound[len(bound)-1]))
	if err != nil {
		return nil, err
	}
	// A chain is built from its end: the child of the arc with NoVar, or ⊥.
	for s := range value {
		if s%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		tail := Bottom
		for _, a := range layer.Arcs[layer.Start[s]:layer.Start[s+1]] {
			hi := next[a.Child]
			if a.Var == NoVar {
				tail = hi
				continue
			}
			if hi != Bottom {
				at := &bound[a.Var-low]
				branches[*at] = branch{hi: hi, state: uint32(s)}
				*at++
			}
		}
		value[s] = tail
	}
	b.layers[i] = Layer{}
	b.held -= layer.bytes()
	for v := len(bound) - 2; v >= 0; v-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := uint32(0)
		if v > 0 {
			start = bound[v-1]
		}
		if err := b.add(int(low)+v, branches[start:bound[v]], value); err != nil {
			return nil, err
		}
	}
	return value, nil
}
