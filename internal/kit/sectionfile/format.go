package sectionfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/kit/limit"
)

const (
	// blockBytes is the length of a block; the last of a body may be shorter. (With 16 KiB
	// the first draw from a diagram of 902 MB, which touches 600 blocks, took 13 to 15 ms in
	// most runs, against 19 to 22, and up to 73 ms in some. That a quarter of the checksums
	// saves no more time would fit with the mapping of pages as what costs; that was not
	// measured.)
	blockBytes = 1 << 16
	// magicBytes is the length of a magic.
	magicBytes = 16

	headerBytes  = magicBytes + 4 + sumBytes
	sumBytes     = 4
	trailerBytes = 8 + 8 + sha256.Size
	maxName      = math.MaxUint8
	maxTable     = 1 << 16
)

var (
	// ErrForeign is wrapped by errors about what is no file of the kind.
	ErrForeign = errors.New("another kind of file")
	// ErrVersion is wrapped by errors about a file of the kind, of another version.
	ErrVersion = errors.New("unknown version")
	// ErrDamaged is wrapped by errors about a file that is not as it was written.
	ErrDamaged = errors.New("damaged file")
	// ErrMemory is wrapped by the error about a file that does not fit in the memory allowed.
	ErrMemory = fmt.Errorf("%w: file too large for the memory", limit.ErrMemory)
)

// Kind says how files of a kind begin.
type Kind struct {
	Magic   string // of 16 bytes
	Version uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Begins reports whether a file that begins with these bytes is of the kind, in any version.
func (k Kind) Begins(head []byte) bool { return bytes.HasPrefix(head, []byte(k.Magic)) }

// check refuses a header that is not the kind's.
func (k Kind) check(header []byte) error {
	if !k.Begins(header) {
		return fmt.Errorf("%w: it begins with %.16q, want %q", ErrForeign, header, k.Magic)
	}
	if len(header) < headerBytes {
		return damaged("it ends at byte %d, within its header", len(header))
	}
	end := headerBytes - sumBytes
	if binary.LittleEndian.Uint32(header[end:]) != crc32.Checksum(header[:end], castagnoli) {
		return damaged("the checksum of its header is wrong")
	}
	switch version := binary.LittleEndian.Uint32(header[magicBytes:]); {
	case version > k.Version:
		return fmt.Errorf("%w %d: this program reads version %d, a newer one is needed", ErrVersion, version, k.Version)
	case version < k.Version:
		return fmt.Errorf("%w %d: this program reads version %d, and not older ones",
			ErrVersion, version, k.Version)
	}
	return nil
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// span is where a section lies in the file.
type span struct{ from, length int64 }

// digest is the digest of the bytes outside the sections: header, table and checksums, lengths.
func digest(header, rest, lengths []byte) [sha256.Size]byte {
	return sha256.Sum256(slices.Concat(header, rest, lengths))
}

// tableOf reads the sections of a body of this length.
func tableOf(b []byte, body int64) (map[string]span, error) {
	sections, at := map[string]span{}, int64(headerBytes)
	for len(b) > 0 {
		name := int(b[0])
		if len(b) < 1+name+8 {
			return nil, damaged("its table ends within a section")
		}
		key, length := string(b[1:1+name]), binary.LittleEndian.Uint64(b[1+name:])
		if _, twice := sections[key]; twice || length > uint64(body-at) {
			return nil, damaged("section %q has %d bytes, want one of this name, within the %d that are left", key, length, body-at)
		}
		sections[key] = span{at, int64(length)}
		at += int64(length)
		b = b[1+name+8:]
	}
	if at != body {
		return nil, damaged("its sections end at byte %d, want %d", at, body)
	}
	return sections, nil
}
