package sectionfile

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// Write writes a file whose sections the argument write adds. It makes many small writes to the
// underlying writer. It panics if the magic does not have 16 bytes.
func Write(to io.Writer, k Kind, write func(*Writer) error) error {
	if len(k.Magic) != magicBytes {
		panic(fmt.Sprintf("sectionfile: magic %q, expected %d bytes", k.Magic, magicBytes))
	}
	header := binary.LittleEndian.AppendUint32([]byte(k.Magic), k.Version)
	header = binary.LittleEndian.AppendUint32(header, crc32.Checksum(header, castagnoli))
	w := &Writer{to: to}
	if err := w.put(header); err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	if w.body%blockBytes > 0 {
		w.sums = binary.LittleEndian.AppendUint32(w.sums, w.sum)
	}
	table, err := w.table()
	if err != nil {
		return err
	}
	lengths := binary.LittleEndian.AppendUint64(nil, uint64(w.body))
	lengths = binary.LittleEndian.AppendUint64(lengths, uint64(len(table)))
	rest := append(table, w.sums...)
	digest := digest(header, rest, lengths)
	_, err = to.Write(slices.Concat(rest, lengths, digest[:]))
	return err
}

// Writer writes the sections of a file.
type Writer struct {
	to     io.Writer
	body   int64  // number of bytes of the body written so far
	sum    uint32 // checksum so far of the block that is being written
	sums   []byte
	names  []string
	starts []int64 // positions in the body at which the sections begin
}

// Section begins a section. [Write] returns an error if a name is used twice or has over 255 bytes.
func (w *Writer) Section(name string) {
	w.names, w.starts = append(w.names, name), append(w.starts, w.body)
}

// Write appends p to the last section. It returns an error if there is no section.
func (w *Writer) Write(p []byte) (int, error) {
	if len(w.names) == 0 {
		return 0, fmt.Errorf("sectionfile: bytes are written before the first section")
	}
	return len(p), w.put(p)
}

func (w *Writer) put(p []byte) error {
	if _, err := w.to.Write(p); err != nil {
		return err
	}
	for len(p) > 0 {
		n := min(len(p), blockBytes-int(w.body%blockBytes))
		w.sum = crc32.Update(w.sum, castagnoli, p[:n])
		w.body += int64(n)
		p = p[n:]
		if w.body%blockBytes == 0 {
			w.sums = binary.LittleEndian.AppendUint32(w.sums, w.sum)
			w.sum = 0
		}
	}
	return nil
}

func (w *Writer) table() (table []byte, err error) {
	for i, name := range w.names {
		if len(name) > maxName || slices.Contains(w.names[:i], name) {
			return nil, fmt.Errorf("sectionfile: section %.20q is written twice, or its name has more than %d bytes", name, maxName)
		}
		end := w.body
		if i+1 < len(w.names) {
			end = w.starts[i+1]
		}
		table = append(append(table, byte(len(name))), name...)
		table = binary.LittleEndian.AppendUint64(table, uint64(end-w.starts[i]))
	}
	if len(table) > maxTable {
		return nil, fmt.Errorf("sectionfile: a table of %d sections has more than %d bytes",
			len(w.names), maxTable)
	}
	return table, nil
}
