package evidence

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// certifyDistinct writes a certificate of the count up to the symmetries of a board.
func certifyDistinct(t testing.TB, p *cover.Problem, group []cover.Symmetry) ([]byte, *count.DistinctResult) {
	t.Helper()
	var file bytes.Buffer
	r, err := count.CertifyDistinct(context.Background(), p, group, &file, count.Auto, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), r
}

func checkDistinct(p *cover.Problem, group []cover.Symmetry, file []byte) (*verify.Certified, error) {
	o := verify.CertificateOptions{Group: func(int) []cover.Symmetry { return group }}
	return verify.CheckCertificate(context.Background(), p, bytes.NewReader(file), o)
}

// someDistinct are puzzles of all lattices and wraps, with holes, optional cells, pieces of
// two colours, bounds that cannot be met, and no symmetry but one.
func someDistinct(t testing.TB) (models []*tiling.Model) {
	for _, text := range []string{
		"{board: 2x3, pieces: [{name: domino, copies: any}]}",
		"{board: 4x4, pieces: [{name: domino, copies: any}]}",
		"{board: 4x4, cover: at-most, pieces: [{name: L3, copies: 1..4}]}",
		"{board: 3x4, pieces: [{name: L3, copies: any}, {name: domino, copies: 0..2}, {name: monomino, copies: 2..}]}",
		"{board: 4x4, wrap: both, pieces: [{name: domino, copies: any}]}",
		"{board: 3x4, wrap: klein, pieces: [{name: domino, copies: any}]}",
		"{board: 2x2x3, pieces: [{name: domino, copies: any}]}",
		"{board: \"###\\n#.#\\n###\", pieces: [{name: domino, copies: any}]}",
		"{board: 3x3, pieces: [{name: domino, copies: 5..9}, {name: monomino, copies: any}]}",
		"{board: 3x3, pieces: [{name: domino, copies: any}]}",
		"{lattice: hexagon, board: 3x4, pieces: [{name: dihex, copies: any}, {name: trihex-A, copies: 0..2}]}",
		"{lattice: triangle, board: 4x6, pieces: [{name: moniamond, copies: any}, {name: diamond, copies: 2..}]}",
	} {
		models = append(models, puzzletest.Parse(t, text))
	}
	return models
}

// TestDistinctCertificates: package verify accepts the certificates of counts up to symmetry that
// package count writes, and both numbers equal the numbers of a count.
func TestDistinctCertificates(t *testing.T) {
	for _, m := range someDistinct(t) {
		for _, reflections := range []bool{true, false} {
			group := m.Group(reflections).Symmetries()
			want, err := count.Distinct(context.Background(), m.Problem, group, count.Auto, count.Options{})
			if err != nil {
				t.Fatal(err)
			}
			file, r := certifyDistinct(t, m.Problem, group)
			c, err := checkDistinct(m.Problem, group, file)
			if err != nil {
				t.Errorf("%s: %v", m.Puzzle.Literal(), err)
				continue
			}
			if r.Count.Cmp(want.Count) != 0 || c.Distinct.Count.Cmp(want.Count) != 0 || c.Count.Cmp(want.Total.Count) != 0 || len(c.Distinct.Classes) != len(want.Classes) {
				t.Errorf("%s: written %v, checked %v of %v, want %v of %v", m.Puzzle.Literal(), r.Count, c.Distinct.Count, c.Count, want.Count, want.Total.Count)
			}
			for _, k := range c.Distinct.Classes {
				if f := fixedBy(want, k.Element); f == nil || f.Cmp(k.Fixed) != 0 {
					t.Errorf("%s: element %d fixes %v, want %v", m.Puzzle.Literal(), k.Element, k.Fixed, f)
				}
			}
		}
	}
}

// fixedBy returns the number of solutions that an element of the group fixes.
func fixedBy(r *count.DistinctResult, element int) *big.Int {
	for _, c := range r.Classes {
		if slices.Contains(c.Elements, element) {
			return c.Fixed.Count
		}
	}
	return nil
}

