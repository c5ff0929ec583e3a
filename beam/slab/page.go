package slab

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/big"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

const (
	magic   = "PAVSLAB"
	version = 2

	rootHead  = len(magic) + 1 + 32 + 8 + 8 + 4 // number of bytes of the root before the length of the sum
	mostBits  = 1 << 19                         // greatest number of bits of a count
	mostSum   = mostBits/8 + 8
	maxStates = 1 << 50
)

type child[K key.Key] struct {
	first   K
	length  int64
	bits    int
	states  int64
	residue uint64
	sum     [sha256.Size]byte // digest of the leaf, or of the page without its leaves
}

func childBytes[K key.Key]() int64 {
	var k K
	return int64(8*len(k) + 4 + 4 + 8 + 8 + sha256.Size)
}

func pageBytes[K key.Key](states int64) int64 {
	return (states + leafStates - 1) / leafStates * childBytes[K]()
}

func appendChildren[K key.Key](b []byte, children []child[K]) []byte {
	for _, c := range children {
		for i := 0; i < len(c.first); i++ {
			b = binary.LittleEndian.AppendUint64(b, c.first[i])
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(c.length))
		b = binary.LittleEndian.AppendUint32(b, uint32(c.bits))
		b = binary.LittleEndian.AppendUint64(b, uint64(c.states))
		b = binary.LittleEndian.AppendUint64(b, c.residue)
		b = append(b, c.sum[:]...)
	}
	return b
}

func cutChildren[K key.Key](b []byte, prime uint64) (children []child[K], wrong string) {
	size := int(childBytes[K]())
	if len(b)%size != 0 {
		return nil, "a list of pages or leaves is cut off"
	}
	children = make([]child[K], len(b)/size)
	for i := range children {
		c := &children[i]
		for w := 0; w < len(c.first); w++ {
			c.first[w] = binary.LittleEndian.Uint64(b[8*w:])
		}
		rest := b[8*len(c.first) : size]
		c.length = int64(binary.LittleEndian.Uint32(rest))
		c.bits = int(binary.LittleEndian.Uint32(rest[4:]))
		c.states = int64(binary.LittleEndian.Uint64(rest[8:]))
		c.residue = binary.LittleEndian.Uint64(rest[16:])
		copy(c.sum[:], rest[24:])
		if i > 0 && !key.Less(children[i-1].first, c.first) {
			return nil, "keys of a list do not rise"
		}
		if c.bits > mostBits || c.states < 1 || c.states > maxStates || c.residue >= prime || c.length < 1 {
			return nil, "a list has impossible numbers"
		}
		b = b[size:]
	}
	return children, ""
}

func lengthOf[K key.Key](children []child[K]) (length int64) {
	for i := range children {
		length += children[i].length
	}
	return length
}

func whole[K key.Key](children []child[K], prime uint64) (c child[K]) {
	for i := range children {
		if i == 0 {
			c.first = children[i].first
		}
		c.bits = max(c.bits, children[i].bits)
		c.states += children[i].states
		c.residue = limb.SumModulo(c.residue, children[i].residue, prime)
	}
	return c
}

func appendRoot[K key.Key](b []byte, h *Head, sum *big.Int, pages []child[K]) []byte {
	b = appendHead[K](b, h)
	digits := sum.Bytes()
	b = binary.LittleEndian.AppendUint32(b, uint32(len(digits)))
	return appendChildren(append(b, digits...), pages)
}

func appendHead[K key.Key](b []byte, h *Head) []byte {
	var k K
	b = append(append(b, magic...), version)
	b = append(b, h.Print[:]...)
	b = binary.LittleEndian.AppendUint64(b, h.Prime)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.Level))
	return binary.LittleEndian.AppendUint32(b, uint32(len(k)))
}

func cutRoot[K key.Key](b []byte, h *Head) (sum *big.Int, pages []child[K], wrong string) {
	if len(b) < rootHead+4 {
		return nil, nil, "its root is too short"
	}
	if want := appendHead[K](nil, h); !bytes.Equal(b[:len(want)], want) {
		return nil, nil, "its root is of another run, level or version"
	}
	n, rest := int64(binary.LittleEndian.Uint32(b[rootHead:])), b[rootHead+4:]
	if n > mostSum || n > int64(len(rest)) || n > 0 && rest[0] == 0 {
		return nil, nil, "its root has an impossible sum"
	}
	pages, wrong = cutChildren[K](rest[n:], h.Prime)
	return new(big.Int).SetBytes(rest[:n]), pages, wrong
}

func nameOf(root []byte) string {
	sum := sha256.Sum256(root)
	return hex.EncodeToString(sum[:])
}
