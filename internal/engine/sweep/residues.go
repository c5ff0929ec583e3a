package sweep

import (
	"fmt"
	"math/bits"

	"github.com/pavage/pavage/internal/engine/limb"
)

// With [Checked], a prime p, the limbs of a count are followed by its residue modulo p. A step adds
// residues to residues, and computes no residue from a count. So after a wrong addition the count
// modulo p differs from the residue. Level.check and callers that export a level compare them.
//
//	1 limb     count │ residue          2 limbs    low │ high │ residue
//
//	a:  5 │ 5                           p = 7: 12 modulo 7 is 5, and so is the sum of
//	b:  7 │ 0   a+b: 12 │ 5             the residues, 5 + 0, which does not use the 12

type width struct {
	words int    // words of a value, with its residue; 0 if there are no values
	check uint64 // prime of the residue that follows the limbs; 0 without residue
}

func newWidth(limbs int, check uint64) width {
	if check != 0 {
		limbs++
	}
	return width{limbs, check}
}

func (w width) limbs() int {
	if w.check != 0 {
		return w.words - 1
	}
	return w.words
}

func (w width) fits(states int, counts []uint64) error {
	if len(counts) != states*w.words {
		return fmt.Errorf("%d states have %d words of counts, expected %d words for each state", states, len(counts), w.words)
	}
	if w.check == 0 {
		return nil
	}
	for i := range states {
		if rest := counts[(i+1)*w.words-1]; rest >= w.check {
			return fmt.Errorf("a state has the residue %d, expected less than %d", rest, w.check)
		}
	}
	return nil
}

func (w width) miscounted(counts []uint64) int {
	for i := 0; w.check != 0 && i < len(counts); i += w.words {
		if number, rest := counts[i:i+w.words-1], counts[i+w.words-1]; limb.Residue(number, w.check) != rest {
			return i / w.words
		}
	}
	return -1
}

func (c Checked) add(t *sorter, out []uint64, in [][]uint64, limbs, inLimbs int) (lost uint64) {
	check := uint64(c)
	switch {
	case limbs == 1:
		return t.addOneChecked(out, in, check)
	case limbs == 2 && inLimbs == 2:
		return t.addTwoChecked(out, in, check)
	default:
		return t.addManyChecked(out, in, limbs, inLimbs, check)
	}
}

func (t *sorter) addOneChecked(out []uint64, in [][]uint64, check uint64) (lost uint64) {
	for _, m := range t.images {
		at, ok := t.index(m.low)
		if !ok {
			continue
		}
		from := 2 * (m.source & slabMask)
		v, total := (*[2]uint64)(in[m.source>>slabBits][from:]), (*[2]uint64)(out[2*at:])
		var c uint64
		total[0], c = bits.Add64(total[0], v[0], 0)
		total[1] = limb.SumModulo(total[1], v[1], check)
		lost |= c
	}
	return lost
}

func (t *sorter) addTwoChecked(out []uint64, in [][]uint64, check uint64) (lost uint64) {
	for _, m := range t.images {
		at, ok := t.index(m.low)
		if !ok {
			continue
		}
		from := 3 * (m.source & slabMask)
		v, total := (*[3]uint64)(in[m.source>>slabBits][from:]), (*[3]uint64)(out[3*at:])
		var c uint64
		total[0], c = bits.Add64(total[0], v[0], 0)
		total[1], c = bits.Add64(total[1], v[1], c)
		total[2] = limb.SumModulo(total[2], v[2], check)
		lost |= c
	}
	return lost
}

func (t *sorter) addManyChecked(out []uint64, in [][]uint64, limbs, inLimbs int, check uint64) (lost uint64) {
	for _, m := range t.images {
		at, ok := t.index(m.low)
		if !ok {
			continue
		}
		from := int(m.source&slabMask) * (inLimbs + 1)
		v, total := in[m.source>>slabBits][from:from+inLimbs+1], out[int(at)*(limbs+1):][:limbs+1]
		lost |= limb.Add(total[:limbs], v[:inLimbs])
		total[limbs] = limb.SumModulo(total[limbs], v[inLimbs], check)
	}
	return lost
}