// TestDistinctCertificateBytes: a certificate does not depend on threads, on the order in
// which the group is given, and on levels that are on disk.
func TestDistinctCertificateBytes(t *testing.T) {
	m := puzzletest.Inline(t, "6x6", "tetrominoes=any")
	group := m.Group(true).Symmetries()
	want, _ := certifyDistinct(t, m.Problem, group)
	turned := slices.Clone(group)
	slices.Reverse(turned)
	for _, l := range []count.Limits{{Threads: 4}, {Threads: 1, Memory: 1 << 20, Disk: t.TempDir()}} {
		var file bytes.Buffer
		r, err := count.CertifyDistinct(context.Background(), m.Problem, turned, &file, count.Auto, count.Options{Limits: l})
		if err != nil || !bytes.Equal(file.Bytes(), want) {
			t.Errorf("%+v: another certificate, %v", l, err)
			continue
		}
		if first := r.Classes[0].Elements; len(first) != 1 || !slices.IsSorted(turned[first[0]]) {
			t.Errorf("the first class is %v, want the identity's class", first)
		}
	}
}

// TestDistinctCertificateFlips changes each byte of certificates, cuts them short and
// makes them longer: they are rejected.
func TestDistinctCertificateFlips(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for _, m := range someDistinct(t)[:testkit.Size(2, 12)] {
		group := m.Group(true).Symmetries()
		file, _ := certifyDistinct(t, m.Problem, group)
		for at := range file {
			edited := slices.Clone(file)
			edited[at] ^= byte(1 + rng.IntN(255))
			wantRejected(t, m, group, edited, "byte %d changed", at)
			if at%7 == 0 {
				wantRejected(t, m, group, file[:at], "cut at byte %d", at)
			}
		}
		wantRejected(t, m, group, append(slices.Clone(file), 0), "a byte more")
	}
}

func wantRejected(t *testing.T, m *tiling.Model, group []cover.Symmetry, file []byte, what string, a ...any) {
	t.Helper()
	c, err := checkDistinct(m.Problem, group, file)
	if !errors.Is(err, verify.ErrCertificate) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %s: %v, %v, want one line that rejects it", m.Puzzle.Literal(), fmt.Sprintf(what, a...), c, err)
	}
}

// sheet is the content of a certificate of a count up to symmetry.
type sheet struct {
	digest  []byte
	order   uint64
	classes []sheetClass
	count   *big.Int
}

type sheetClass struct {
	elements uint64
	to       []uint64
	file     []byte
	fixed    *big.Int
}

const sheetMagic = "pavage certificate 4\n"

// readSheet reads a valid certificate.
func readSheet(file []byte, items int) *sheet {
	b := file[len(sheetMagic):]
	number := func() uint64 {
		x, n := binary.Uvarint(b)
		b = b[n:]
		return x
	}
	s := &sheet{digest: b[:32]}
	b = b[32:]
	s.order = number()
	for done := uint64(0); done < s.order; {
		c := sheetClass{elements: number()}
		for range items {
			c.to = append(c.to, number())
		}
		for n := uint64(1 << 16); n == 1<<16; {
			n = number()
			c.file = append(c.file, b[:n]...)
			b = b[n:]
		}
		c.fixed = new(big.Int).SetUint64(number())
		s.classes = append(s.classes, c)
		done += c.elements
	}
	s.count = new(big.Int).SetUint64(number())
	return s
}

// bytes writes it, with the SHA-256 put right.
func (s *sheet) bytes() []byte {
	b := binary.AppendUvarint(slices.Clone(s.digest), s.order)
	for _, c := range s.classes {
		b = binary.AppendUvarint(b, c.elements)
		for _, to := range c.to {
			b = binary.AppendUvarint(b, to)
		}
		rest := c.file
		for ; len(rest) >= 1<<16; rest = rest[1<<16:] {
			b = append(binary.AppendUvarint(b, 1<<16), rest[:1<<16]...)
		}
		b = append(binary.AppendUvarint(b, uint64(len(rest))), rest...)
		b = binary.AppendUvarint(b, c.fixed.Uint64())
	}
	b = binary.AppendUvarint(b, s.count.Uint64())
	sum := sha256.Sum256(b)
	return slices.Concat([]byte(sheetMagic), b, sum[:])
}

