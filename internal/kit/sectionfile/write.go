package sectionfile

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/pavage/pavage/internal/kit/atomicfile"
)

// Create makes the file at path of the sections that write writes, whole or not at all.
// When it returns nil the file is on the disk.
func Create(path string, k Kind, write func(*Writer) error) error {
	return atomicfile.WriteDurable(path, func(to io.Writer) error { return Write(to, k, write) })
}

// Write writes the sections that write writes, in small pieces, so that a buffer helps.
func Write(to io.Writer, k Kind, write func(*Writer) error) error {
	w := &Writer{to: to, header: k.header()}
	if err := w.put(w.header); err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	return w.end()
}

// Writer takes the bytes of a file's sections.
type Writer struct {
	to     io.Writer
	header []byte
	body   int64  // bytes so far
	sum    uint32 // of those of the last block
	sums   []byte // of the blocks before it
	names  []string
	starts []int64 // where the sections begin
}

// Section begins a section, which ends where the next begins. Names differ, and have at most
// 255 bytes: Write tells where they do not.
func (w *Writer) Section(name string) {
	w.names, w.starts = append(w.names, name), append(w.starts, w.body)
}

// Write implements io.Writer. It writes to the section that was begun last.
func (w *Writer) Write(p []byte) (int, error) {
	if len(w.names) == 0 {
		return 0, fmt.Errorf("sealed: bytes before the first section")
	}
	return len(p), w.put(p)
}

// put writes bytes of the body.
func (w *Writer) put(p []byte) error {
	if _, err := w.to.Write(p); err != nil {
		return err
	}
	for len(p) > 0 {
		n := min(len(p), BlockBytes-int(w.body%BlockBytes))
		w.sum = crc32.Update(w.sum, castagnoli, p[:n])
		w.body += int64(n)
		p = p[n:]
		if w.body%BlockBytes == 0 {
			w.endBlock()
		}
	}
	return nil
}

func (w *Writer) endBlock() {
	w.sums = binary.LittleEndian.AppendUint32(w.sums, w.sum)
	w.sum = 0
}

// end writes what comes behind the sections.
func (w *Writer) end() error {
	if w.body%BlockBytes > 0 {
		w.endBlock()
	}
	var rest []byte
	for i, name := range w.names {
		if len(name) > maxName || slices.Contains(w.names[:i], name) {
			return fmt.Errorf("sealed: section %.20q is there twice, or its name has over %d bytes", name, maxName)
		}
		end := w.body
		if i+1 < len(w.names) {
			end = w.starts[i+1]
		}
		rest = append(append(rest, byte(len(name))), name...)
		rest = binary.LittleEndian.AppendUint64(rest, uint64(end-w.starts[i]))
	}
	if len(rest) > maxTable {
		return fmt.Errorf("sealed: a table of %d sections has over %d bytes", len(w.names), maxTable)
	}
	t := trailer{body: uint64(w.body), table: uint64(len(rest))}
	rest = append(rest, w.sums...)
	digest := digest(w.header, rest, t)
	_, err := w.to.Write(append(t.append(rest), digest[:]...))
	return err
}
