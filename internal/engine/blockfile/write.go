package blockfile

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"
)

// Version is the version of the format of whole files.
const Version = 1

const (
	magic      = "PAVLEVEL"
	lengthSize = 4
	crcSize    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Writer writes blocks. After an error it writes nothing.
type Writer struct {
	to     io.Writer
	sum    hash.Hash // SHA-256 of all bytes written; nil if the blocks are not a whole file
	blocks int       // number of the next block
	buf    []byte
	err    error
}

// Create begins to write a whole file, which Close ends.
func Create(to io.Writer) *Writer {
	sum := sha256.New()
	w := &Writer{to: io.MultiWriter(to, sum), sum: sum}
	w.write(preamble(Version))
	return w
}

// Append begins to write blocks that are not a whole file. The first block has the given number.
func Append(to io.Writer, number int) *Writer { return &Writer{to: to, blocks: number} }

// Block calls fill to append bytes to a buffer, and writes these bytes as the next block.
func (w *Writer) Block(fill func(buf []byte) []byte) {
	if w.err != nil {
		return
	}
	w.buf = fill(append(w.buf[:0], make([]byte, lengthSize)...))
	binary.LittleEndian.PutUint32(w.buf, uint32(len(w.buf)-lengthSize))
	w.buf = binary.LittleEndian.AppendUint32(w.buf, blockSum(w.blocks, w.buf))
	w.blocks++
	w.write(w.buf)
}

// Close ends a whole file with the checksum of all bytes before.
func (w *Writer) Close() error {
	w.write(w.sum.Sum(nil))
	return w.err
}

// Err returns the first error, or nil if there was none.
func (w *Writer) Err() error { return w.err }

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.to.Write(b)
	}
}

func preamble(version uint32) []byte {
	p := binary.LittleEndian.AppendUint32([]byte(magic), version)
	return binary.LittleEndian.AppendUint32(p, crc32.Checksum(p, castagnoli))
}

func blockSum(number int, block []byte) uint32 {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(number))
	return crc32.Update(crc32.Checksum(n[:], castagnoli), castagnoli, block)
}
