package slab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
)

type stream[K key.Key] struct {
	slab    *Slab[K]
	at, end int64
	from    io.ReadCloser
}

const step = 1 << 16 // read allocates memory for at most this number of bytes before they have arrived

func (f *stream[K]) read(ctx context.Context, length int64, b []byte) ([]byte, error) {
	if length > f.end-f.at {
		return b, f.slab.damaged(f.at, "a leaf ends behind the last page")
	}
	if f.from == nil {
		from, err := f.slab.from.Range(ctx, f.slab.file, f.at, f.end-f.at)
		if err != nil {
			return b, f.failed(err)
		}
		f.from = from
	}
	for length > 0 {
		if some := int(min(length, step)); cap(b)-len(b) < some {
			b = slices.Grow(b, some)
		}
		n := int(min(length, int64(cap(b)-len(b))))
		got, err := io.ReadFull(f.from, b[len(b):len(b)+n])
		b = b[:len(b)+got]
		f.at, length = f.at+int64(got), length-int64(got)
		f.slab.bytes.Add(int64(got))
		if err != nil {
			return b, f.failed(err)
		}
	}
	return b, nil
}

func (f *stream[K]) failed(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return f.slab.damaged(f.at, "the file ends too early")
	}
	return fmt.Errorf("%s: at byte %d: %w", f.slab.file, f.at, err)
}

func (f *stream[K]) close() {
	if f.from != nil {
		_ = f.from.Close() // an error is harmless: all bytes that were used have been checked
		f.from = nil
	}
	f.end = f.at
}
