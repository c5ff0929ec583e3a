package bdd

import (
	"context"
	"fmt"
)

// Diagram returns the diagram of the sets in the list, and empties the list. The error wraps
// [ErrInvalid] if a set was added twice, or [ErrLimit], or is the error of ctx. Diagram calls
// [Limits].Progress once for each variable that occurs in a set.
//
// The sets, in lexicographic order, are the paths of a trie,
//
//	sets     0 4 6          trie   · ─0─ · ─4─ · ─6─ ⊤
//	         1 2 5                 ├─1─ · ─2─ · ─5─ ⊤
//	         1 3 4                      └─3─ · ─4─ ⊤
//
// whose edges become nodes of the diagram, edges of the highest variable first. The hi of an edge
// stands for all edges that begin where the edge ends. The lo stands for the edges of higher
// variables that begin where the edge begins. Equal nodes are found by sorting, as in [Build].
// (Daciuk, Mihov, Watson and Watson, "Incremental construction of minimal acyclic finite-state
// automata", Computational Linguistics 26 (2000), use a table of nodes.)
//
// An edge needs 12 bytes. Neighbouring sets share the edges of their common beginning.
// Measured: the 12,988,816 tilings of the 8x8 board with 32 dominoes needed 11 s, a third of it for
// sorting, and 1.5 GB. Their diagram has 2,300 nodes.
func (l *List) Diagram(ctx context.Context) (*Diagram, error) {
	a, err := newAssembler(l.vars, l.limits)
	if err != nil {
		return nil, err
	}
	t := &trie{assembler: a, vars: l.vars}
	if err := t.plant(ctx, l); err != nil {
		return nil, err
	}
	root, err := t.reduce(ctx)
	if err != nil {
		return nil, err
	}
	return t.finish(root)
}

type trie struct {
	*assembler
	vars  int
	bound []uint32 // the edges of variable v are edges[bound[v]:bound[v+1]]
	edges []edge
	value []uint32 // node in the diagram, indexed by trie node
}

type edge struct{ from, to uint32 }

const edgeBytes = 8

func (t *trie) plant(ctx context.Context, l *List) error {
	listed := l.bytes + entryBytes*l.sets
	if err := t.hold(listed); err != nil {
		return err
	}
	entries, err := l.entries(ctx)
	if err != nil {
		return err
	}
	if err := l.sort(ctx, entries); err != nil {
		return err
	}
	// bound[v+1] is the start of the edges of v, and becomes their end when they have been made.
	if err := t.hold(4 * (int64(t.vars) + 2)); err != nil {
		return err
	}
	t.bound = make([]uint32, t.vars+2)
	edges := int64(0)
	err = l.walk(ctx, entries, func(set []uint32, shared int) error {
		if edges += int64(len(set) - shared); edges >= maxNodes {
			return fmt.Errorf("%w: the trie of the sets has more than %d edges", ErrLimit, int64(maxNodes))
		}
		for _, v := range set[shared:] {
			t.bound[v+2]++
		}
		return nil
	})
	if err != nil {
		return err
	}
	for v := 2; v < len(t.bound); v++ {
		t.bound[v] += t.bound[v-1]
	}
	if err := t.hold(edgeBytes*edges + 4*(edges+1)); err != nil {
		return err
	}
	t.edges = make([]edge, edges)
	t.value = make([]uint32, edges+1) // ⊤ for a trie node at which a set ends, else ⊥
	at := t.bound[1:]
	path := []uint32{0} // trie nodes on the path of the previous set
	node := uint32(0)
	err = l.walk(ctx, entries, func(set []uint32, shared int) error {
		path = path[:shared+1]
		for _, v := range set[shared:] {
			node++
			t.edges[at[v]] = edge{from: path[len(path)-1], to: node}
			at[v]++
			path = append(path, node)
		}
		t.value[path[len(path)-1]] = Top
		return nil
	})
	if err != nil {
		return err
	}
	*l = List{limits: l.limits, vars: l.vars}
	t.held -= listed
	return nil
}

// walk visits the sets in order. The argument shared is the number of variables in the longest
// common beginning of the set and the previous set. If two sets are equal, walk returns an error.
func (l *List) walk(ctx context.Context, entries []entry, visit func(set []uint32, shared int) error) error {
	var set, last []uint32
	for n, e := range entries {
		if n%pollEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		set, _ = decode(set[:0], l.code(e))
		shared := commonPrefix(last, set)
		if n > 0 && shared == len(set) {
			return fmt.Errorf("%w: set %v is listed twice", ErrInvalid, set)
		}
		if err := visit(set, shared); err != nil {
			return err
		}
		set, last = last, set
	}
	return nil
}

func commonPrefix(a, b []uint32) int {
	n := min(len(a), len(b))
	for k := range n {
		if a[k] != b[k] {
			return k
		}
	}
	return n
}

func (t *trie) reduce(ctx context.Context) (uint32, error) {
	for v := t.vars - 1; v >= 0; v-- {
		edges := t.edges[t.bound[v]:t.bound[v+1]]
		if len(edges) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		branches, err := t.room(&t.branches, len(edges))
		if err != nil {
			return 0, err
		}
		for k, e := range edges {
			branches[k] = branch{hi: t.value[e.to], state: e.from}
		}
		if err := t.add(v, branches, t.value); err != nil {
			return 0, err
		}
		if t.limits.Progress != nil {
			t.limits.Progress(Progress{
				Step: t.vars - v, Steps: t.vars, States: int64(len(t.value)), Arcs: int64(len(t.edges)),
				Nodes: int64(len(t.lo)), Bytes: t.peak,
			})
		}
	}
	root := t.value[0]
	t.edges, t.value, t.bound, t.held = nil, nil, nil, 0
	return root, nil
}