// TestDistinctCertificateEdits makes one edit in the content of a certificate, with the SHA-256
// corrected. All are rejected, with a reason.
func TestDistinctCertificateEdits(t *testing.T) {
	m := puzzletest.Inline(t, "4x4", "domino=any")
	group := m.Group(true).Symmetries()
	other := puzzletest.Inline(t, "4x4", "domino=any", "monomino=0..2")
	otherFile, _ := certifyDistinct(t, other.Problem, other.Group(true).Symmetries())
	file, _ := certifyDistinct(t, m.Problem, group)
	if !bytes.Equal(readSheet(file, len(m.Problem.Items)).bytes(), file) {
		t.Fatal("the sheet is another one")
	}
	for _, e := range []struct {
		name, want string
		do         func(s *sheet)
	}{
		{"digest", "digest: the certificate is of another puzzle", func(s *sheet) { s.digest[3] ^= 1 }},
		{"order", "group: the group of the certificate has the order 4, expected the order 8", func(s *sheet) { s.order = 4 }},
		{"order 0", "group: the order of the group is 0, expected 1..1024", func(s *sheet) { s.order = 0 }},
		{"absurd order", "group: the order of the group is 1125899906842624, expected", func(s *sheet) { s.order = 1 << 50 }},
		{"more elements", "class 2: the class has 3 elements, expected 2", func(s *sheet) { s.classes[1].elements++ }},
		{"fewer elements", "class 3: the class has 1 elements, expected 2", func(s *sheet) { s.classes[2].elements-- }},
		{"far too many elements", "class 1: the number of elements is 9, expected 1..8", func(s *sheet) { s.classes[0].elements = 9 }},
		{"identity of two", "class 1: the class has 2 elements, expected 1", func(s *sheet) { s.classes[0].elements = 2 }},
		{"no permutation", "class 1: the item is 99, expected 0..", func(s *sheet) { s.classes[0].to[0] = 99 }},
		{"another permutation", "class 2: the permutation of the class is not in the group", func(s *sheet) {
			s.classes[1].to[0], s.classes[1].to[1] = s.classes[1].to[1], s.classes[1].to[0]
		}},
		{"permutation of a class before", "the element of the class is not the least element without a class", func(s *sheet) { s.classes[2].to = s.classes[1].to }},
		{"classes exchanged", "the element of the class is not the least element without a class", func(s *sheet) { s.classes[1], s.classes[2] = s.classes[2], s.classes[1] }},
		{"identity later", "class 1: the element of the class is not the least", func(s *sheet) { s.classes[0], s.classes[1] = s.classes[1], s.classes[0] }},
		{"certificates exchanged", "class 1, digest: the certificate is of another puzzle", func(s *sheet) { s.classes[0].file, s.classes[1].file = s.classes[1].file, s.classes[0].file }},
		{"certificates of quotients exchanged", "class 2, digest: the certificate is of another puzzle", func(s *sheet) { s.classes[1].file, s.classes[2].file = s.classes[2].file, s.classes[1].file }},
		{"certificate of another puzzle", "class 1, digest: the certificate is of another puzzle", func(s *sheet) {
			s.classes[0].file = readSheet(otherFile, len(other.Problem.Items)).classes[0].file
		}},
		{"no certificate", `class 3, first line: the file is empty`, func(s *sheet) { s.classes[2].file = nil }},
		{"certificate cut", "class 1, ", func(s *sheet) { s.classes[0].file = s.classes[0].file[:len(s.classes[0].file)/2] }},
		{"certificate with more", "class 1, end: bytes or an error", func(s *sheet) { s.classes[0].file = append(slices.Clone(s.classes[0].file), 0) }},
		{"certificate within itself", `class 1, first line: the file begins with "pavage certificate 4\n"`, func(s *sheet) { s.classes[0].file = file }},
		{"class left out", "class 2: the element of the class is not the least", func(s *sheet) { s.classes = slices.Delete(s.classes, 1, 2) }},
		{"last class left out", "", func(s *sheet) { s.classes = s.classes[:len(s.classes)-1] }},
		{"class twice", "", func(s *sheet) { s.classes = append(s.classes, s.classes[len(s.classes)-1]) }},
		{"all solutions", "class 1: the elements of the class fix 37 solutions, but the certificate of the class counts 36", func(s *sheet) { s.classes[0].fixed.SetInt64(37) }},
		{"fixed solutions", "class 2: the elements of the class fix 5 solutions, but the certificate of the class counts", func(s *sheet) { s.classes[1].fixed.SetInt64(5) }},
		{"mean", "end: the number of classes of solutions is 10, but the elements fix 9 solutions on average", func(s *sheet) { s.count.SetInt64(10) }},
		{"smaller mean", "end: the number of classes of solutions is 8, but the elements fix 9 solutions on average", func(s *sheet) { s.count.SetInt64(8) }},
	} {
		s := readSheet(slices.Clone(file), len(m.Problem.Items))
		e.do(s)
		c, err := checkDistinct(m.Problem, group, s.bytes())
		if !errors.Is(err, verify.ErrCertificate) || !strings.Contains(err.Error(), e.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, %v, want %q", e.name, c, err, e.want)
		}
	}
}

