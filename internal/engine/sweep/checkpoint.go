package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/engine/key"
)

var (
	// ErrDamaged is wrapped when a saved level differs from what was written.
	ErrDamaged = blockfile.ErrDamaged
	// ErrForeign is wrapped when a saved level is undamaged, but of another automaton or version.
	ErrForeign = blockfile.ErrForeign
)

type saveHead struct {
	Print  [sha256.Size]byte
	Level  uint32
	Limbs  uint32 // limbs of a count; 0 if the states have no counts
	_      uint64 // not read; earlier versions wrote a value here
	States uint64
	Effort savedEffort
}

type savedEffort struct{ States, Arcs, Pruned, Bytes int64 }

// Save writes the present level for [Resume]. It may be called between steps and, once, after a
// step that failed with ErrMemory or the error of its context. It returns ErrDisk or an error of w.
func (r *Sweep[K]) Save(w io.Writer) error {
	if _, counts := r.c.Value.(Count); r.c.Value != nil && !counts {
		return errors.New("levels with residues or weights cannot be saved")
	}
	r.spare.trim(0) // makes room for a slab of a level on disk
	s, limbs := blockfile.Create(w), r.in.words
	e := r.Effort()
	s.Block(func(buf []byte) []byte {
		head, _ := binary.Append(buf, binary.LittleEndian, saveHead{ // cannot fail: all sizes are fixed
			Print: r.a.Print(), Level: uint32(r.at), Limbs: uint32(limbs),
			States: uint64(r.in.n), Effort: savedEffort{e.States, e.Arcs, e.Pruned, e.Bytes},
		})
		return head
	})
	err := r.in.EachSlab(func(keys []K, counts []uint64) error {
		for from := 0; from < len(keys); from += blockfile.States {
			to := min(len(keys), from+blockfile.States)
			s.Block(func(buf []byte) []byte {
				return blockfile.AppendStates(buf, keys[from:to], counts[from*limbs:to*limbs], limbs)
			})
		}
		return s.Err()
	})
	if err != nil {
		return err
	}
	return s.Close()
}

// Resume continues a run that [Run.Save] wrote. Config.Value must be nil if and only if it was nil
// in the saved run. Resume fails with ErrDamaged, ErrForeign, ErrMemory, ErrDisk or a read error.
func Resume(a *automaton.Automaton, from io.Reader, c Config) (Run, error) {
	r := Start(a, c).(interface {
		Run
		load(l *blockfile.Reader) error
	})
	l, err := blockfile.Open(from)
	if err != nil {
		return nil, err
	}
	if err := r.load(l); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Sweep[K]) load(l *blockfile.Reader) error {
	h, err := r.loadHead(l)
	if err != nil {
		return err
	}
	r.startAt(int(h.Level), int(h.Limbs))
	r.effort = Effort{States: h.Effort.States, Arcs: h.Effort.Arcs, Pruned: h.Effort.Pruned}
	if err := r.shelveLarge(int(h.States)); err != nil {
		return err
	}
	if err := r.loadStates(l, int(h.States)); err != nil {
		return err
	}
	r.store.peak.Store(max(r.store.peak.Load(), h.Effort.Bytes))
	return l.Close()
}

func (r *Sweep[K]) loadHead(l *blockfile.Reader) (h saveHead, err error) {
	payload, err := l.Block(binary.Size(h))
	if err != nil {
		return h, err
	}
	if err := binary.Read(bytes.NewReader(payload), binary.LittleEndian, &h); err != nil {
		return h, l.Damaged("the head is cut short")
	}
	_, counts := r.c.Value.(Count)
	most := r.mostLimbs(int(min(h.Level, math.MaxInt32)))
	switch {
	case h.Print != r.a.Print():
		return h, fmt.Errorf("%w: the file belongs to another puzzle, or to a version of the program that sweeps this puzzle differently", ErrForeign)
	case r.c.Value != nil && !counts:
		return h, fmt.Errorf("%w: this sweep computes residues or weights, which are never in a checkpoint", ErrForeign)
	case counts != (h.Limbs > 0):
		return h, fmt.Errorf("%w: only one of the checkpoint and this sweep has counts", ErrForeign)
	case int64(h.Level) > int64(r.a.Steps()) || h.States > maxStates || int64(h.Limbs) > int64(most):
		return h, l.Damaged("level %d of %d, %d states and %d limbs are impossible", h.Level, r.a.Steps(), h.States, h.Limbs)
	}
	size := StateBytes(int(h.States), int(h.Limbs))
	if r.c.Memory > 0 && size > r.c.Memory && !r.canShelve() {
		return h, fmt.Errorf("%w: the %d states of the checkpoint need %d bytes of memory, but only %d bytes are left", ErrMemory, h.States, size, r.c.Memory)
	}
	return h, nil
}

// mostLimbs bounds the limbs of a count. A step with m moves multiplies counts by at most m+1.
func (r *Sweep[K]) mostLimbs(level int) int {
	if r.c.Value == nil {
		return 0
	}
	widest := 1
	for step := range min(level+1, r.a.Steps()) {
		widest += bits.Len(uint(r.a.Moves(step) + 1))
	}
	return (widest + 63) / 64
}

// loadStates reads the blocks of states. It reserves memory block by block.
func (r *Sweep[K]) loadStates(l *blockfile.Reader, states int) error {
	var last K
	d := blockfile.Decoder[K]{Limbs: r.in.words}
	buffers := int64(d.Most(blockfile.States)) + StateBytes(blockfile.States, d.Limbs)
	if err := r.store.take(buffers); err != nil {
		return err
	}
	defer r.store.give(buffers)
	for r.in.n < states {
		n := min(blockfile.States, states-r.in.n)
		payload, err := l.Block(d.Most(n))
		if err != nil {
			return err
		}
		if !d.Decode(payload, n) || r.in.n > 0 && !key.Less(last, d.Keys[0]) {
			return l.Damaged("its states are not sorted, or cannot be decoded")
		}
		last = d.Keys[n-1]
		if err := r.addShelved(d.Keys, d.Counts, states); err != nil {
			return err
		}
	}
	if last[len(last)-1]>>63 != 0 { // the highest bit of a key is always 0: see package key
		return l.Damaged("a state has more bits than a key can have")
	}
	return nil
}
