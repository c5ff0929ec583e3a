package verify

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/big"
	"math/rand/v2"
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

// TestColoursOfOptionsThatNeverFit certifies a cover one of whose colours is only in an option that
// fits in no solution: the item is coloured for writer and checker.
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
