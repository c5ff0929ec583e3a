package verify

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
)

// unmetPaper returns a certificate of version 2 with any numbers.
func unmetPaper(t *testing.T, p *cover.Problem, tail string, numbers ...uint64) []byte {
	t.Helper()
	body := small(coverDigest(p), numbers...)
	sum := sha256.Sum256(body)
	body = append(append(body, sum[:]...), tail...)
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(body, []byte("pavage certificate 2\n"))
}

// TestUnmet: an item whose min cannot be reached is recognized, and no other item.
func TestUnmet(t *testing.T) {
	// Cells a b c in a row, and two bars that exclude each other.
	bars := func(least int) *cover.Problem {
		p, err := cover.Read("f", strings.NewReader(fmt.Sprintf(
			"item a 0..1\nitem b 0..1\nitem c 0..1\nitem bar %d..\noption a b bar\noption b c bar\n", least)))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		name    string
		least   int
		tail    string
		numbers []uint64
		want    string // "": accepted
	}{
		{"two exclude each other by b", 2, "", []uint64{3, 1, 1, 0}, ""},
		{"three for two options", 3, "", []uint64{3, 0, 0}, ""},
		{"two cells, an option uses two of three", 2, "", []uint64{3, 3, 0, 1, 2, 0}, ""},
		{"a and c are not shared out by both", 2, "", []uint64{3, 2, 0, 2, 0}, "item 3 as often as its min"},
		{"two options for two", 2, "", []uint64{3, 0, 0}, "item 3 as often as its min"},
		{"one can be reached", 1, "", []uint64{3, 1, 1, 0}, "item 3 as often as its min"},
		{"no min", 0, "", []uint64{3, 1, 1, 0}, "item 3 as often as its min"},
		{"another item", 2, "", []uint64{0, 1, 1, 0}, "item 0 as often as its min"},
		{"no item", 2, "", []uint64{4, 1, 1, 0}, "item is 4, expected 0..3"},
		{"shared twice", 2, "", []uint64{3, 2, 1, 1, 0}, "item 1 cannot be a shared item"},
		{"itself shared", 2, "", []uint64{3, 1, 3, 0}, "item 3 cannot be a shared item"},
		{"a count", 2, "", []uint64{3, 1, 1, 1}, "the count of the cover is 1"},
		{"more behind", 2, "x", []uint64{3, 1, 1, 0}, "bytes or an error"},
		{"cut off", 2, "", []uint64{3, 1}, ""},
	} {
		p := bars(c.least)
		file := unmetPaper(t, p, c.tail, c.numbers...)
		got, err := CheckCertificate(t.Context(), p, bytes.NewReader(file), CertificateOptions{})
		switch {
		case c.name == "cut off":
			if !errors.Is(err, ErrCertificate) {
				t.Errorf("%s: %v", c.name, err)
			}
		case c.want == "":
			if err != nil || got.Count.Sign() != 0 || got.Unmet == nil || got.Unmet.Item != 3 || got.Unmet.Min != c.least {
				t.Errorf("%s: %v, %+v", c.name, err, got)
			}
		case !errors.Is(err, ErrCertificate) || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	other := bars(3)
	if _, err := CheckCertificate(t.Context(), other, bytes.NewReader(unmetPaper(t, bars(2), "", 3, 1, 1, 0)), CertificateOptions{}); !errors.Is(err, ErrCertificate) {
		t.Errorf("of another cover: %v", err)
	}
}
