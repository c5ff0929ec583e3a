package sweep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
)

// TestMovedBlocks: if two blocks of a saved level have changed places, the first of them is an
// error.
func TestMovedBlocks(t *testing.T) {
	a, c, level := sampleLevel(t)
	ends := []int{preambleSize}
	for len(ends) < 4 {
		at := ends[len(ends)-1]
		ends = append(ends, at+lengthSize+int(binary.LittleEndian.Uint32(level[at:]))+crcSize)
	}
	moved := bytes.Join([][]byte{level[:ends[1]], level[ends[2]:ends[3]], level[ends[1]:ends[2]], level[ends[3]:]}, nil)
	_, err := Resume(a, bytes.NewReader(moved), c)
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "block 1: its checksum is wrong") {
		t.Errorf("blocks 1 and 2 swapped: %v", err)
	}
}

// TestMovedSlabs: a slab that is whole, but not the requested slab, is not accepted from disk. A
// shelf has no checksum of the whole file.
func TestMovedSlabs(t *testing.T) {
	r := shelvedRun(t)
	a, b := r.in.shelf().slabs[0], r.in.shelf().slabs[1]
	a.at, a.length, b.at, b.length = b.at, b.length, a.at, a.length
	if _, err := r.Step(context.Background()); !errors.Is(err, ErrDisk) || !errors.Is(err, ErrDamaged) {
		t.Errorf("slabs 0 and 1 swapped: %v", err)
	}
}

// TestForeignBounds: two puzzles may differ only in the least number of uses of an item. Their
// levels may be equal when it is too late to use the item, and their counts differ.
func TestForeignBounds(t *testing.T) {
	compiled := func(least int) *automaton.Automaton {
		a, err := automaton.Compile(context.Background(), &cover.Problem{
			Items: []cover.Item{{Min: 1, Max: 1}, {Min: 1, Max: 1}, {Min: least, Max: 2}},
			Options: []cover.Option{
				{{Item: 0, Times: 1}},
				{{Item: 1, Times: 1}, {Item: 2, Times: 1}},
				{{Item: 1, Times: 1}, {Item: 2, Times: 2}},
			},
		}, []int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	c := Config{Value: Count{}, Threads: 1}
	one, two := compiled(1), compiled(2)
	r, s := Start(one, c), Start(two, c)
	advance(t, r)
	advance(t, s)
	level := saved(t, r)
	if behindHead(level) != behindHead(saved(t, s)) {
		t.Error("the levels differ, expected puzzles whose levels do not")
	}
	if _, err := Resume(two, bytes.NewReader(level), c); !errors.Is(err, ErrForeign) {
		t.Errorf("a level of another bound: %v", err)
	}
	advance(t, r)
	advance(t, s)
	if r.Total().Int64() != 2 || s.Total().Int64() != 1 {
		t.Errorf("totals %v and %v, want 2 and 1", r.Total(), s.Total())
	}
}

// behindHead returns the blocks of states of a saved level.
func behindHead(level []byte) string {
	return string(level[preambleSize+lengthSize+binary.Size(saveHead{})+crcSize : len(level)-sha256.Size])
}
