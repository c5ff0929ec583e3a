package verify

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestCertificatesOfParts checks certificates of covers of several parts, and that no change of a
// number before the first part's certificate, with a new SHA-256, leads to another count.
func TestCertificatesOfParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 5))
	several, rejected, unmetOnes := 0, 0, 0
	for range testkit.Size(200, 2000) {
		p := oracle.RandomParts(rng)
		solutions, err := oracle.Within(p, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		want := big.NewInt(int64(len(solutions)))
		var file bytes.Buffer
		r, err := count.Certify(t.Context(), p, &file, count.Auto, count.Options{})
		if errors.Is(err, count.ErrNoCertificate) {
			continue
		}
		if err != nil || r.Count.Cmp(want) != 0 {
			t.Fatalf("%v, %v, want %v solutions of %v, %v", r, err, want, p.Items, p.Options)
		}
		c, err := CheckCertificate(t.Context(), p, bytes.NewReader(file.Bytes()), CertificateOptions{})
		if err != nil || c.Count.Cmp(want) != 0 {
			t.Fatalf("%v, %v, want %v solutions of items %v, options %v", c, err, want, p.Items, p.Options)
		}
		if !bytes.HasPrefix(file.Bytes(), []byte(partsMagic)) {
			continue
		}
		several++
		if c.Unmet != nil {
			unmetOnes++
		}
		for range 20 {
			changed := bytes.Clone(file.Bytes())
			body := changed[len(partsMagic) : len(changed)-sha256.Size]
			at := sha256.Size + rng.IntN(min(40, len(body)-sha256.Size))
			body[at] ^= 1 << rng.IntN(3)
			sum := sha256.Sum256(body)
			copy(changed[len(changed)-sha256.Size:], sum[:])
			c, err := CheckCertificate(t.Context(), p, bytes.NewReader(changed), CertificateOptions{})
			switch {
			case errors.Is(err, ErrCertificate):
				rejected++
			case err != nil || c.Count.Cmp(want) != 0:
				t.Fatalf("byte %d changed to %d: %v, %v, want %v or a rejection; items %v, options %v", at, body[at], c, err, want, p.Items, p.Options)
			}
		}
	}
	if several < 80 || rejected < 800 || unmetOnes < 3 {
		t.Errorf("%d certificates of parts, %d without solutions, %d rejected, want more", several, unmetOnes, rejected)
	}
}

// TestCertificateOfEqualParts has one certificate for ten boards.
func TestCertificateOfEqualParts(t *testing.T) {
	p := &cover.Problem{}
	for range 10 { // 2x3 with dominoes
		a := len(p.Items)
		for range 6 {
			p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
		}
		for _, cells := range [][2]int{{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}} {
			p.Options = append(p.Options, cover.Option{{Item: a + cells[0], Times: 1}, {Item: a + cells[1], Times: 1}})
		}
	}
	var file bytes.Buffer
	if _, err := count.Certify(t.Context(), p, &file, count.Diagram, count.Options{}); err != nil {
		t.Fatal(err)
	}
	c, err := CheckCertificate(t.Context(), p, &file, CertificateOptions{})
	if err != nil || c.Count.Int64() != 59049 || c.Parts != 10 || c.Levels != 7 {
		t.Errorf("%+v, %v, want 59049 solutions of 10 parts by one certificate of 7 levels", c, err)
	}
}

