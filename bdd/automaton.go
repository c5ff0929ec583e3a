package bdd

import (
	"context"
	"fmt"
)

type automaton[S comparable] struct {
	vars   int
	child  func(state S, v int, take bool) (S, bool)
	states []S // states of the next layer to expand
}

// Automaton returns a Spec defined by a function (TdZdd calls it a recursive specification). A
// state before variable v represents the choices for all earlier variables. child(state, v, take)
// returns the state after the choice for v: with v in the set if take is true, else without. It
// returns false if no set begins with these choices. All states after the last variable become ⊤. A
// map merges equal states. [Build] can use the Spec only once.
func Automaton[S comparable](vars int, root S, child func(state S, v int, take bool) (S, bool)) Spec {
	return &automaton[S]{vars: vars, child: child, states: []S{root}}
}

func (a *automaton[S]) Vars() int   { return a.vars }
func (a *automaton[S]) Layers() int { return max(a.vars, 0) }

func (a *automaton[S]) Expand(ctx context.Context, v int) (Layer, error) {
	layer := Layer{Start: make([]uint32, 1, len(a.states)+1)}
	index := make(map[S]uint32)
	var next []S
	arc := func(variable uint32, state S) {
		if v == a.vars-1 {
			var accepted S // all states after the last variable become this state
			state = accepted
		}
		i, ok := index[state]
		if !ok {
			i = uint32(len(next))
			index[state] = i
			next = append(next, state)
		}
		layer.Arcs = append(layer.Arcs, Arc{Var: variable, Child: i})
	}
	for k, state := range a.states {
		if k%pollEvery == 0 && ctx.Err() != nil {
			return Layer{}, ctx.Err()
		}
		if len(layer.Arcs) > maxNodes-2 {
			return Layer{}, fmt.Errorf("%w: more than %d arcs in a layer", ErrLimit, maxNodes)
		}
		if s, ok := a.child(state, v, true); ok {
			arc(uint32(v), s)
		}
		if s, ok := a.child(state, v, false); ok {
			arc(NoVar, s)
		}
		layer.Start = append(layer.Start, uint32(len(layer.Arcs)))
	}
	a.states = next
	layer.Next = len(next)
	return layer, nil
}
