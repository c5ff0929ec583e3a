package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// The sizes of the parts of a file.
const (
	magic       = "pavstore"
	version     = 1
	kindBytes   = 12
	headerBytes = 8 + 2 + 2 + kindBytes + sha256.Size + 4 + 4
	// blockBytes is how much is read and verified before the caller gets any of it. It is
	// small beside the memory of a process, and so large that the cost of each block does
	// not matter.
	blockBytes   = 1 << 16
	sumBytes     = 4
	trailerBytes = 8 + sha256.Size + sumBytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var le = binary.LittleEndian

// header is the beginning of a file: magic, version, two bytes of zero, kind, key, bytes of a block,
// checksum.
func header(k Kind, key Key) []byte {
	h := make([]byte, 0, headerBytes)
	h = append(h, magic...)
	h = le.AppendUint16(h, version)
	h = le.AppendUint16(h, 0)
	h = append(h, k...)
	h = append(h, make([]byte, kindBytes-len(k))...)
	h = append(h, key[:]...)
	h = le.AppendUint32(h, blockBytes)
	return le.AppendUint32(h, crc32.Checksum(h, castagnoli))
}

// headerFault says how a header differs from the one that the file should have; "" if it
// does not.
func headerFault(got, want []byte) string {
	switch {
	case bytes.Equal(got, want):
		return ""
	case !bytes.HasPrefix(got, []byte(magic)):
		return fmt.Sprintf("it begins with %q, want %q: it is no file of a store", got[:len(magic)], magic)
	case le.Uint32(got[headerBytes-sumBytes:]) != crc32.Checksum(got[:headerBytes-sumBytes], castagnoli):
		return "the header has another checksum"
	case le.Uint16(got[len(magic):]) != version:
		return fmt.Sprintf("its version is %d, want %d", le.Uint16(got[len(magic):]), version)
	}
	return "it is the file of another kind or another key"
}

// seal is the checksum of part number i of a file: a block, or after the last block the
// trailer.
func seal(head []byte, i int64, part []byte) uint32 {
	var number [8]byte
	le.PutUint64(number[:], uint64(i))
	sum := crc32.Update(le.Uint32(head[headerBytes-sumBytes:]), castagnoli, number[:])
	return crc32.Update(sum, castagnoli, part)
}

// blocks is the number of blocks for a content of this length.
func blocks(length int64) int64 { return (length + blockBytes - 1) / blockBytes }

// fileBytes is the size of a file with a content of this length.
func fileBytes(length int64) int64 {
	return headerBytes + length + sumBytes*blocks(length) + trailerBytes
}

// writer writes its input as blocks. It holds back at most a part of a block.
type writer struct {
	to     io.Writer
	head   []byte
	block  []byte // the block that is not full yet
	number int64
	length int64
	sum    hash.Hash
}

func newWriter(to io.Writer, k Kind, key Key) (*writer, error) {
	w := &writer{to: to, head: header(k, key), block: make([]byte, 0, blockBytes+sumBytes), sum: sha256.New()}
	_, err := to.Write(w.head)
	return w, err
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		part := p[:min(len(p), blockBytes-len(w.block))]
		w.block = append(w.block, part...)
		n += len(part)
		p = p[len(part):]
		if len(w.block) == blockBytes {
			if err := w.flush(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// flush writes the block that is not full yet.
func (w *writer) flush() error {
	w.sum.Write(w.block)
	w.length += int64(len(w.block))
	sealed := le.AppendUint32(w.block, seal(w.head, w.number, w.block))
	w.number++
	w.block = w.block[:0]
	_, err := w.to.Write(sealed)
	return err
}

// end writes the last block and the trailer.
func (w *writer) end() error {
	if len(w.block) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	t := le.AppendUint64(nil, uint64(w.length))
	t = w.sum.Sum(t)
	_, err := w.to.Write(le.AppendUint32(t, seal(w.head, w.number, t)))
	return err
}
