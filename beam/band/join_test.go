package band

import (
	"errors"
	"strings"
	"testing"

	"github.com/pavage/pavage/beam/slab"
)

// done returns the receipts of the next band of a run that was stopped.
func done(t *testing.T, o Options) (*Run, *Level, []*Receipt) {
	t.Helper()
	_, r, l := half(t, o, "4x5", "tetrominoes=any", "domino=0..2")
	receipts, err := r.all(t.Context(), r.Tasks(l), 1, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if len(receipts) < 3 {
		t.Fatalf("%d tasks", len(receipts))
	}
	return r, l, receipts
}

// TestJoinCompares: receipts that do not add up to a level are refused.
func TestJoinCompares(t *testing.T) {
	r, l, sound := done(t, Options{Band: 4, Tasks: 3, Least: 1})
	if whole, err := r.Join(t.Context(), append(sound, sound[0])); err != nil || whole.Before != l.Name() || whole.Stage.Tasks != len(sound) {
		t.Fatalf("%+v, %v", whole, err)
	}
	for what, change := range map[string]func(all []Receipt) []Receipt{
		"none":              func([]Receipt) []Receipt { return nil },
		"without the first": func(all []Receipt) []Receipt { return all[1:] },
		"without one":       func(all []Receipt) []Receipt { return append(all[:1:1], all[2:]...) },
		"without the last":  func(all []Receipt) []Receipt { return all[:len(all)-1] },
		"another cut":       func(all []Receipt) []Receipt { all[1].From += "0"; return all },
		"two bands":         func(all []Receipt) []Receipt { all[1].Task.To++; return all },
		"two orders":        func(all []Receipt) []Receipt { all[1].Task.Then++; return all },
		"a state is lost":   func(all []Receipt) []Receipt { all[1].States--; return all },
		"read residue":      func(all []Receipt) []Receipt { all[1].Residue++; return all },
		"written residue":   func(all []Receipt) []Receipt { all[2].Slab.Residue++; return all },
		"written sum":       func(all []Receipt) []Receipt { all[2].Slab.Sum += "0"; return all },
		"no sum":            func(all []Receipt) []Receipt { all[0].Slab.Sum = "many"; return all },
	} {
		var all []Receipt
		for _, x := range sound {
			all = append(all, *x)
		}
		var receipts []*Receipt
		for _, x := range change(all) {
			receipts = append(receipts, &x)
		}
		_, err := r.Join(t.Context(), receipts)
		if !errors.Is(err, ErrDisagree) && !errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want ErrDisagree", what, err)
		}
	}
}

// TestMadeAgainOtherwise: a slab that is made again with other bytes is an error.
func TestMadeAgainOtherwise(t *testing.T) {
	m, r, l := half(t, Options{Band: 4, Tasks: 3, Least: 1}, "4x5", "tetrominoes=any", "domino=0..2")
	m.Lose(r.path(slabsFolder, l.Slabs[0].Slab.Name))
	r.levels.last = nil
	kept, err := r.level(t.Context(), l.Name())
	if err != nil {
		t.Fatal(err)
	}
	kept.Slabs[0].Task = kept.Slabs[1].Task
	if _, err := r.Do(t.Context(), r.Tasks(l)[0]); !errors.Is(err, ErrDisagree) {
		t.Errorf("%v, want ErrDisagree", err)
	}
}

// TestSpans: for each number of ranges, the ranges of a level have no gap, do not overlap, and have about
// the same number of states.
func TestSpans(t *testing.T) {
	l := &Level{Body: Body{States: 300}}
	for _, marks := range [][]slab.Mark{
		{{Key: "1", Before: 0}, {Key: "5", Before: 50}},
		{{Key: "2", Before: 0}, {Key: "a0", Before: 60}, {Key: "100000000000000000", Before: 90}},
		{{Key: "5", Before: 0}, {Key: "ff", Before: 20}},
	} {
		l.Slabs = append(l.Slabs, Made{Slab: slab.Ref{States: 100, Marks: marks}})
	}
	for of := 1; of < 20; of++ {
		end := ""
		for i := range of {
			s := l.span(i, of)
			if s.lo != end || i > 0 && i+1 < of && compareKeys(s.lo, s.hi) > 0 {
				t.Errorf("part %d of %d is from %q to %q, behind %q", i, of, s.lo, s.hi, end)
			}
			end = s.hi
		}
		if end != "" {
			t.Errorf("%d parts end at %q", of, end)
		}
	}
	if s := l.span(0, 2); s.hi != "a0" { // 180 states lie below a0, and 110 below 5
		t.Errorf("half of it is below %q", s.hi)
	}
}
