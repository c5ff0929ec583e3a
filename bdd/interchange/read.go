package interchange

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/internal/kit/wording"
)

// ReadGraphillion reads a dump of Graphillion, whose universe has vars members. The error wraps
// [ErrText], [ErrVars], bdd.ErrLimit or bdd.ErrInvalid, or is an error of r or of ctx.
func ReadGraphillion(ctx context.Context, r io.Reader, vars int, l bdd.Limits) (*bdd.Diagram, error) {
	t, err := newText(ctx, r, vars, l)
	if err != nil {
		return nil, err
	}
	words, err := t.next()
	if err != nil {
		return nil, err
	}
	root, held := t.store.Empty(), 0
	switch {
	case len(words) == 1 && words[0] == "B":
		words, err = t.next()
	case len(words) == 1 && words[0] == "T":
		root = t.store.Unit()
		words, err = t.next()
	case len(words) == 1:
		return nil, t.wrong("the line is %.20q, expected the four words of a node, or only the letter B or T", words[0])
	default:
		root, words, err = t.dump(words)
		held = 1
	}
	switch {
	case err != nil:
		return nil, err
	case words == nil:
		return nil, t.wrong("the text ends here, expected a last line with only a dot")
	case len(words) != 1 || words[0] != ".":
		return nil, t.wrong("the line begins with %.20q, expected only a dot", words[0])
	}
	if err := t.end(); err != nil {
		return nil, err
	}
	return t.diagram(root, held)
}

// dump reads the lines of nodes. The slice words has the words of the first line, and the
// slice rest has the words of the line after the last node.
func (t *text) dump(words []string) (root bdd.Family, rest []string, err error) {
	for len(words) > 1 {
		if len(words) != 4 {
			return 0, nil, t.wrong("the line has %s, expected a node: its number, its variable, lo and hi", wording.Plural(len(words), "word"))
		}
		id, err := t.number(words[0], "the number of the node", math.MaxInt64)
		if err != nil {
			return 0, nil, err
		}
		place, err := t.number(words[1], "the variable", uint64(t.store.Vars()))
		if err != nil {
			return 0, nil, err
		}
		if place == 0 {
			return 0, nil, t.wrong("the variable is 0, expected 1 to %d", t.store.Vars())
		}
		lo, err := t.dumped(words[2], int(place)-1)
		if err != nil {
			return 0, nil, err
		}
		hi, err := t.dumped(words[3], int(place)-1)
		if err != nil {
			return 0, nil, err
		}
		if err := t.add(id, int(place)-1, lo, hi); err != nil {
			return 0, nil, err
		}
		root = t.nodes[id].family
		if words, err = t.next(); err != nil {
			return 0, nil, err
		}
	}
	return root, words, nil
}

func (t *text) dumped(word string, v int) (bdd.Family, error) {
	switch word {
	case "B":
		return t.store.Empty(), nil
	case "T":
		return t.store.Unit(), nil
	}
	id, err := t.number(word, "a child", math.MaxInt64)
	if err != nil {
		return 0, err
	}
	return t.arc(id, v)
}

// ReadSAPPORO reads the export of a ZDD from SAPPOROBDD. The ZDD has vars variables, and variable 0
// has the highest level. The errors are as in ReadGraphillion.
func ReadSAPPORO(ctx context.Context, r io.Reader, vars int, l bdd.Limits) (*bdd.Diagram, error) {
	t, err := newText(ctx, r, vars, l)
	if err != nil {
		return nil, err
	}
	nodes, err := t.head()
	if err != nil {
		return nil, err
	}
	for range nodes {
		if err := t.exported(); err != nil {
			return nil, err
		}
	}
	words, err := t.next()
	switch {
	case err != nil:
		return nil, err
	case len(words) != 1:
		return nil, t.wrong("the line has %s, expected one word: the root follows the last of %d nodes", wording.Plural(len(words), "word"), nodes)
	}
	root, err := t.child(words[0], -1, true)
	if err != nil {
		return nil, err
	}
	if err := t.end(); err != nil {
		return nil, err
	}
	return t.diagram(root, 0)
}

func (t *text) head() (nodes uint64, err error) {
	for _, line := range []struct {
		name, what string
		most       uint64
	}{{"_i", "the highest level", uint64(t.store.Vars())}, {"_o", "the number of roots", math.MaxInt64}, {"_n", "the number of nodes", math.MaxInt64}} {
		words, err := t.next()
		switch {
		case err != nil:
			return 0, err
		case len(words) != 2 || words[0] != line.name:
			return 0, t.wrong("the line is malformed, expected the word %q, then %s", line.name, line.what)
		}
		if nodes, err = t.number(words[1], line.what, line.most); err != nil {
			return 0, err
		}
		if line.name == "_o" && nodes != 1 {
			return 0, t.wrong("there are %d roots, expected 1", nodes)
		}
	}
	return nodes, nil
}

func (t *text) exported() error {
	words, err := t.next()
	switch {
	case err != nil:
		return err
	case len(words) != 4:
		return t.wrong("the line has %s, expected a node: its number, its level, lo and hi", wording.Plural(len(words), "word"))
	}
	id, err := t.number(words[0], "the number of the node", math.MaxInt64)
	if err != nil {
		return err
	}
	level, err := t.number(words[1], "the level", uint64(t.store.Vars()))
	switch {
	case err != nil:
		return err
	case level == 0:
		return t.wrong("the level is 0, expected 1 to %d", t.store.Vars())
	case id%2 != 0:
		return t.wrong("the number of the node is %d, expected an even number", id)
	}
	v := t.store.Vars() - int(level)
	lo, err := t.child(words[2], v, false)
	if err != nil {
		return err
	}
	hi, err := t.child(words[3], v, true)
	if err != nil {
		return err
	}
	return t.add(id, v, lo, hi)
}

// child returns the family that a word stands for. An odd number n is the complement of node n-1.
func (t *text) child(word string, v int, odd bool) (bdd.Family, error) {
	switch word {
	case "F":
		return t.store.Empty(), nil
	case "T":
		return t.store.Unit(), nil
	}
	id, err := t.number(word, "a child or root", math.MaxInt64)
	if err != nil {
		return 0, err
	}
	f, err := t.arc(id&^1, v)
	switch {
	case err != nil || id%2 == 0:
		return f, err
	case !odd:
		return 0, t.wrong("lo is %d, expected an even number", id)
	}
	if f, err = t.store.Combine(t.ctx, bdd.SymmetricDifference, f, t.store.Unit()); err != nil {
		return 0, fmt.Errorf("line %d: %w", t.line, err)
	}
	return f, nil
}
