package child

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pavage/pavage/job"
)

// kind is what a frame holds: its first byte.
type kind byte

const (
	aProgress kind = 'p' // a progress
	aPlan     kind = 'l' // a job.Plan
	aNote     kind = 'n' // a note
	tilings   kind = 't' // whole lines, each a tiling
	output    kind = 'o' // bytes of what the work writes
	anAnswer  kind = 'a' // an answer: the child waits for the line kept
	partial   kind = 'u' // an answer that comes with an error
	theEnd    kind = 'e' // of the task: empty, or a job.Error
)

const (
	header = 5 // bytes: kind, length
	// maxFrame is the longest payload, and the longest line to a child. A tiling of
	// 10^6 cells has about 30 MB; what is longer is an error and not in memory.
	maxFrame = 64 << 20
)

// progress is a job.Progress with all its fields.
type progress struct {
	job.Progress
	Step  int `json:"step"`
	Steps int `json:"steps"`
}

// errFrame is wrapped by the error about output of a child that is no frame.
var errFrame = errors.New("the child sent something that is no frame")

// frames reads frames, one after another.
type frames struct {
	in      *bufio.Reader
	payload []byte // of the last frame; its memory is used again
}

func newFrames(in io.Reader) *frames { return &frames{in: bufio.NewReaderSize(in, header+batch)} }

// next reads a frame. The next call overwrites the payload. The error is io.EOF or
// io.ErrUnexpectedEOF at an end.
func (f *frames) next() (kind, []byte, error) {
	var head [header]byte
	if _, err := io.ReadFull(f.in, head[:]); err != nil {
		return 0, nil, err
	}
	length := binary.BigEndian.Uint32(head[1:])
	if length > maxFrame {
		return 0, nil, fmt.Errorf("%w: a frame of %d bytes, want at most %d", errFrame, length, maxFrame)
	}
	f.payload = slices.Grow(f.payload[:0], int(length))[:length]
	_, err := io.ReadFull(f.in, f.payload)
	return kind(head[0]), f.payload, err
}
