package job

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

func savedBytes(t testing.TB, r Sample) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := prepared(t, r, Limits{}).Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func load(r Sample, b []byte, l Limits) (*Source, error) {
	return LoadSource(context.Background(), &r, bytes.NewReader(b), l)
}

// TestSavedSource: a source that is saved and loaded draws the same tilings as before, and has the
// same description.
func TestSavedSource(t *testing.T) {
	for _, r := range []Sample{
		{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"domino=any"}}},
		{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"domino=any"}}, Method: "diagram"},
		{Puzzle: Puzzle{Example: "soma"}, Explain: true},
		{Puzzle: Puzzle{Board: "3x3", Pieces: []string{"domino=any"}}}, // no tiling
		sources["cover"].request,
	} {
		before := prepared(t, r, Limits{})
		var b bytes.Buffer
		if err := before.Save(&b); err != nil {
			t.Fatal(err)
		}
		after, err := load(r, b.Bytes(), Limits{Memory: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		if before.about.Count == "0" {
			if _, err := after.Draw(context.Background(), Draws{Number: 1}, Watch{}); !errors.Is(err, ErrNoTiling) {
				t.Errorf("a source without a tiling: %v", err)
			}
			continue
		}
		if got, want := drawnLines(t, after, 50, 7), drawnLines(t, before, 50, 7); got != want {
			t.Errorf("%+v: the loaded source draws %s, want %s", r.Puzzle, got, want)
		}
		if got := savedBytes(t, r); !r.Explain && !bytes.Equal(got, b.Bytes()) { // a plan has its time
			t.Errorf("%+v: the same source has other bytes", r.Puzzle)
		}
	}
}

// TestNotSaved: saving or loading a source that is not a diagram of all tilings fails with
// ErrNotSaved.
func TestNotSaved(t *testing.T) {
	for _, name := range []string{"sweep", "coupling", "classes"} {
		c := sources[name]
		if err := prepared(t, c.request, c.limits).Save(new(bytes.Buffer)); !errors.Is(err, ErrNotSaved) {
			t.Errorf("%s: saved, %v", name, err)
		}
		if _, err := load(c.request, nil, Limits{}); !errors.Is(err, ErrNotSaved) {
			t.Errorf("%s: loaded, %v", name, err)
		}
	}
}

// TestSavedOfAnother: a source of another puzzle or method is refused.
func TestSavedOfAnother(t *testing.T) {
	r := Sample{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}}
	b := savedBytes(t, r)
	for _, other := range []Sample{
		{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=8"}}}, // the same tilings
		{Puzzle: Puzzle{Board: "2x8", Pieces: []string{"domino=any"}}},
		{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}, Cover: "at-most"}},
		{Puzzle: r.Puzzle, Method: "diagram"},
	} {
		if _, err := load(other, b, Limits{}); !errors.Is(err, errSaved) {
			t.Errorf("%+v: %v", other, err)
		}
	}
	r.Puzzle = Puzzle{Text: "title: the same\nboard: 4x4\npieces: [{name: domino, shape: '##', copies: any}]\n"}
	s, err := load(r, b, Limits{})
	if err != nil || s.Puzzle().Title != "the same" || s.about.Title != "the same" {
		t.Errorf("the same puzzle in other words: %v", err)
	}
}

// TestDamagedSource: bytes that are changed or cut short are refused with a one-line error.
func TestDamagedSource(t *testing.T) {
	r := Sample{Puzzle: Puzzle{Board: "2x4", Pieces: []string{"domino=any"}}}
	whole := savedBytes(t, r)
	for at := range whole {
		for _, flip := range []byte{1, 0x40, 0xff} {
			b := bytes.Clone(whole)
			b[at] ^= flip
			if _, err := load(r, b, Limits{Memory: 1 << 26}); !errors.Is(err, errSaved) {
				t.Errorf("byte %d: %v", at, err)
			}
		}
		if _, err := load(r, whole[:at], Limits{}); !errors.Is(err, errSaved) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "EOF") {
			t.Errorf("%d of %d bytes: %v", at, len(whole), err)
		}
	}
	if _, err := load(r, append(bytes.Clone(whole), 0), Limits{}); !errors.Is(err, errSaved) {
		t.Errorf("a byte more: %v", err)
	}
	for _, other := range []string{"", "pavage source 1\n\x00\x00\x00\x00"} { // from older versions
		if _, err := load(r, []byte(other), Limits{}); !errors.Is(err, errSaved) {
			t.Errorf("another format: %v", err)
		}
	}
	if _, err := load(Sample{Puzzle: Puzzle{Example: "soma"}}, savedBytes(t, Sample{Puzzle: Puzzle{Example: "soma"}}), Limits{Memory: 1 << 18}); KindOf(err) != Limit {
		t.Errorf("little memory: %v", err)
	}
}
