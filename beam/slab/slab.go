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
	// With small leaves, fewer states outside a range are read. With large leaves, lists are
	// shorter, but counts are wider. For 12x12 tetrominoes, level 84 needs 7.53 bytes per state
	// with 256 states in a leaf, 7.42 with 512, 7.38 with 1,024, and 7.43 with 4,096. This includes
	// 0.25, 0.12, 0.06 and 0.02 bytes for lists.
	leafStates = 1 << 9
	maxLeaves  = 1 << 7
	maxMarks   = 1 << 7
)

var (
	// ErrDamaged is wrapped by errors for a file that is not the slab that was written.
	ErrDamaged = errors.New("damaged slab")
	// ErrMiscounted is wrapped by errors for a count and a residue that do not agree.
	ErrMiscounted = errors.New("a count and its residue do not agree")
)

// Head has the values that all slabs of a level have in common.
type Head struct {
	Print [32]byte // print of the automaton
	Level int
	Limbs int    // number of limbs of each count that Writer.Add accepts; readers ignore Limbs
	Prime uint64 // prime of the residues, below 2^63
}

// Ref describes a slab in the files of a run.
type Ref struct {
	Name    string `json:"name"`  // SHA-256 of the root, in hex
	Bytes   int64  `json:"bytes"` // length of the file
	Root    int64  `json:"root"`  // position of the root, which extends to the end of the file
	States  int64  `json:"states"`
	Bits    int    `json:"bits"`    // bits of the largest count
	Sum     string `json:"sum"`     // sum of the counts, in decimal
	Residue uint64 `json:"residue"` // residue of the sum
	Marks   []Mark `json:"marks"`   // in rising order; the first mark is the first state
}

// Mark is a key of a slab with the number of states before it.
type Mark struct {
	Key    string `json:"key"` // in hex: see ParseKey
	Before int64  `json:"before"`
}

// Possible reports whether a slab can have the sizes in r. A state has at least one byte.
func (r *Ref) Possible() bool {
	return r.Root >= 0 && r.Bytes > r.Root && r.States >= 0 && r.States <= min(r.Root, maxStates) && r.Bits >= 0 && r.Bits <= mostBits
}

func limbsOf(bits int) int { return max(1, (bits+63)/64) }

// Source reads the files of slabs. If a range exceeds the file, Range returns fewer bytes.
type Source interface {
	Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error)
}

// Bounds is a range of keys, from Lo on and below Hi. If HasLo is false, the range has no lower
// bound. If HasHi is false, it has no upper bound.
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

// ParseKey parses a key in hex without leading zeros.
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
		return k, fmt.Errorf("%q is not a key of %d words in hexadecimal digits", s, len(k))
	}
	return k, nil
}
