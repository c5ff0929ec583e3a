package job

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// A saved source, version 1. Numbers are little endian:
//
//	"pavage source 1\n"
//	4 bytes: so many bytes of facts
//	facts, a JSON object: see below
//	for each variable of the diagram 4 bytes: the option of the problem that it is
//	the diagram, as package bdd encodes it
//
// Checksums are for whoever keeps the bytes.
const (
	savedMagic   = "pavage source "
	savedVersion = 1
	maxFacts     = 1 << 20
)

// facts say what a saved source is of.
type facts struct {
	Problem   []byte  `json:"problem"` // count.Digest
	Asked     string  `json:"asked"`   // the request's method
	Variables int     `json:"variables"`
	About     Sampled `json:"about"`
}

var (
	// ErrNotSaved is wrapped where a source has no form that can be saved: one that walks
	// through levels, or draws classes.
	ErrNotSaved = errors.New("only a diagram of all tilings can be saved")
	// ErrSaved is wrapped by the errors of LoadSource about the bytes that it reads. Where
	// they are those of another request, ErrOtherRequest is wrapped too.
	ErrSaved        = errors.New("this saved source of tilings cannot be used")
	ErrOtherRequest = errors.New("it is of another request")
)

// asked is the method that the request asks for.
func (r *Sample) asked() string { return cmp.Or(r.Method, AutoMethod) }

// Save writes the source, so that LoadSource makes it again without the work. The
// error wraps ErrNotSaved, or is w's.
func (s *Source) Save(w io.Writer) error {
	c := s.from.Compiled
	if c == nil || s.from.Classes != nil {
		return &Error{Kind: Failure, err: ErrNotSaved}
	}
	digest := count.Digest(s.model.Problem)
	text, err := json.Marshal(facts{Problem: digest[:], Asked: s.asked, Variables: len(c.Options), About: s.about})
	if err != nil {
		return err
	}
	b := fmt.Appendf(nil, "%s%d\n", savedMagic, savedVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = append(b, text...)
	for _, o := range c.Options {
		b = binary.LittleEndian.AppendUint32(b, uint32(o))
	}
	if _, err := w.Write(b); err != nil {
		return err
	}
	return c.Diagram.Encode(context.Background(), w)
}

// LoadSource reads what Save wrote of a source of the same request: the same puzzle, with
// its placements in the same order, and the same method. All is checked: that the
// diagram is one, that its count is the saved one, that the puzzle is the request's. The
// error wraps ErrSaved if the bytes are not good for that, or is one of Prepare's.
func LoadSource(ctx context.Context, r *Sample, from io.Reader, l Limits) (*Source, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if r.Distinct != "" || r.Method == string(sample.ByWalk) {
		return nil, &Error{Kind: Failure, err: ErrNotSaved}
	}
	w := &work{limits: l}
	m, err := w.model(ctx, &r.Puzzle)
	if err != nil {
		return nil, explained(ctx, err)
	}
	s, err := r.load(ctx, m, bufio.NewReaderSize(from, 1<<16), w.limits.Memory)
	switch {
	case errors.Is(err, bdd.ErrLimit):
		return nil, &Error{Kind: Limit, err: fmt.Errorf("%w: %w", ErrMemory, err)}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &Error{Kind: Failure, err: unusable("its bytes end too early")}
	case errors.Is(err, bdd.ErrEncoding), errors.Is(err, bdd.ErrVersion):
		return nil, &Error{Kind: Failure, err: fmt.Errorf("%w: %w", ErrSaved, err)}
	case errors.Is(err, ErrSaved):
		return nil, &Error{Kind: Failure, err: err}
	}
	return s, explained(ctx, err)
}

func (r *Sample) load(ctx context.Context, m *tiling.Model, from *bufio.Reader, memory int64) (*Source, error) {
	f, err := r.readFacts(from, m.Problem)
	if err != nil {
		return nil, err
	}
	options, err := readOptions(from, f.Variables, len(m.Problem.Options))
	if err != nil {
		return nil, err
	}
	d, err := bdd.Decode(ctx, from, bdd.Limits{Bytes: memory})
	if err != nil {
		return nil, err
	}
	if d.Vars() != f.Variables {
		return nil, unusable("its diagram has %d variables, want %d", d.Vars(), f.Variables)
	}
	if _, err := from.ReadByte(); !errors.Is(err, io.EOF) {
		return nil, cmp.Or(err, unusable("it has more bytes behind its end"))
	}
	counts, err := d.CountsWithin(ctx, Limits{Memory: memory}.Without(d.Bytes()).Memory)
	if err != nil {
		return nil, err
	}
	if got := counts.At(d.Root()).String(); got != f.About.Count {
		return nil, unusable("its diagram has %s tilings, want %s", shortened(got), shortened(f.About.Count))
	}
	c := &count.Compiled{Diagram: d, Counts: counts, Options: options, Result: f.result(d, counts)}
	f.About.Title = m.Puzzle.Title
	s := &Source{model: m, from: sample.Of(c, f.About.Reason), about: f.About, asked: r.asked()}
	return s, s.probe(ctx)
}

// unusable is an error about the bytes of a saved source.
func unusable(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrSaved, fmt.Errorf(format, args...))
}

