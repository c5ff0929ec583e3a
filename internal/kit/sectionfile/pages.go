package sectionfile

import (
	"errors"
	"os"
	"runtime/debug"
	"sync/atomic"
)

// whole is a body in memory that was checked.
type whole []byte

func (b whole) readAt(p []byte, at int64) error { copy(p, b[at:]); return nil }
func (b whole) close() error                    { return nil }

// mapping is a body that is mapped into memory.
type mapping struct {
	file    *os.File
	all     region
	body    []byte // the first bytes of all
	sums    []byte
	checked []atomic.Uint32 // a bit for each block
}

func newMapping(file *os.File, all region, body int64, sums []byte) *mapping {
	return &mapping{file, all, all[:body], sums, make([]atomic.Uint32, len(sums)/sumBytes/32+1)}
}

// readAt reads the bytes and checks the blocks that were not checked before. The system
// tells by a fault that the bytes are not there.
func (m *mapping) readAt(p []byte, at int64) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			fault, ok := r.(interface{ Addr() uintptr })
			if !ok {
				panic(r)
			}
			err = damaged("its bytes from %d cannot be read (fault at %#x): has it become shorter?", at, fault.Addr())
		}
	}()
	if len(p) == 0 {
		return nil
	}
	for block := at / BlockBytes; block <= (at+int64(len(p))-1)/BlockBytes; block++ {
		word, bit := &m.checked[block/32], uint32(1)<<(block%32)
		if word.Load()&bit != 0 {
			continue
		}
		if err := checkBlock(m.body, m.sums, block); err != nil {
			return err
		}
		word.Or(bit)
	}
	copy(p, m.body[at:])
	return nil
}

func (m *mapping) close() error { return errors.Join(unmapFile(m.all), m.file.Close()) }

// keptBlocks are kept of a file that is not mapped: 16 MiB.
const keptBlocks = 256

// kept is a body of which some blocks are in memory.
type kept struct {
	file  *os.File
	body  int64
	sums  []byte
	slots [keptBlocks]atomic.Pointer[block] // block i in slot i mod keptBlocks
}

// block was checked.
type block struct {
	number int64
	bytes  []byte
}

func newKept(file *os.File, body int64, sums []byte) *kept {
	return &kept{file: file, body: body, sums: sums}
}

func (k *kept) readAt(p []byte, at int64) error {
	for len(p) > 0 {
		b, err := k.block(at / BlockBytes)
		if err != nil {
			return err
		}
		n := copy(p, b[at%BlockBytes:])
		p, at = p[n:], at+int64(n)
	}
	return nil
}

// block reads and checks a block, if it is not kept.
func (k *kept) block(number int64) ([]byte, error) {
	slot := &k.slots[number%keptBlocks]
	if b := slot.Load(); b != nil && b.number == number {
		return b.bytes, nil
	}
	from := number * BlockBytes
	b := &block{number, make([]byte, min(BlockBytes, k.body-from))}
	if err := readFull(k.file, b.bytes, from); err != nil {
		return nil, err
	}
	if err := checkSum(b.bytes, k.sums, number); err != nil {
		return nil, err
	}
	slot.Store(b)
	return b.bytes, nil
}

func (k *kept) close() error { return k.file.Close() }