// TestColoursOfOptionsThatNeverFit certifies a cover with a colour that occurs only in an option
// that fits in no solution: the item is coloured for writer and checker.
func TestColoursOfOptionsThatNeverFit(t *testing.T) {
	p := &cover.Problem{
		Items: []cover.Item{{Min: 1, Max: 1}, {Min: 1, Max: 1}, {Max: 1}, {Max: 1}}, Colours: []string{"R"},
		Options: []cover.Option{
			{{Item: 2, Times: 1, Colour: 1}, {Item: 3, Times: 2}},
			{{Item: 0, Times: 1}, {Item: 2, Times: 1}},
			{{Item: 0, Times: 1}, {Item: 2, Times: 1}, {Item: 3, Times: 1}},
			{{Item: 1, Times: 1}, {Item: 2, Times: 1}},
			{{Item: 1, Times: 1}},
			{{Item: 1, Times: 1}, {Item: 3, Times: 1}},
		},
	}
	var file bytes.Buffer
	r, err := count.Certify(t.Context(), p, &file, count.Auto, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := CheckCertificate(t.Context(), p, &file, CertificateOptions{}); err != nil || c.Count.Cmp(r.Count) != 0 {
		t.Errorf("%v, %v, want %v solutions", c, err, r.Count)
	}
}

// TestPartsOfEqualDigests forges a certificate of two parts with 5 and 6 solutions: it declares the
// second part equal to the first, so that the cover has 25 solutions. The digests are equal,
// because the numbers of the options are. Each option is its number of uses and the uses, which
// have a colour in the second part only:
//
//	2  0 1  2 2    3  0 1  1 1  2 1    1  1 1
//	2  0 1 2  2 3 0    1  1 1 2    1  1 1 1
func TestPartsOfEqualDigests(t *testing.T) {
	items := []cover.Item{{Max: 1}, {Max: 1}, {Max: 3}}
	plain := &cover.Problem{Items: items, Options: []cover.Option{
		{{Item: 0, Times: 1}, {Item: 2, Times: 2}},
		{{Item: 0, Times: 1}, {Item: 1, Times: 1}, {Item: 2, Times: 1}},
		{{Item: 1, Times: 1}},
	}}
	painted := &cover.Problem{Items: items, Colours: []string{"R", "G"}, Options: []cover.Option{
		{{Item: 0, Times: 1, Colour: 2}, {Item: 2, Times: 3}},
		{{Item: 1, Times: 1, Colour: 2}},
		{{Item: 1, Times: 1, Colour: 1}},
	}}
	if !bytes.Equal(coverDigest(plain), coverDigest(painted)) {
		t.Fatal("the digests of the parts differ, expected a test of equal ones")
	}
	whole := &cover.Problem{Items: slices.Concat(items, items), Colours: painted.Colours, Options: slices.Clone(plain.Options)}
	for _, option := range painted.Options {
		option = slices.Clone(option)
		for k := range option {
			option[k].Item += len(items)
		}
		whole.Options = append(whole.Options, option)
	}
	if err := whole.Validate(); err != nil {
		t.Fatal(err)
	}
	inner := func(q *cover.Problem, l *plan, solutions uint64) []byte {
		file := l.write(q).file(t)
		return small(slices.Concat(small(nil, 0, uint64(len(file))), file), solutions)
	}
	check := func(second []byte, solutions uint64) (*Certified, error) {
		body := slices.Concat(
			coverDigest(whole), small(nil, 0 /* steps */, 2 /* parts */),
			small(nil, 3, 0, 1, 2, 3, 0, 1, 2), inner(plain, &plan{window: 2, steps: []uint64{0, 2}}, 5),
			small(nil, 3, 3, 4, 5, 3, 3, 4, 5), second, small(nil, solutions),
		)
		return CheckCertificate(t.Context(), whole, bytes.NewReader(append([]byte(partsMagic), seal(body)...)), CertificateOptions{})
	}
	// Each option of the second part has a step, and item 1 a field of one bit: closed or not.
	honest := inner(painted, &plan{window: 3, steps: []uint64{1, 3, 5, 2}}, 6)
	if c, err := check(honest, 30); err != nil || c.Count.Int64() != 30 {
		t.Errorf("%v, %v, want 30 solutions of two parts that are not declared equal", c, err)
	}
	c, err := check(small(nil, 1), 25)
	if want := "part 2: the cover of the part differs from the cover of part 1"; !errors.Is(err, ErrCertificate) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, %v, want %s", c, err, want)
	}
}
