package blockfile

import (
	"encoding/binary"

	"github.com/pavage/pavage/internal/engine/limb"
)

// AppendLows appends the bytes of a block of states, with only the low 16 bits of each key:
//
//	width u16 │ low bits u16 │ … │ count │ count │ …
func AppendLows(buf []byte, lows []uint16, counts []uint64, limbs int) []byte {
	width := (limb.BitLength(counts, limbs) + 7) / 8
	buf = binary.LittleEndian.AppendUint16(buf, uint16(width))
	for _, low := range lows {
		buf = binary.LittleEndian.AppendUint16(buf, low)
	}
	return appendCounts(buf, counts, limbs, width)
}

// MostLows returns the largest number of bytes that AppendLows appends for n states.
func MostLows(n, limbs int) int { return widthSize + n*(lowBytes+wordBytes*limbs) }

// CutLows appends the states of a block to lows and counts. It returns false if they are not n.
func CutLows(lows []uint16, counts []uint64, block []byte, n, limbs int) ([]uint16, []uint64, bool) {
	if len(block) < widthSize+n*lowBytes {
		return lows, counts, false
	}
	width := int(binary.LittleEndian.Uint16(block))
	at, rest := block[widthSize:], block[widthSize+n*lowBytes:]
	if width > wordBytes*limbs || len(rest) != n*width {
		return lows, counts, false
	}
	for i := range n {
		lows = append(lows, binary.LittleEndian.Uint16(at[i*lowBytes:]))
	}
	return lows, cutCounts(counts, rest, n, limbs), true
}
