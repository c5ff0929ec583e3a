package job

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/tiling"
)

// CompiledExtension is the extension of names of compiled files.
const CompiledExtension = compiled.Extension

const headBytes = 16

// readCompiled returns the compiled file in r or, if there is none, a reader of all bytes of r.
func readCompiled(name string, r io.Reader) (*compiled.File, io.Reader, error) {
	in := bufio.NewReaderSize(r, 1<<12)
	head, err := in.Peek(headBytes)
	if err != nil && err != io.EOF || !compiled.Is(head) {
		return nil, in, nil // if err is not nil, a later read returns it again
	}
	ctx := context.Background() // files of puzzles are read without a context
	if f, ok := r.(*os.File); ok && f.Name() == name {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			file, err := compiled.Open(ctx, name, compiled.Options{})
			return file, nil, err
		}
	}
	file, err := compiled.Read(ctx, in, machine.FreeMemory()/4*3)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return file, nil, err
}

// stored returns p.opened, or the compiled file in p.Data, or nil. A diagram in p.Data is not used.
func (p *Puzzle) stored() (*compiled.File, error) {
	if p.opened != nil || !compiled.Is(p.Data[:min(len(p.Data), headBytes)]) {
		return p.opened, nil
	}
	return compiled.FromBytes(context.Background(), p.Data)
}

// inside returns the puzzle in a compiled file, or p if there is no compiled file.
func (p *Puzzle) inside() *Puzzle {
	f, err := p.stored()
	if f == nil || err != nil { // Puzzle.check has returned the error
		return p
	}
	q := new(Puzzle)
	_ = json.Unmarshal(f.About.Puzzle, q) // Puzzle.check has returned the error
	if q.Text, q.Data = "", f.Data; utf8.Valid(f.Data) {
		q.Text, q.Data = string(f.Data), nil
	}
	return q
}

// source returns p as JSON without its file, and the bytes of the file or the example.
func (p *Puzzle) source() (of json.RawMessage, data []byte, err error) {
	q := *p
	if q.Text, q.Data, q.Example = "", nil, ""; p.Board == "" {
		f, err := p.file()
		if err != nil {
			return nil, nil, err
		}
		if q.Name, data = f.name, f.data; p.Example == "" {
			q.Name = filepath.Base(f.name)
		}
	}
	of, err = json.Marshal(q)
	return of, data, err
}

func (p *Puzzle) checkStored() error {
	f, err := p.stored()
	switch {
	case err != nil:
		return &Error{Kind: KindOf(err), err: err}
	case f == nil:
		return nil
	case len(p.Values) > 0:
		return bad("{values} given, but the puzzle of a compiled file already has its values")
	case p.From != "" || p.Problem != "":
		return bad("{from} or {problem} given, but a compiled file has one puzzle and its own format: expected neither")
	}
	in := p.inside()
	if again, err := in.stored(); again != nil || err != nil {
		return bad("%s: the compiled file contains another compiled file, expected a puzzle in the compiled file", p.Name)
	}
	if err := in.check(); err != nil {
		return err
	}
	if p.opened == nil && f.Derived != "" {
		return bad("{data} is a compiled file of a derived family (%s), which a request cannot use: give the puzzle in place of the file", f.Derived)
	}
	_, err = p.kept()
	return err
}

// kept returns the conditions of a compiled file, which all of its tilings meet.
func (p *Puzzle) kept() (Conditions, error) {
	f, err := p.stored()
	if f == nil || err != nil {
		return Conditions{}, err
	}
	c, err := conditionsOf(f.Conditions)
	if err != nil {
		return c, bad("%s: %w", p.Name, err)
	}
	return c, nil
}

// told joins the conditions of the compiled file and c, for an answer. It returns nil if there are
// no conditions.
func (p *Puzzle) told(c *Conditions) *Conditions {
	kept, err := p.kept()
	if err != nil || p.opened != nil && p.opened.Derived != "" { // check returned the error
		kept = Conditions{}
	}
	return tellWords(append(kept.words(), c.words()...))
}

func tellWords(words []string) *Conditions {
	if len(words) == 0 {
		return nil
	}
	all, err := conditionsOf(words)
	if err != nil {
		panic(err) // cannot happen: the method words of Conditions made the words
	}
	return &all
}

func (p *Puzzle) howDerived() string {
	if p.opened == nil {
		return ""
	}
	return p.opened.Derived
}

func conditionsOf(words []string) (Conditions, error) {
	var c Conditions
	fields := map[string]any{}
	for _, word := range words {
		name, text, some := strings.Cut(word, " ")
		name = strings.ReplaceAll(name, "-", "_")
		if !some {
			fields[name] = true
			continue
		}
		list, _ := fields[name].([]string)
		fields[name] = append(list, text)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return c, err
	}
	if err := strict.Decode(text, &c); err != nil {
		return c, fmt.Errorf("this program does not know all conditions of the file: %.80q", strings.Join(words, ", "))
	}
	return c, nil
}

func (p *Puzzle) derived() error {
	if f := p.opened; f != nil && f.Derived != "" {
		return bad("%s holds a derived family (%s), but this work needs all tilings of a puzzle: give a puzzle in place of the file", p.Name, f.Derived)
	}
	return nil
}

