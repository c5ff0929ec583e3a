package exchange

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/pavage/pavage/tiling"
)

// A block of letters shows a tiling, and becomes a puzzle. Cells of a piece have the same letter:
//
//	# a comment; the first comment is the title
//	AAB        pieces A and B on a board of five cells; '.' is no cell
//	A.B
//
// Blank lines separate the layers of a solid. Two letters whose cells have the same shape are
// copies of one piece. Pieces have the default motions of the lattice. Blanks may separate letters.

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

type letters struct {
	*source
	title string
	begun bool // whether a layer has begun
	size  [3]int
	last  [2]int // layer and row of the last row
	names []rune // names of the pieces, in the order of the file
	cells map[rune][]site
	all   int
}

func readLetters(s *source) (*Content, error) {
	l := &letters{source: s, cells: map[rune][]site{}, last: [2]int{-1, -1}}
	if err := s.lines(l.row); err != nil {
		return nil, err
	}
	if l.all == 0 {
		return nil, s.here("no letters, expected rows of them, each letter a piece")
	}
	lattice := tiling.Square
	if l.size[0] > 1 {
		lattice = tiling.Cube
	}
	made, end := s.builder(lattice, l.title), s.lineStart()
	var board []site
	for _, r := range l.names {
		board = append(board, l.cells[r]...)
	}
	made.board(end, l.size, board)
	for _, r := range l.names {
		made.copy(end, tiling.Piece{Name: string(r), Motions: lattice.Motions(), Min: 1, Max: 1}, l.cells[r])
	}
	return made.done(end)
}

func (l *letters) row(text string) error {
	line, comment, commented := strings.Cut(text, "#")
	if l.title == "" && l.all == 0 {
		l.title = strings.TrimSpace(comment)
	}
	row := strings.TrimRightFunc(line, unicode.IsSpace)
	if row == "" {
		l.begun = l.begun && commented
		return nil
	}
	if l.begun {
		l.last[1]++
	} else {
		l.begun = true
		l.last = [2]int{l.last[0] + 1, 0}
	}
	spaced := strings.ContainsFunc(row, unicode.IsSpace)
	column, runes := 0, 0
	for i, r := range row {
		runes++
		switch at := (place{l.line, i + 1}); {
		case spaced && runes%2 == 0 && unicode.IsSpace(r):
			continue
		case spaced && runes%2 == 0:
			return l.errorf(at, "%q follows another character without a blank, expected a blank between every two characters of a row, or no blanks", r)
		case r == '.':
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return l.errorf(at, "the row contains %q, expected only letters, digits, and '.' where there is no cell", r)
		case l.all == tiling.MaxCells:
			return l.errorf(at, "too many cells, expected at most %d", tiling.MaxCells)
		default:
			if l.cells[r] == nil {
				l.names = append(l.names, r)
			}
			l.cells[r] = append(l.cells[r], site{cell: tiling.Cell{l.last[0], l.last[1], column}})
			l.all++
		}
		column++
	}
	l.size = [3]int{max(l.size[0], l.last[0]+1), max(l.size[1], l.last[1]+1), max(l.size[2], column)}
	return nil
}
