package compiled

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/sectionfile"
)

// Extension is the extension of the names of compiled files.
const Extension = ".pavage"

// Version is the version of the file format.
const Version = 1

// Whole is the largest length in bytes of a file that Open reads as a whole.
const Whole = sectionfile.Whole

var kind = sectionfile.Kind{Magic: "\x89PAVAGE diagram\n", Version: Version}

// The sections of a file, in order.
const (
	aboutSection   = "about"   // About, as JSON
	puzzleSection  = "puzzle"  // About.Data
	notesSection   = "notes"   // About.Notes
	optionsSection = "options" // the option of each variable, 4 bytes each
	diagramSection = "diagram" // written by bdd.Diagram.Encode
	countsSection  = "counts"  // written by bdd.Diagram.EncodeCounts
)

// maxAbout is the largest length in bytes of About as JSON, and of About.Notes.
const maxAbout = 1 << 24

var (
	// ErrFile is wrapped if a file is damaged, is no compiled file, or belongs to another problem.
	ErrFile = errors.New("not a compiled diagram that can be used")
	// ErrVersion is wrapped, together with ErrFile, if the format has another version.
	ErrVersion = sectionfile.ErrVersion
	// ErrOtherProblem is wrapped, together with ErrFile, if the file belongs to another problem.
	ErrOtherProblem = errors.New("the file belongs to another puzzle")
)

// About describes the family of a file.
type About struct {
	Puzzle     json.RawMessage `json:"puzzle,omitempty"` // a JSON object, as in a request
	Data       []byte          `json:"-"`                // bytes of the file from which the puzzle was read
	Title      string          `json:"title,omitempty"`
	Conditions []string        `json:"conditions,omitempty"` // one text for each condition
	Derived    string          `json:"derived,omitempty"`    // how a derived family was made, otherwise ""
	Options    int             `json:"options"`              // number of options of the puzzle without conditions
	Digest     string          `json:"digest"`               // Digest of the puzzle without conditions
	Notes      []byte          `json:"-"`                    // private data of the program that wrote the file
}

// Digest returns the hash of a problem as 64 hexadecimal digits.
func Digest(p *cover.Problem) string {
	digest := count.Digest(p)
	return hex.EncodeToString(digest[:])
}

// Is reports whether head has the first bytes of a compiled file of any version. It needs 16 bytes.
func Is(head []byte) bool { return kind.Begins(head) }

// Write writes a diagram with its counts. It returns the errors of w and of ctx.
func Write(ctx context.Context, w io.Writer, a *About, c *count.Compiled) error {
	return sectionfile.Write(w, kind, func(w *sectionfile.Writer) error { return a.write(ctx, w, c) })
}

// WriteFile writes the file at path atomically and durably.
func WriteFile(ctx context.Context, path string, a *About, c *count.Compiled) error {
	return atomicfile.WriteDurable(path, func(w io.Writer) error { return Write(ctx, w, a, c) })
}

func (a *About) write(ctx context.Context, w *sectionfile.Writer, c *count.Compiled) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if most := max(len(text), len(a.Notes)); most > maxAbout {
		return fmt.Errorf("compiled: the description of the file has %d bytes, expected at most %d", most, maxAbout)
	}
	options := make([]byte, 0, 4*len(c.Options))
	for _, o := range c.Options {
		options = binary.LittleEndian.AppendUint32(options, uint32(o))
	}
	for _, s := range []struct {
		name  string
		bytes []byte
	}{{aboutSection, text}, {puzzleSection, a.Data}, {notesSection, a.Notes}, {optionsSection, options}} {
		w.Section(s.name)
		if _, err := w.Write(s.bytes); err != nil {
			return err
		}
	}
	w.Section(diagramSection)
	if err := c.Diagram.Encode(ctx, w); err != nil {
		return err
	}
	w.Section(countsSection)
	return c.Diagram.EncodeCounts(ctx, c.Counts, w)
}

// File is an opened compiled file. Any number of goroutines may read it.
type File struct {
	About
	// Family reads nodes from the file when it needs them. If the file is damaged, errors wrap
	// ErrFile.
	*count.Family

	name   string // the path of the file, or "" for a stream
	file   *sectionfile.File
	nodes  *bdd.Mapped
	counts *sectionfile.Section
}

// Options select how a file is opened. The zero value suits most callers.
type Options = sectionfile.Options

// Open opens a file and reads all sections but nodes and counts. Its errors name the file.
func Open(ctx context.Context, path string, o Options) (*File, error) {
	f, err := sectionfile.Open(path, kind, o)
	return newFile(ctx, path, f, err)
}

// Read reads a file from a stream. It uses at most memory bytes; 0 means no limit.
func Read(ctx context.Context, from io.Reader, memory int64) (*File, error) {
	f, err := sectionfile.Read(ctx, from, kind, sectionfile.Options{Memory: memory})
	return newFile(ctx, "", f, err)
}

// FromBytes reads a file that is in memory. The bytes must not change.
func FromBytes(ctx context.Context, data []byte) (*File, error) {
	f, err := sectionfile.FromBytes(data, kind)
	return newFile(ctx, "", f, err)
}

// newFile reads the sections of a file. It closes the file on an error.
func newFile(ctx context.Context, name string, file *sectionfile.File, err error) (*File, error) {
	if err != nil {
		return nil, fileError(name, err)
	}
	f := &File{name: name, file: file}
	if err := f.open(ctx); err != nil {
		_ = file.Close()
		return nil, fileError(name, err)
	}
	return f, nil
}

