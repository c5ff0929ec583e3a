package blockfile

import (
	"encoding/binary"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// States is the number of states in a full block.
const States = 1 << 12

const (
	widthSize = 2
	lowBytes  = 2
	wordBytes = 8
)

// AppendStates appends the bytes of a block of states, which are sorted by key.
func AppendStates[K key.Key](buf []byte, keys []K, counts []uint64, limbs int) []byte {
	width := (limb.BitLength(counts, limbs) + 7) / 8
	buf = binary.LittleEndian.AppendUint16(buf, uint16(width))
	var last K
	for _, k := range keys {
		buf = appendKey(buf, key.Difference(k, last))
		last = k
	}
	return appendCounts(buf, counts, limbs, width)
}

func appendCounts(buf []byte, counts []uint64, limbs, width int) []byte {
	for i := 0; i < len(counts); i += limbs {
		end := len(buf) + width
		for _, x := range counts[i : i+limbs] {
			buf = binary.LittleEndian.AppendUint64(buf, x)
		}
		buf = buf[:end]
	}
	return buf
}

func appendKey[K key.Key](buf []byte, k K) []byte {
	for {
		b := byte(k[0] & 0x7f)
		var rest uint64
		for i := 0; i < len(k); i++ {
			k[i] >>= 7
			if i+1 < len(k) {
				k[i] |= k[i+1] << 57
			}
			rest |= k[i]
		}
		if rest == 0 {
			return append(buf, b)
		}
		buf = append(buf, b|0x80)
	}
}

// Decoder reads blocks of states.
type Decoder[K key.Key] struct {
	Limbs  int // limbs of a count
	Keys   []K // keys of the block that was decoded last, ascending
	Counts []uint64
}

// Most returns the largest number of bytes that a block of n states can have.
func (d *Decoder[K]) Most(n int) int {
	var k K
	return widthSize + n*((64*len(k)+6)/7+wordBytes*d.Limbs)
}

// Decode decodes a block, and reports whether it has n states with ascending keys.
func (d *Decoder[K]) Decode(block []byte, n int) bool {
	if len(block) < widthSize {
		return false
	}
	width := int(binary.LittleEndian.Uint16(block))
	rest, ok := d.decodeKeys(block[widthSize:], n)
	if !ok || width > wordBytes*d.Limbs || len(rest) != n*width {
		return false
	}
	d.Counts = cutCounts(d.Counts[:0], rest, n, d.Limbs)
	return true
}

func cutCounts(counts []uint64, b []byte, n, limbs int) []uint64 {
	width := len(b) / n
	if whole := limbs - 1; whole >= 0 && width >= wordBytes*whole { // limbs may be 0
		mask := key.LowBits(8 * (width - wordBytes*whole))
		for ; n > 0 && len(b) >= wordBytes*limbs; n-- {
			for i := range whole {
				counts = append(counts, binary.LittleEndian.Uint64(b[wordBytes*i:]))
			}
			counts = append(counts, binary.LittleEndian.Uint64(b[wordBytes*whole:])&mask)
			b = b[width:]
		}
	}
	for ; n > 0; n-- {
		for limb := range limbs {
			counts = append(counts, word(b[min(width, limb*wordBytes):min(width, (limb+1)*wordBytes)]))
		}
		b = b[width:]
	}
	return counts
}

func word(b []byte) (x uint64) {
	if len(b) == wordBytes {
		return binary.LittleEndian.Uint64(b)
	}
	for i := len(b) - 1; i >= 0; i-- {
		x = x<<8 | uint64(b[i])
	}
	return x
}

func (d *Decoder[K]) decodeKeys(b []byte, n int) (rest []byte, ok bool) {
	d.Keys = d.Keys[:0]
	var last, zero K
	for len(d.Keys) < n {
		by, size := cutKey[K](b)
		k := key.Sum(last, by)
		if size == 0 || len(d.Keys) > 0 && (by == zero || key.Less(k, last)) {
			return nil, false
		}
		d.Keys, last, b = append(d.Keys, k), k, b[size:]
	}
	return b, true
}

// cutKey returns the key that appendKey wrote at the start of b, and its size in bytes. The size is
// 0 if b does not begin with a key.
func cutKey[K key.Key](b []byte) (k K, size int) {
	for at := 0; size < len(b) && at < 64*len(k); at += 7 {
		x := uint64(b[size] & 0x7f)
		k[at>>6] |= x << (at & 63)
		if high := x >> (64 - at&63); high != 0 { // a shift by 64 gives 0
			if at>>6+1 == len(k) {
				return k, 0
			}
			k[at>>6+1] |= high
		}
		size++
		if b[size-1] < 0x80 {
			return k, size
		}
	}
	return k, 0
}
