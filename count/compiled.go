package count

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
)

// A compiled diagram as bytes, version 1. Numbers are little endian:
//
//	"pavage compiled 1\n"
//	the digest of the problem, 32 bytes
//	variables, 4 bytes
//	for each variable the option that it is, 4 bytes
//	bytes of the count, 4 bytes; the count, its highest byte first
//	the diagram, as package bdd encodes it
//
// There are no checksums: whoever keeps the bytes adds those.
const (
	compiledMagic   = "pavage compiled "
	compiledVersion = 1
)

var (
	// ErrCompiled is wrapped by the errors of DecodeCompiled about the bytes that it reads.
	ErrCompiled = errors.New("not a compiled diagram that can be used")
	// ErrOtherProblem is wrapped too where they are those of another problem.
	ErrOtherProblem = errors.New("it is of another puzzle")
)

// Encode writes the diagram of the problem that it was made of, for DecodeCompiled to
// read. The error is w's or ctx's.
func (c *Compiled) Encode(ctx context.Context, p *cover.Problem, w io.Writer) error {
	digest, count := Digest(p), c.Result.Count.Bytes()
	b := fmt.Appendf(nil, "%s%d\n", compiledMagic, compiledVersion)
	b = append(b, digest[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(c.Options)))
	for _, o := range c.Options {
		b = binary.LittleEndian.AppendUint32(b, uint32(o))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(count)))
	if _, err := w.Write(append(b, count...)); err != nil {
		return err
	}
	return c.Diagram.Encode(ctx, w)
}

// DecodeCompiled reads what Encode has written of the same problem, its options in the same
// order, and not a byte more, in at most so many bytes of memory; 0 is no limit. It checks
// that it is a diagram, with the count that was written, of this problem. Of the Result only
// Count, Engine and Nodes are there. The error wraps ErrCompiled or ErrMemory, or is r's or
// ctx's.
func DecodeCompiled(ctx context.Context, p *cover.Problem, r io.Reader, memory int64) (*Compiled, error) {
	c, err := decodeCompiled(ctx, p, r, memory)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, unusable("its bytes end too early")
	case errors.Is(err, bdd.ErrEncoding), errors.Is(err, bdd.ErrVersion):
		return nil, fmt.Errorf("%w: %w", ErrCompiled, err)
	case err != nil:
		return nil, memoryError(err)
	}
	return c, nil
}

// unusable is an error about the bytes.
func unusable(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCompiled, fmt.Errorf(format, args...))
}

func decodeCompiled(ctx context.Context, p *cover.Problem, r io.Reader, memory int64) (*Compiled, error) {
	if err := readCompiledHead(p, r); err != nil {
		return nil, err
	}
	options, err := readVariables(r, len(p.Options))
	if err != nil {
		return nil, err
	}
	count, err := readCount(r, len(options))
	if err != nil {
		return nil, err
	}
	d, err := bdd.Decode(ctx, r, bdd.Limits{Bytes: memory})
	if err != nil {
		return nil, err
	}
	if d.Vars() != len(options) {
		return nil, unusable("its diagram has %d variables, want %d", d.Vars(), len(options))
	}
	c, err := compiled(ctx, d, options, Options{Limits: Limits{Memory: memory}}, newWork(nil), Result{})
	if err == nil && c.Result.Count.Cmp(count) != 0 {
		err = unusable("its diagram has another count than it says")
	}
	return c, err
}

// readCompiledHead refuses what is another format, version or problem.
func readCompiledHead(p *cover.Problem, r io.Reader) error {
	want := fmt.Sprintf("%s%d\n", compiledMagic, compiledVersion)
	head := make([]byte, len(want)+sha256.Size)
	if _, err := io.ReadFull(r, head); err != nil {
		return err
	}
	magic, of, digest := string(head[:len(compiledMagic)]), head[len(want):], Digest(p)
	switch {
	case magic != compiledMagic:
		return unusable("it begins with %q, want %q", magic, compiledMagic)
	case string(head[:len(want)]) != want:
		return unusable("it is of version %q, want %d", head[len(compiledMagic)], compiledVersion)
	case string(of) != string(digest[:]):
		return unusable("%w: its exact cover is %.8x, want %.8x", ErrOtherProblem, of, digest)
	}
	return nil
}

// readVariables reads which option each variable is.
func readVariables(r io.Reader, all int) ([]int, error) {
	n, err := readWord(r)
	if err != nil {
		return nil, err
	}
	if n > uint32(all) {
		return nil, unusable("it has %d variables, want at most %d, the number of options", n, all)
	}
	b := make([]byte, 4*n)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	options, seen := make([]int, n), make([]bool, all)
	for v := range options {
		o := binary.LittleEndian.Uint32(b[4*v:])
		if o >= uint32(all) || seen[o] {
			return nil, unusable("its variable %d is option %d, want one of its own below %d", v, o, all)
		}
		options[v], seen[o] = int(o), true
	}
	return options, nil
}

// readCount reads the count of a family of so many variables, which is at most 2 to the
// power of that.
func readCount(r io.Reader, variables int) (*big.Int, error) {
	n, err := readWord(r)
	if err != nil {
		return nil, err
	}
	if n > uint32(variables)/8+1 {
		return nil, unusable("its count has %d bytes, want at most %d", n, variables/8+1)
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r, b)
	return new(big.Int).SetBytes(b), err
}

func readWord(r io.Reader) (uint32, error) {
	var b [4]byte
	_, err := io.ReadFull(r, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}