func (f *File) open(ctx context.Context) error {
	var text, options []byte
	for _, s := range []struct {
		name  string
		bytes *[]byte
		most  int64
	}{
		{aboutSection, &text, maxAbout},
		{puzzleSection, &f.Data, f.file.Length()},
		{notesSection, &f.Notes, maxAbout},
		{optionsSection, &options, 4 * bdd.MaxVars},
	} {
		section, err := f.file.Section(s.name)
		if err != nil {
			return err
		}
		if *s.bytes, err = section.Bytes(s.most); err != nil {
			return err
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f.About); err != nil {
		return unusable("its description is not the JSON that this version reads: %v", err)
	}
	nodes, err := f.file.Section(diagramSection)
	if err != nil {
		return err
	}
	if f.counts, err = f.file.Section(countsSection); err != nil {
		return err
	}
	if f.nodes, err = bdd.NewMapped(ctx, nodes, f.counts); err != nil {
		return err
	}
	variables, err := f.variables(options, f.nodes.Vars())
	f.Family = count.NewFamily(diagram{f.nodes, f.name}, variables)
	return err
}

func (f *File) variables(b []byte, vars int) ([]int, error) {
	if len(b) != 4*vars {
		return nil, unusable("it lists the options of %d variables, expected %d", len(b)/4, vars)
	}
	variables := make([]int, vars)
	for v := range variables {
		variables[v] = int(binary.LittleEndian.Uint32(b[4*v:]))
	}
	sorted := slices.Sorted(slices.Values(variables))
	for i, o := range sorted {
		if o >= f.About.Options || i > 0 && o == sorted[i-1] {
			return nil, unusable("two variables are option %d, or the puzzle has no such option: it has %d", o, f.About.Options)
		}
	}
	return variables, nil
}

// Of returns an error if the items, bounds or options of p differ from those of the file's problem.
func (f *File) Of(p *cover.Problem) error {
	if of := Digest(p); of != f.Digest || f.About.Options != len(p.Options) {
		return fileError(f.name, unusable("%w: its exact cover has the digest %.16s and %d options, expected %.16s and %d", ErrOtherProblem, f.Digest, f.About.Options, of, len(p.Options)))
	}
	return nil
}

// Length returns the number of bytes of the file.
func (f *File) Length() int64 { return f.file.Length() }

// Seal returns the hash of the file as 64 hexadecimal digits.
func (f *File) Seal() string { return hex.EncodeToString(f.file.Digest[:]) }

// Close releases the file, which must not be used afterwards.
func (f *File) Close() error { return f.file.Close() }

// Load reads the whole file of the problem p. It uses at most memory bytes; 0 means no limit. It
// checks that the diagram is canonical and that its counts are correct. The Result has only Count,
// Engine, Nodes and Bytes. The error wraps ErrFile or cover.ErrMemory, or is the error of ctx.
func (f *File) Load(ctx context.Context, p *cover.Problem, memory int64) (*count.Compiled, error) {
	c, err := f.load(ctx, p, memory)
	return c, fileError(f.name, err)
}

func (f *File) load(ctx context.Context, p *cover.Problem, memory int64) (*count.Compiled, error) {
	d, err := f.nodes.Diagram(ctx, bdd.Limits{Bytes: memory})
	if err != nil {
		return nil, err
	}
	c, err := count.OfDiagram(ctx, p, d, f.Family.Options, memory)
	if err != nil {
		return nil, err
	}
	same := &comparer{with: f.counts}
	if err := d.EncodeCounts(ctx, c.Counts, same); err != nil {
		return nil, err
	}
	if same.at != f.counts.Size() {
		return nil, errCounts
	}
	return c, nil
}

var errCounts = unusable("its counts do not match its nodes")

type comparer struct {
	with *sectionfile.Section
	at   int64
	buf  []byte
}

func (c *comparer) Write(p []byte) (int, error) {
	c.buf = append(c.buf[:0], p...)
	n, err := c.with.ReadAt(c.buf, c.at)
	switch {
	case n < len(p) && err != nil && !errors.Is(err, io.EOF):
		return 0, err
	case n < len(p) || !bytes.Equal(c.buf, p):
		return 0, errCounts
	}
	c.at += int64(n)
	return n, nil
}

type diagram struct {
	*bdd.Mapped
	name string
}

func (d diagram) Unrank(r []uint64, set []int) ([]int, error) {
	set, err := d.Mapped.Unrank(r, set)
	return set, fileError(d.name, err)
}

func (d diagram) Rank(set []int) (*big.Int, error) {
	rank, err := d.Mapped.Rank(set)
	return rank, fileError(d.name, err)
}

func unusable(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrFile, fmt.Errorf(format, args...))
}

// fileError adds ErrFile to errors about a file. To these and to cover.ErrMemory it adds the name.
func fileError(name string, err error) error {
	switch {
	case errors.Is(err, cover.ErrMemory):
	case errors.Is(err, ErrFile):
	case slices.ContainsFunc(ofFile, func(of error) bool { return errors.Is(err, of) }):
		err = fmt.Errorf("%w: %w", ErrFile, err)
	default:
		return err
	}
	if name != "" {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}

var ofFile = []error{sectionfile.ErrForeign, sectionfile.ErrVersion, sectionfile.ErrDamaged, bdd.ErrEncoding, bdd.ErrVersion}
