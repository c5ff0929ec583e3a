package band

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestLevelToldOnce: a damaged level is reported once, however often Last is called.
func TestLevelToldOnce(t *testing.T) {
	m, r, l := half(t, Options{Band: 4, Tasks: 2, Least: 1}, "4x5", "tetrominoes=any")
	m.Flip(r.path(levelsFolder, l.Name()), 100)
	h := &heard{}
	r.Notice = h.tell
	for range 3 {
		if _, err := r.Last(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if h.count(PassedOver) != 1 {
		t.Errorf("reported %d times", h.count(PassedOver))
	}
}

// TestLevelNamesSort: the name of the highest level is the last name.
func TestLevelNamesSort(t *testing.T) {
	low, high := &Level{Body: Body{At: 999_999}}, &Level{Body: Body{At: 1_000_000}}
	if low.Name() >= high.Name() {
		t.Errorf("%s is not below %s", low.Name(), high.Name())
	}
}

// TestForgedLevels: a level with impossible slabs is damaged.
func TestForgedLevels(t *testing.T) {
	m, r, l := half(t, Options{Band: 4, Tasks: 2, Least: 1}, "4x5", "tetrominoes=any")
	for what, forge := range map[string]func(*Body){
		"bits":    func(b *Body) { b.Slabs[0].Slab.Bits = 1 << 40 },
		"states":  func(b *Body) { b.Slabs[0].Slab.States += 1 << 40; b.States += 1 << 40 },
		"none":    func(b *Body) { b.States -= b.Slabs[0].Slab.States; b.Slabs[0].Slab.States = 0 },
		"the sum": func(b *Body) { b.States++ },
	} {
		forged := &Level{Body: l.Body}
		forged.Slabs = slices.Clone(l.Slabs)
		forge(&forged.Body)
		if err := write(t.Context(), m, r.path(levelsFolder, forged.Name()), levelKind, forged); err != nil {
			t.Fatal(err)
		}
		if _, err := r.readLevel(t.Context(), forged.Name()); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestLevelToDelete: if a slab is damaged, and also the level from which it would be made, the error
// names a file. Without this file the run continues.
func TestLevelToDelete(t *testing.T) {
	m, r, l := half(t, Options{Band: 4, Tasks: 2, Least: 1}, "4x5", "tetrominoes=any")
	for _, made := range l.Slabs {
		m.Lose(r.path(slabsFolder, made.Slab.Name))
	}
	m.Flip(r.path(levelsFolder, l.Before), 100)
	file := r.path(levelsFolder, l.Name())
	for _, gone := range []bool{false, true} {
		again, err := Open(t.Context(), m, r.Folder)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Local(t.Context(), again, 2, Hooks{})
		switch {
		case !gone && (err == nil || !strings.Contains(err.Error(), "delete "+file)):
			t.Errorf("%v does not name %s", err, file)
		case gone && (err != nil || a.Count.String() != counted(t, puzzletest.Inline(t, "4x5", "tetrominoes=any").Problem)):
			t.Errorf("%v, %v", a, err)
		}
		if err := m.Remove(t.Context(), file); err != nil {
			t.Fatal(err)
		}
	}
}
