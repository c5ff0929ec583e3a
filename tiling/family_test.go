package tiling

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func familyOf(t *testing.T, board, motions string, pieces ...string) *Family {
	t.Helper()
	p, err := Arguments{Board: board, Pieces: pieces, Motions: motions}.puzzle()
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFamily(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFamilySection: boards share a section if a motion of the pieces maps one to the other, and no
// other boards do.
func TestFamilySection(t *testing.T) {
	for _, test := range []struct {
		board, motions string
		pieces         []string
		size           [3]int
		want           Section
		height         int
	}{
		{"1x1", "", []string{"domino=any"}, [3]int{1, 5, 3}, Section{[3]int{1, 0, 3}, 1}, 5},
		{"1x1", "", []string{"domino=any"}, [3]int{1, 3, 5}, Section{[3]int{1, 0, 3}, 1}, 5},
		// One-sided pieces turn, and a quarter turn exchanges the sides.
		{"1x1", "one-sided", []string{"L4=any"}, [3]int{1, 3, 5}, Section{[3]int{1, 0, 3}, 1}, 5},
		{"1x1", "fixed", []string{"L4=any"}, [3]int{1, 3, 5}, Section{[3]int{1, 3, 0}, 2}, 5},
		{"1x1", "fixed", []string{"L4=any"}, [3]int{1, 5, 3}, Section{[3]int{1, 0, 3}, 1}, 5},
		{"1x1", "fixed", []string{"O4=any"}, [3]int{1, 3, 5}, Section{[3]int{1, 0, 3}, 1}, 5},
		{"1x1", "", []string{"domino=any", "I3=0..2"}, [3]int{1, 2, 9}, Section{[3]int{1, 0, 2}, 1}, 9},
		{"1x1x1", "", []string{"domino=any"}, [3]int{4, 3, 2}, Section{[3]int{0, 2, 3}, 0}, 4},
		{"1x1x1", "", []string{"domino=any"}, [3]int{3, 2, 4}, Section{[3]int{0, 2, 3}, 0}, 4},
		{"1x1x1", "fixed", []string{"domino=any"}, [3]int{3, 2, 4}, Section{[3]int{2, 3, 0}, 2}, 4},
	} {
		f := familyOf(t, test.board, test.motions, test.pieces...)
		s, height := f.Section(test.size)
		if s != test.want || height != test.height {
			t.Errorf("%v %s of size %v: section %v, height %d, want %v, %d", test.pieces, test.motions, test.size, s, height, test.want, test.height)
		}
	}
}

func TestFamilyStrip(t *testing.T) {
	ctx := context.Background()
	f := familyOf(t, "1x1", "", "domino=any")
	strip, err := f.Strip(ctx, Section{[3]int{1, 2, 0}, 2}, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Two rows, three columns: a column, the next, and where its dominoes end.
	if want := []int{0, 3, 1, 4, 2, 5}; strip.Period != 2 || !slices.Equal(strip.Order, want) {
		t.Errorf("period %d, order %v, want 2 and %v", strip.Period, strip.Order, want)
	}
	if size := strip.Model.Puzzle.Board.Size; size != [3]int{1, 2, 3} {
		t.Errorf("size %v, want 1x2x3", size)
	}
	if _, err := f.Strip(ctx, Section{[3]int{1, 0, 4000}, 1}, 0); !errors.Is(err, ErrPuzzle) || !strings.Contains(err.Error(), "section of 4000 cells") {
		t.Errorf("a section of 4000 cells: %v", err)
	}
}

func TestFamilyPuzzle(t *testing.T) {
	f := familyOf(t, "1x1", "", "domino=any")
	if p, err := f.Puzzle([3]int{1, 2, 3}); err != nil || len(p.Board.Cells) != 6 || p.Board.Optional[0] {
		t.Errorf("2x3: %+v, %v", p, err)
	}
	if _, err := f.Puzzle([3]int{1, 257, 256}); !errors.Is(err, ErrPuzzle) || !strings.Contains(err.Error(), "size 257x256 has 65792 cells") {
		t.Errorf("257x256: %v", err)
	}
	if !f.Unbounded() || familyOf(t, "1x1", "", "domino=any", "I3=1..").Unbounded() || familyOf(t, "1x1", "", "I3=0..9").Unbounded() {
		t.Error("Unbounded says otherwise than the pieces")
	}
}

// TestFamilyBoards: a board whose size cannot vary makes no family.
func TestFamilyBoards(t *testing.T) {
	for board, want := range map[string]string{
		"2x3":      "",
		"##\n##":   "",
		"oo\noo":   "",
		"##\n#.":   "the board has holes",
		"##\n#o":   "only some cells of the board may stay empty",
		"##.\n##.": "the board has holes",
	} {
		p, err := Arguments{Board: board, Pieces: []string{"domino=any"}}.puzzle()
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewFamily(p)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want an error with %q", board, err, want)
		}
	}
}