// readFacts reads what the source is of, and refuses one of another puzzle or request.
func (r *Sample) readFacts(from *bufio.Reader, p *cover.Problem) (*facts, error) {
	head := make([]byte, len(savedMagic)+2)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	want := fmt.Sprintf("%s%d\n", savedMagic, savedVersion)
	switch {
	case !bytes.HasPrefix(head, []byte(savedMagic)):
		return nil, unusable("it begins with %q, want %q", head, want)
	case string(head) != want:
		return nil, unusable("it is of version %q, want %d", bytes.TrimSpace(head[len(savedMagic):]), savedVersion)
	}
	var size [4]byte
	if _, err := io.ReadFull(from, size[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n > maxFacts {
		return nil, unusable("its facts have %d bytes, want at most %d", n, maxFacts)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(from, text); err != nil {
		return nil, err
	}
	f := new(facts)
	if err := json.Unmarshal(text, f); err != nil {
		return nil, unusable("its facts are not JSON: %v", err)
	}
	return f, r.fits(f, p)
}

// fits refuses facts of another puzzle or request.
func (r *Sample) fits(f *facts, p *cover.Problem) error {
	digest := count.Digest(p)
	switch {
	case !bytes.Equal(f.Problem, digest[:]):
		return unusable("%w: it is of the exact cover %.8x, want %.8x", ErrOtherRequest, f.Problem, digest)
	case f.Asked != r.asked():
		return unusable("%w: it was made by the method %.40q, want %q", ErrOtherRequest, f.Asked, r.asked())
	case f.Variables < 0 || f.Variables > len(p.Options):
		return unusable("it has %d variables, want 0 to %d, the number of options", f.Variables, len(p.Options))
	}
	f.About.Drawn = 0
	if !r.Explain {
		f.About.Plan = nil
	}
	return nil
}

// readOptions reads which option each variable is.
func readOptions(from io.Reader, variables, all int) ([]int, error) {
	b := make([]byte, 4*variables)
	if _, err := io.ReadFull(from, b); err != nil {
		return nil, err
	}
	options, seen := make([]int, variables), make([]bool, all)
	for v := range options {
		o := binary.LittleEndian.Uint32(b[4*v:])
		if o >= uint32(all) || seen[o] {
			return nil, unusable("its variable %d is option %d, want one of its own below %d", v, o, all)
		}
		options[v], seen[o] = int(o), true
	}
	return options, nil
}

// result is what the saved source took.
func (f *facts) result(d *bdd.Diagram, counts *bdd.Counts) count.Result {
	e := f.About.Effort
	return count.Result{
		Count: counts.At(d.Root()), Engine: count.Diagram, States: e.States, Tries: e.Tries, Nodes: int64(d.Size()), Bytes: f.About.Bytes,
	}
}

// probes are how many tilings of a source that was read are looked at.
const probes = 16

// probe refuses a source whose tilings are not those of its puzzle, as far as a few show:
// the first, the last, and some between.
func (s *Source) probe(ctx context.Context) error {
	last := s.from.Result.Count
	last = new(big.Int).Sub(last, big.NewInt(1))
	for k := range int64(probes) {
		if last.Sign() < 0 {
			return nil
		}
		rank := new(big.Int).Mul(last, big.NewInt(k))
		d, err := s.from.At(ctx, rank.Div(rank, big.NewInt(probes-1)))
		if err != nil {
			return err
		}
		if !s.model.Problem.IsSolution(d.Options) {
			return unusable("tiling %s of it is not one of the puzzle", shortened(d.Rank.String()))
		}
	}
	return nil
}