// TestDistinctCertificatesOfOthers: a valid certificate of another group or another puzzle is
// rejected, even if it has the same order and the same counts, and the digest of this puzzle.
func TestDistinctCertificatesOfOthers(t *testing.T) {
	m := puzzletest.Inline(t, "4x4", "domino=any")
	all, rotations := m.Group(true).Symmetries(), m.Group(false).Symmetries()
	var mirrors []cover.Symmetry // with half a turn: the same number as the rotations
	for _, s := range all {
		if s[0]/4 == s[1]/4 { // rows go to rows
			mirrors = append(mirrors, s)
		}
	}
	other := puzzletest.Inline(t, "4x4", "domino=8")
	for _, c := range []struct {
		name     string
		by, want []cover.Symmetry // the certificate's group, and the checker's
		of       *tiling.Model
		edit     func(*sheet)
		why      string // "" if it is accepted
	}{
		{"mirrors that are asked for", mirrors, mirrors, m, nil, ""},
		{"rotations for all", rotations, all, m, func(s *sheet) { s.order = 8 }, "class 2: the element of the class is not the least"},
		{"mirrors for all", mirrors, all, m, func(s *sheet) { s.order = 8 }, "class 2: the element of the class is not the least"},
		{"mirrors for rotations", mirrors, rotations, m, nil, "class 2: the permutation of the class is not in the group"},
		{"identity for all", all[:1], all, m, func(s *sheet) { s.order, s.classes[0].elements = 8, 8 }, "class 1: the class has 8 elements, expected 1"},
		{"two classes as one", all, all, m, func(s *sheet) {
			s.classes[1].elements += s.classes[2].elements
			s.classes = slices.Delete(s.classes, 2, 3)
		}, "class 2: the class has 4 elements, expected 2"},
		{"another puzzle", other.Group(true).Symmetries(), all, other, nil, "digest: the certificate is of another puzzle"},
		{"another puzzle with this puzzle's digest", other.Group(true).Symmetries(), all, other, func(s *sheet) { pretend(t, s, m.Problem) }, "class 1, "},
	} {
		file, _ := certifyDistinct(t, c.of.Problem, c.by)
		s := readSheet(file, len(c.of.Problem.Items))
		if c.edit != nil {
			c.edit(s)
		}
		got, err := checkDistinct(m.Problem, c.want, s.bytes())
		if accepted := err == nil; accepted != (c.why == "") || !accepted && (!errors.Is(err, verify.ErrCertificate) || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %+v, %v, want %q", c.name, got, err, c.why)
		}
	}
}

// pretend replaces the digest of a certificate by the digest of another cover, in all its parts.
func pretend(t *testing.T, s *sheet, p *cover.Problem) {
	digest := count.Digest(p)
	s.digest = digest[:]
	for k := range s.classes {
		c := &s.classes[k]
		c.file = about(t, c.file, quotientBy(t, p, c.to))
	}
}

// quotientBy is the quotient by the symmetry with these images.
func quotientBy(t *testing.T, p *cover.Problem, to []uint64) *cover.Problem {
	t.Helper()
	s := make(cover.Symmetry, len(to))
	for i, x := range to {
		s[i] = int(x)
	}
	if slices.IsSorted(s) {
		return p // whose quotient is the cover itself
	}
	q, err := p.Quotient(s)
	if err != nil {
		t.Fatal(err)
	}
	return q.Problem
}

// about is a certificate with the digest of another cover, and with its SHA-256 corrected.
func about(t *testing.T, file []byte, p *cover.Problem) []byte {
	t.Helper()
	n := bytes.IndexByte(file, '\n') + 1
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	body, err := d.DecodeAll(file[n:], nil)
	if err != nil {
		t.Fatal(err)
	}
	digest := count.Digest(p)
	body = body[:len(body)-sha256.Size]
	copy(body, digest[:])
	sum := sha256.Sum256(body)
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return append(slices.Clone(file[:n]), e.EncodeAll(append(body, sum[:]...), nil)...)
}

