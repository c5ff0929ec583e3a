package interchange

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pavage/pavage/bdd"
)

type text struct {
	ctx   context.Context
	in    *bufio.Reader
	line  int
	store *bdd.Store
	bytes int64 // limit of the memory for the store and the map nodes; 0 means no limit
	nodes map[uint64]*named
	loose int // number of nodes without a parent
}

type named struct {
	family bdd.Family
	v      int
	held   bool
}

const namedBytes = 64 // approximate bytes of an entry of the map text.nodes

func newText(ctx context.Context, r io.Reader, vars int, l bdd.Limits) (*text, error) {
	if err := checkVars(vars); err != nil {
		return nil, err
	}
	store, err := bdd.NewStore(vars, l)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(r, MaxLine+2) // 2 bytes more, for the line break
	return &text{ctx: ctx, in: in, store: store, bytes: l.Bytes, nodes: map[uint64]*named{}}, nil
}

func (t *text) wrong(format string, args ...any) error {
	return fmt.Errorf("%w: line %d: %s", ErrText, t.line, fmt.Sprintf(format, args...))
}

// next returns the words of the next line that has words, or nil at the end of the text.
func (t *text) next() ([]string, error) {
	for {
		if t.line%pollEvery == 0 && t.ctx.Err() != nil {
			return nil, t.ctx.Err()
		}
		line, err := t.in.ReadSlice('\n')
		if err == io.EOF && len(line) == 0 {
			return nil, nil
		}
		t.line++
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, t.wrong("the line has more than %d bytes", MaxLine)
		case err != nil && err != io.EOF:
			return nil, err
		}
		if words := strings.Fields(string(line)); len(words) > 0 {
			return words, nil
		}
	}
}

func (t *text) end() error {
	words, err := t.next()
	if err == nil && words != nil {
		return t.wrong("%.20q follows the end of the diagram, expected no more text", words[0])
	}
	return err
}

// number parses a decimal number ≤ most, without a sign or leading zeros.
func (t *text) number(word, what string, most uint64) (uint64, error) {
	n, err := strconv.ParseUint(word, 10, 64)
	if err != nil || n > most || n > 0 && word[0] == '0' || n == 0 && len(word) > 1 {
		return 0, t.wrong("%s is %.20q, expected a number from 0 to %d", what, word, most)
	}
	return n, nil
}

func (t *text) arc(id uint64, v int) (bdd.Family, error) {
	n := t.nodes[id]
	switch {
	case n == nil:
		return 0, t.wrong("node %d is not on a line above, expected each child above its parents", id)
	case n.v <= v:
		return 0, t.wrong("the child %d has a wrong variable, expected a variable after the variable of its parent", id)
	case !n.held:
		n.held = true
		t.loose--
	}
	return n.family, nil
}

func (t *text) add(id uint64, v int, lo, hi bdd.Family) error {
	if t.nodes[id] != nil {
		return t.wrong("two nodes have the number %d, expected distinct numbers", id)
	}
	if n := len(t.nodes); t.bytes > 0 && n%1024 == 0 && t.store.Bytes()+namedBytes*int64(n+1024) > t.bytes {
		return fmt.Errorf("%w: the first %d nodes of the text need more than %d bytes of memory",
			bdd.ErrLimit, n, t.bytes)
	}
	f, err := t.store.Node(v, lo, hi)
	if err != nil {
		return err
	}
	t.nodes[id] = &named{family: f, v: v}
	t.loose++
	return nil
}

func (t *text) diagram(root bdd.Family, held int) (*bdd.Diagram, error) {
	if t.loose != held {
		return nil, t.wrong("there are %d nodes without a parent, expected only the root", t.loose)
	}
	t.nodes = nil
	return t.store.Freeze(t.ctx, root)
}