func (p *Puzzle) whole() error {
	c, err := p.kept()
	if err != nil || c.IsEmpty() {
		return cmp.Or(err, p.derived())
	}
	return bad("%s holds only the tilings that meet conditions (%s), but this work needs all tilings: give the puzzle in place of the file", p.Name, c.spelt())
}

func (p *Puzzle) digestStored() (string, error) {
	f, err := p.stored()
	switch {
	case f == nil || err != nil:
		return "", err
	case p.opened != nil:
		return f.Seal(), nil
	}
	sum := sha256.Sum256(p.Data) // not the checksum in the file, which can be forged
	return hex.EncodeToString(sum[:]), nil
}

// own returns the model of the puzzle. It leaves out the conditions of a compiled file.
func (w *work) own(ctx context.Context, p *Puzzle) (*tiling.Model, error) {
	m, err := w.read(ctx, p.inside())
	if err != nil {
		return nil, err
	}
	if f, _ := p.stored(); f != nil { // Puzzle.check has returned the error
		err = f.Of(m.Problem)
	}
	return m, err
}

// onDisk checks the directory for levels. It returns the result of conditioned and its symmetries.
func (w *work) onDisk(ctx context.Context, p *Puzzle, c *Conditions, d Distinct) (*tiling.Model, *symmetry, error) {
	if err := w.limits.checkDisk(); err != nil {
		return nil, nil, err
	}
	m, err := w.conditioned(ctx, p, c)
	if err != nil {
		return nil, nil, err
	}
	s, err := d.symmetry(ctx, m)
	return m, s, err
}

// conditioned returns the model of the tilings that meet c and the conditions of a compiled file.
func (w *work) conditioned(ctx context.Context, p *Puzzle, c *Conditions) (m *tiling.Model, err error) {
	if err := p.derived(); err != nil {
		return nil, err
	}
	if w.placing.begin(p, c) {
		defer func() {
			if err != nil {
				m = nil
			}
			w.placing.model <- m
		}()
	}
	m, err = w.own(ctx, p)
	if err != nil {
		return nil, err
	}
	bounds, words, err := p.bounds(m, c)
	if err != nil || len(words) == 0 {
		return m, err
	}
	w.note(Remark, "conditions: "+strings.Join(words, ", "))
	return m.WithBounds(ctx, bounds)
}

func (p *Puzzle) bounds(m *tiling.Model, c *Conditions) (all []cover.Bound, words []string, err error) {
	kept, err := p.kept()
	if err != nil {
		return nil, nil, err
	}
	for _, of := range []*Conditions{&kept, c} {
		bounds, err := of.read(m)
		if err != nil {
			return nil, nil, err
		}
		all, words = append(all, bounds...), append(words, of.words()...)
	}
	return all, words, nil
}

type subject struct {
	model *tiling.Model  // has all conditions if file is nil, otherwise none
	file  *compiled.File // if nil, the subject is all tilings of model
	// conditions are nil if file is nil. Otherwise they select tilings of the file.
	conditions *Conditions
}

// subject returns the tilings of the puzzle or, if inFile is true, the family of a compiled file.
func (w *work) subject(ctx context.Context, p *Puzzle, c *Conditions, inFile bool) (*subject, error) {
	if p.opened == nil || !inFile {
		m, err := w.conditioned(ctx, p, c)
		return &subject{model: m}, err
	}
	m, err := w.own(ctx, p)
	if err != nil {
		return nil, err
	}
	if f := p.opened; f.Derived != "" {
		w.note(Remark, "a derived family: "+f.Derived)
	} else if len(f.Conditions) > 0 {
		w.note(Remark, "conditions of the file: "+strings.Join(f.Conditions, ", "))
	}
	if !c.IsEmpty() {
		w.note(Remark, "conditions: "+c.spelt())
	}
	return &subject{m, p.opened, c}, nil
}

func (s *subject) load(ctx context.Context, w *work) (*count.Compiled, error) {
	if s.file == nil {
		return w.compile(ctx, s.model)
	}
	c, err := s.file.Load(ctx, s.model.Problem, w.limits.Memory)
	if err != nil {
		return nil, err
	}
	w.note(Detail, "read a compiled file", "nodes", c.Result.Nodes, "bytes", c.Result.Bytes)
	if s.conditions.IsEmpty() {
		return c, nil
	}
	bounds, err := s.conditions.read(s.model)
	if err != nil {
		return nil, err
	}
	return c.Select(ctx, bounds, w.limits.Memory)
}

// set returns the tilings in the file that meet s.conditions, and the reason to use the file.
func (s *subject) set(ctx context.Context, w *work, weights []*big.Rat, inPlace bool) (count.Set, string, error) {
	reason := "it is in the file"
	switch {
	case !s.conditions.IsEmpty():
		reason = "the conditions select a part of the diagram in the file"
	case weights == nil && inPlace:
		return s.file.Family, reason, nil
	}
	c, err := s.load(ctx, w)
	if err != nil || weights == nil {
		return c, reason, err
	}
	set, err := c.Weigh(ctx, weights, w.limits.Memory)
	return set, reason, err
}