// TestDistinctCertificateAsked: the caller of the checker must name the group of such a
// certificate, and a set that is no group is not the certificate's fault.
func TestDistinctCertificateAsked(t *testing.T) {
	m := puzzletest.Inline(t, "4x4", "domino=any")
	group := m.Group(true).Symmetries()
	file, _ := certifyDistinct(t, m.Problem, group)
	_, err := verify.CheckCertificate(context.Background(), m.Problem, bytes.NewReader(file), verify.CertificateOptions{})
	if !errors.Is(err, verify.ErrCertificate) || !strings.Contains(err.Error(), "group: the certificate is of a count up to symmetry, by a group of order 8") {
		t.Errorf("without a group: %v", err)
	}
	none := slices.Clone(group)
	none[7] = slices.Clone(none[7])
	none[7][0], none[7][5] = none[7][5], none[7][0]
	for name, g := range map[string][]cover.Symmetry{"an element twice": append(slices.Clone(group[:7]), group[0]), "no symmetry": none} {
		if _, err := checkDistinct(m.Problem, g, file); err == nil || errors.Is(err, verify.ErrCertificate) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var out bytes.Buffer
	for name, g := range map[string][]cover.Symmetry{"none": nil, "not closed": group[:7]} {
		if _, err := count.CertifyDistinct(context.Background(), m.Problem, g, &out, count.Auto, count.Options{}); !errors.Is(err, count.ErrGroup) || out.Len() > 0 {
			t.Errorf("%s: %v, %d bytes written", name, err, out.Len())
		}
	}
	if _, err := count.CertifyDistinct(context.Background(), m.Problem, group, &out, count.Search, count.Options{}); !errors.Is(err, count.ErrNoCertificate) {
		t.Errorf("by a search: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := verify.CertificateOptions{Group: func(int) []cover.Symmetry { return group }}
	if _, err := verify.CheckCertificate(ctx, m.Problem, bytes.NewReader(file), o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	o.Memory = 100
	if _, err := verify.CheckCertificate(context.Background(), m.Problem, bytes.NewReader(file), o); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("in 100 bytes: %v", err)
	}
}

// TestDistinctCertificatesOfFacts certifies the known counts up to symmetry whose sweeps have at
// most a million states together; certificates have more.
func TestDistinctCertificatesOfFacts(t *testing.T) {
	checked := 0
	for _, row := range facts.Counts() {
		if row.Distinct == nil || !testkit.IsLong() && !strings.Contains("dominoes-6x6 pent-3x20 right-trominoes-6x6 hexiamonds-3x12 tetrahexes-4x7", row.ID) {
			continue
		}
		m := puzzletest.Parse(t, row.Puzzle)
		group := m.Group(!strings.HasPrefix(row.Group, "rotations")).Symmetries()
		if !sweptWithin(t, m.Problem, certifiedStates) {
			continue
		}
		file, _ := certifyDistinct(t, m.Problem, group)
		c, err := checkDistinct(m.Problem, group, file)
		if err != nil || c.Distinct.Count.Cmp(row.Distinct) != 0 || row.Count != nil && c.Count.Cmp(row.Count) != 0 {
			t.Errorf("%s: %v, %+v, want %v of %v", row.ID, err, c, row.Distinct, row.Count)
			continue
		}
		t.Logf("%s: %d classes, %d states, %d arcs, %d bytes compressed", row.ID, len(c.Distinct.Classes), c.States, c.Arcs, len(file))
		checked++
	}
	if checked < testkit.Size(4, 11) {
		t.Errorf("only %d certificates", checked)
	}
}

// FuzzDistinctCertificate has the checker look at anything between the first line and the
// SHA-256, which is put right. It does not panic, and certifies no wrong count.
func FuzzDistinctCertificate(f *testing.F) {
	models := someDistinct(f)[:4]
	var groups [][]cover.Symmetry
	var want []*big.Int
	for k, m := range models {
		groups = append(groups, m.Group(true).Symmetries())
		file, r := certifyDistinct(f, m.Problem, groups[k])
		want = append(want, r.Count)
		f.Add(uint8(k), file[len(sheetMagic):len(file)-sha256.Size])
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		k := int(which) % len(models)
		sum := sha256.Sum256(body)
		c, err := checkDistinct(models[k].Problem, groups[k], slices.Concat([]byte(sheetMagic), body, sum[:]))
		switch {
		case err != nil && !errors.Is(err, verify.ErrCertificate) && !errors.Is(err, cover.ErrMemory):
			t.Fatal(err)
		case err == nil && c.Distinct.Count.Cmp(want[k]) != 0:
			t.Fatalf("the count %v is certified, want %v", c.Distinct.Count, want[k])
		}
	})
}
