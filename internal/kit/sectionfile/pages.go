package sectionfile

import (
	"errors"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
)

type whole []byte

func (b whole) readAt(p []byte, at int64) error { copy(p, b[at:]); return nil }
func (b whole) close() error                    { return nil }

type mapping struct {
	file    *os.File
	all     region
	body    []byte // the file without table, checksums and trailer
	sums    []byte
	checked []atomic.Uint32 // one bit for each block: whether the block was checked
}

// readAt returns an error if an access faults because the file has become shorter.
func (m *mapping) readAt(p []byte, at int64) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(interface{ Addr() uintptr })
			if !ok {
				panic(r)
			}
			err = damaged("its bytes from %d cannot be read (fault at %#x): has the file become shorter?", at, fault.Addr())
		}
	}()
	if len(p) == 0 {
		return nil
	}
	for block := at / blockBytes; block <= (at+int64(len(p))-1)/blockBytes; block++ {
		word, bit := &m.checked[block/32], uint32(1)<<(block%32)
		if word.Load()&bit != 0 {
			continue
		}
		from := block * blockBytes
		if err := checkBlock(m.body[from:min(from+blockBytes, int64(len(m.body)))], m.sums, block); err != nil {
			return err
		}
		word.Or(bit)
	}
	copy(p, m.body[at:])
	return nil
}

func (m *mapping) close() error { return errors.Join(unmapFile(m.all), m.file.Close()) }

type paged struct {
	file *os.File
	body int64
	sums []byte

	mu     sync.Mutex
	number int64 // index of the block whose bytes are in the field block
	block  []byte
}

func (f *paged) readAt(p []byte, at int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(p) > 0 {
		if number := at / blockBytes; f.number != number || len(f.block) == 0 {
			from := number * blockBytes
			f.number, f.block = number, slices.Grow(f.block[:0], int(min(blockBytes, f.body)))[:min(blockBytes, f.body-from)]
			err := readFull(f.file, f.block, from)
			if err == nil {
				err = checkBlock(f.block, f.sums, number)
			}
			if err != nil {
				f.block = nil
				return err
			}
		}
		n := copy(p, f.block[at%blockBytes:])
		p, at = p[n:], at+int64(n)
	}
	return nil
}

func (f *paged) close() error { return f.file.Close() }
