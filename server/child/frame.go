package child

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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

// kinds are all kinds of frames.
const kinds = string(aProgress) + string(aPlan) + string(aNote) + string(tilings) + string(output) + string(anAnswer) +
	string(partial) + string(theEnd)

const (
	header = 5 // bytes: kind, length
	// maxFrame is the longest payload, and the longest line to a child. A tiling of
	// 10^6 cells has about 30 MB; what is longer is an error and not in memory.
	maxFrame = 64 << 20
	// step is how much memory is taken for a length alone. More is taken only as the bytes
	// arrive.
	step = 1 << 20
)

// progress is a job.Progress with all its fields.
type progress struct {
	job.Progress
	Step  int `json:"step"`
	Steps int `json:"steps"`
}

// note is a job.Note.
type note struct {
	Weight job.Weight `json:"weight"`
	Text   string     `json:"text"`
	Fields []any      `json:"fields,omitempty"`
}

// errFrame is wrapped by the error about output of a child that is no frame.
var errFrame = errors.New("the child sent something that is no frame")

// frames reads frames, one after another.
type frames struct {
	in      *bufio.Reader
	payload []byte // of the last frame; its memory is used again
}

func newFrames(in io.Reader) *frames { return &frames{in: bufio.NewReaderSize(in, header+batch)} }

// next reads a frame. The next call overwrites the payload. The error is io.EOF at an
// end between two frames, and io.ErrUnexpectedEOF at an end within a frame.
func (f *frames) next() (kind, []byte, error) {
	var head [header]byte
	if _, err := io.ReadFull(f.in, head[:]); err != nil {
		return 0, nil, err
	}
	k, length := kind(head[0]), binary.BigEndian.Uint32(head[1:])
	if strings.IndexByte(kinds, byte(k)) < 0 {
		return 0, nil, fmt.Errorf("%w: a frame of the kind %q, want one of %q", errFrame, byte(k), kinds)
	}
	if length > maxFrame {
		return 0, nil, fmt.Errorf("%w: a frame of %d bytes, want at most %d", errFrame, length, maxFrame)
	}
	err := f.read(int(length))
	return k, f.payload, err
}

// read makes the payload the next length bytes.
func (f *frames) read(length int) error {
	f.payload = f.payload[:0]
	if cap(f.payload) > step && length <= step {
		f.payload = nil // the memory of a huge tiling is not kept
	}
	for len(f.payload) < length {
		old, more := len(f.payload), min(step, length-len(f.payload))
		f.payload = slices.Grow(f.payload, more)[:old+more]
		n, err := io.ReadFull(f.in, f.payload[old:])
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			f.payload = f.payload[:old+n]
			return err
		}
	}
	return nil
}
