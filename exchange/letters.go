package exchange

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/pavage/pavage/tiling"
)

// A block of letters is a solution as many programs print it, and states its puzzle: each letter
// is a piece, and all of them are the board.
//
//	# a comment, the first is the title
//	AAB        pieces A and B on a board of five cells; '.' is none
//	A.B
//
// Blocks with a blank line between them are the layers of a solid. Letters of the same shape are
// copies of one piece. Pieces may be turned as those of a puzzle file may: free in the plane,
// one-sided in space. A row may have a blank between every two letters.

// isLetters reports whether all lines are rows of a block, two at least, of equal lengths.
func isLetters(data []byte) bool {
	rows, length := 0, 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, byteOrderMark)) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		other := func(b byte) bool { return b != '.' && (b < '0' || b > '9') && (b|0x20 < 'a' || b|0x20 > 'z') }
		if rows++; rows > tiling.MaxSide || len(line) < 2 || len(line) > tiling.MaxSide || slices.ContainsFunc(line, other) {
			return false
		}
		if rows > 1 && len(line) != length {
			return false
		}
		length = len(line)
	}
	return rows > 1
}

// letters is the state of one read.
type letters struct {
	*source
	line  int
	title string
	begun bool // a layer has begun
	size  [3]int
	last  [2]int // layer and row of the last row
	names []rune // of the pieces, as they come
	cells map[rune][]site
	all   int
}

func readLetters(s *source) (*Content, error) {
	l := &letters{source: s, cells: map[rune][]site{}, last: [2]int{-1, -1}}
	for text := range bytes.Lines(s.data) {
		l.line++
		if err := l.looks.Work(1 + len(text)); err != nil {
			return nil, err
		}
		line, comment, _ := strings.Cut(string(text), "#")
		if l.title == "" && l.all == 0 {
			l.title = strings.TrimSpace(comment)
		}
		row := strings.TrimRightFunc(line, unicode.IsSpace)
		switch {
		case row == "" && len(line) < len(text)-1: // a comment alone
		case row == "":
			l.begun = false
		default:
			if err := l.row(row); err != nil {
				return nil, err
			}
		}
	}
	if l.all == 0 {
		return nil, s.errorf(max(1, l.line), 1, "no letters, want rows of them, each letter a piece")
	}
	puzzle, err := l.puzzle()
	return &Content{Puzzle: puzzle}, err
}

// row reads a row of a layer.
func (l *letters) row(row string) error {
	if l.begun {
		l.last[1]++
	} else {
		l.begun = true
		l.last = [2]int{l.last[0] + 1, 0}
	}
	column := 0
	spaced := strings.ContainsFunc(row, unicode.IsSpace)
	at := 0
	for i, r := range row {
		at++
		if spaced && at%2 == 0 {
			if !unicode.IsSpace(r) {
				return l.errorf(l.line, i+1, "%q here, want a blank between every two letters of a row, or none at all", r)
			}
			continue
		}
		if err := l.cell(r, i+1, tiling.Cell{l.last[0], l.last[1], column}); err != nil {
			return err
		}
		column++
	}
	l.size = [3]int{max(l.size[0], l.last[0]+1), max(l.size[1], l.last[1]+1), max(l.size[2], column)}
	return nil
}

func (l *letters) cell(r rune, column int, c tiling.Cell) error {
	switch {
	case r == '.':
		return nil
	case !unicode.IsLetter(r) && !unicode.IsDigit(r):
		return l.errorf(l.line, column, "%q in a row, want letters, digits, and '.' for no cell", r)
	case l.all == tiling.MaxCells:
		return l.errorf(l.line, column, "more than %d cells, want at most that many", tiling.MaxCells)
	}
	if l.cells[r] == nil {
		l.names = append(l.names, r)
	}
	l.cells[r] = append(l.cells[r], site{cell: c})
	l.all++
	return nil
}

func (l *letters) puzzle() (*tiling.Puzzle, error) {
	lattice, motions := tiling.Square, tiling.Free
	if l.size[0] > 1 {
		lattice, motions = tiling.Cube, tiling.OneSided
	}
	made := newBuilder(lattice, l.title)
	var board []site
	for _, r := range l.names {
		board = append(board, l.cells[r]...)
	}
	err := made.board(l.size, board)
	like := map[string]int{}
	for _, r := range l.names {
		if err == nil {
			err = made.copy(tiling.Piece{Name: string(r), Motions: motions, Min: 1, Max: 1}, l.cells[r], like)
		}
	}
	if err == nil {
		var puzzle *tiling.Puzzle
		if puzzle, err = made.done(); err == nil {
			return puzzle, nil
		}
	}
	return nil, l.errorf(max(1, l.line), 1, "%v", err)
}
