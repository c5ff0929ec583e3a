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
	version = 1

	rootHead  = len(magic) + 1 + 32 + 8 + 8 + 4 + 4 // up to the sum
	pageHead  = 8 + 4
	mostBits  = 1 << 19 // of a count: the width of a leaf's counts is 16 bits
	mostSum   = mostBits/8 + 8
	mostHigh  = 8 // of a tree: it would have 2^56 leaves
	maxStates = 1 << 50
)

// child is what an inner page lists about a page.
type child[K key.Key] struct {
	first   K // key of its first state
	length  int64
	bits    int
	states  int64
	residue uint64
	sum     [sha256.Size]byte
}

// childBytes is the size of a child.
func childBytes[K key.Key]() int {
	var k K
	return 8*len(k) + 4 + 4 + 8 + 8 + sha256.Size
}

// append appends the child to a page.
func (c *child[K]) append(b []byte) []byte {
	for i := 0; i < len(c.first); i++ {
		b = binary.LittleEndian.AppendUint64(b, c.first[i])
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(c.length))
	b = binary.LittleEndian.AppendUint32(b, uint32(c.bits))
	b = binary.LittleEndian.AppendUint64(b, uint64(c.states))
	b = binary.LittleEndian.AppendUint64(b, c.residue)
	return append(b, c.sum[:]...)
}

// cutChild is what append has appended.
func cutChild[K key.Key](b []byte) (c child[K]) {
	for i := 0; i < len(c.first); i++ {
		c.first[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	b = b[8*len(c.first):]
	c.length = int64(binary.LittleEndian.Uint32(b))
	c.bits = int(binary.LittleEndian.Uint32(b[4:]))
	c.states = int64(binary.LittleEndian.Uint64(b[8:]))
	c.residue = binary.LittleEndian.Uint64(b[16:])
	copy(c.sum[:], b[24:])
	return c
}

// page is an inner page that was read and checked.
type page[K key.Key] struct {
	place    int64 // where its first child begins
	children []child[K]
}

// appendPage appends an inner page.
func appendPage[K key.Key](b []byte, place int64, children []child[K]) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(place))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(children)))
	for i := range children {
		b = children[i].append(b)
	}
	return b
}

// cutPage is an inner page of these bytes, or what is wrong with them. It checks all that a reader relies
// on, except what only the children show.
func cutPage[K key.Key](b []byte, prime uint64) (p page[K], wrong string) {
	if len(b) < pageHead {
		return p, "an inner page is too short"
	}
	p.place = int64(binary.LittleEndian.Uint64(b))
	n, rest := int64(binary.LittleEndian.Uint32(b[8:])), b[pageHead:]
	if n > Children || int64(len(rest)) != n*int64(childBytes[K]()) {
		return p, "an inner page has another length than its children"
	}
	p.children = make([]child[K], 0, n)
	for ; len(rest) > 0; rest = rest[childBytes[K]():] {
		c := cutChild[K](rest)
		if n := len(p.children); n > 0 && !key.Less(p.children[n-1].first, c.first) {
			return p, "the keys of an inner page do not rise"
		}
		if c.bits > mostBits || c.states < 1 || c.states > maxStates || c.residue >= prime || c.length < 1 {
			return p, "an inner page has impossible numbers"
		}
		p.children = append(p.children, c)
	}
	if p.place < 0 || p.place > maxStates<<10 {
		return p, "an inner page has its children at an impossible place"
	}
	return p, ""
}

// end is where the last child ends.
func (p *page[K]) end() int64 { return p.begin(len(p.children)) }

// begin is where child i begins.
func (p *page[K]) begin(i int) int64 {
	at := p.place
	for k := range i {
		at += p.children[k].length
	}
	return at
}

// whole is how a page with these children is listed, without its length and digest.
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

// root is the root of a slab.
type root[K key.Key] struct {
	page[K]
	height int // of the pages that it lists: 0, leaves
	sum    *big.Int
}

// appendRoot appends the root.
func appendRoot[K key.Key](b []byte, h *Head, r *root[K]) []byte {
	b = append(appendHead[K](b, h), byte(r.height), 0, 0, 0)
	sum := r.sum.Bytes()
	b = binary.LittleEndian.AppendUint32(b, uint32(len(sum)))
	b = append(b, sum...)
	return appendPage(b, r.place, r.children)
}

// appendHead appends what all slabs of a level begin their roots with.
func appendHead[K key.Key](b []byte, h *Head) []byte {
	var k K
	b = append(append(b, magic...), version)
	b = append(b, h.Print[:]...)
	b = binary.LittleEndian.AppendUint64(b, h.Prime)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.Level))
	return binary.LittleEndian.AppendUint32(b, uint32(len(k)))
}

// mostRoot is how long a root can be.
func mostRoot[K key.Key]() int64 { return int64(rootHead+4+mostSum) + mostPage[K]() }

// mostPage is how long an inner page can be.
func mostPage[K key.Key]() int64 { return int64(pageHead + Children*childBytes[K]()) }

// cutRoot is the root of these bytes, or what is wrong with them.
func cutRoot[K key.Key](b []byte, h *Head) (r root[K], wrong string) {
	if len(b) < rootHead+4 {
		return r, "its root is too short"
	}
	if want := appendHead[K](nil, h); !bytes.Equal(b[:len(want)], want) {
		return r, "its root is that of another run, level or version"
	}
	r.height = int(binary.LittleEndian.Uint32(b[rootHead-4:]))
	n, rest := int64(binary.LittleEndian.Uint32(b[rootHead:])), b[rootHead+4:]
	if n > mostSum || n > int64(len(rest)) || r.height > mostHigh || n > 0 && rest[0] == 0 {
		return r, "its root has impossible numbers"
	}
	r.sum = new(big.Int).SetBytes(rest[:n])
	r.page, wrong = cutPage[K](rest[n:], h.Prime)
	return r, wrong
}

// nameOf is the name of a slab with this root.
func nameOf(root []byte) string {
	sum := sha256.Sum256(root)
	return hex.EncodeToString(sum[:])
}
