package slab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/engine/key"
)

const (
	// With small leaves fewer states outside a range are read; large leaves make shorter lists, but
	// wider counts. (12x12 tetrominoes, level 84: 7.53 bytes a state with leaves of 256, 7.42 with
	// 512, 7.38 with 1,024, 7.43 with 4,096, of which 0.25, 0.12, 0.06 and 0.02 are the list.)
	leafStates = 1 << 9
	maxLeaves  = 1 << 7
	maxMarks   = 1 << 7
)

var (
	// ErrDamaged is wrapped by errors about a slab that is not as it was written, or another one.
	ErrDamaged = errors.New("damaged slab")
	// ErrMiscounted is wrapped if a count and the residue beside it do not agree.
	ErrMiscounted = errors.New("a count and its residue do not agree")
)

// Head has the values that the slabs of a level have in common.
type Head struct {
	Print [32]byte // of the automaton
	Level int
	Limbs int    // of the counts that a writer is given; readers use the number in the slab
	Prime uint64 // of the residues: below 2^63
}

// Ref is the description of a slab in the files of a run.
type Ref struct {
	Name    string `json:"name"`  // SHA-256 of the root, in hex
	Bytes   int64  `json:"bytes"` // of the file
	Root    int64  `json:"root"`  // where the root begins, which is the end of the file
	States  int64  `json:"states"`
	Bits    int    `json:"bits"`    // length of the largest count
	Sum     string `json:"sum"`     // of the counts, in decimal
	Residue uint64 `json:"residue"` // the sum of the residues that were carried beside the counts
	Marks   []Mark `json:"marks"`   // rising; the first is the first state
}

// Mark is a key of a slab, with the number of states before it.
type Mark struct {
	Key    string `json:"key"` // in hex: see ParseKey
	Before int64  `json:"before"`
}

// Possible reports whether a slab can have these sizes. A state has at least a byte.
func (r *Ref) Possible() bool {
	return r.Root >= 0 && r.Bytes > r.Root && r.States >= 0 && r.States <= min(r.Root, maxStates) && r.Bits >= 0 && r.Bits <= mostBits
}

func limbsOf(bits int) int { return max(1, (bits+63)/64) }

// Source has the files of slabs. At the end of a file, Range has fewer bytes.
type Source interface {
	Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error)
}

// Bounds are a range [Lo, Hi) of keys, with open ends.
type Bounds[K key.Key] struct {
	Lo, Hi       K
	HasLo, HasHi bool
}

func formatKey[K key.Key](k K) string {
	var b strings.Builder
	for i := len(k) - 1; i >= 0; i-- {
		switch {
		case b.Len() > 0:
			fmt.Fprintf(&b, "%016x", k[i])
		case k[i] != 0 || i == 0:
			fmt.Fprintf(&b, "%x", k[i])
		}
	}
	return b.String()
}

// ParseKey returns the key that s has in hex, without leading zeros.
func ParseKey[K key.Key](s string) (k K, err error) {
	rest := s
	for i := 0; rest != "" && i < len(k); i++ {
		cut := max(0, len(rest)-16)
		if k[i], err = strconv.ParseUint(rest[cut:], 16, 64); err != nil {
			break
		}
		rest = rest[:cut]
	}
	if rest != "" || formatKey(k) != s {
		return k, fmt.Errorf("%q is no key of %d words in hex", s, len(k))
	}
	return k, nil
}
