package puzzlefile

import (
	"fmt"
	"io"

	"github.com/pavage/pavage/tiling"
)

// MaxFileBytes limits the size of a puzzle file: it is that of a drawing of a board as large as
// tiling.MaxVolume.
const MaxFileBytes = 1 << 21

// Read reads a puzzle file of at most MaxFileBytes bytes; see Parse.
func Read(name string, r io.Reader) (*tiling.Puzzle, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxFileBytes+1)) // Parse refuses the one too many
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return Parse(name, data)
}

// Parse reads a puzzle file, version 1, in YAML or JSON:
//
//	title: The 2x3 board with dominoes
//	lattice: square            # square or cube; a board of three dimensions is cube
//	board: 2x3                 # or layers x rows x columns, or drawn:
//	                           # '#' a cell, 'o' a cell that may stay empty, '.' or blank none;
//	                           # a blank line between the layers of a cube board
//	wrap: none                 # or rows, columns, both, moebius, klein: which borders are glued together
//	                           # or a list of rows of words: names of cells, '#', 'o', '.'
//	open: [feb, 29, [0, 1]]    # cells that stay free: names of cells, parameters, [row, column]
//	parameters: {day: 1..31}   # values left open; see ParseWith
//	except: [{day: 30}]        # settings that are left out
//	cover: exact               # or at-most: every cell may stay empty
//	motions: free              # free, one-sided or fixed; free is the default on square boards, one-sided on cube boards
//	pieces:
//	  - pentominoes                                   # a set, each piece once
//	  - O4                                            # a named piece
//	  - {set: tetrominoes, copies: 0..2}              # each piece 0 to 2 times
//	  - {name: domino, copies: any}
//	  - {name: slab, shape: "##\n##", copies: 2.., motions: fixed}
//	  - {name: brick, box: 1x1x2, copies: 3, color: red}    # a full box of cells; its colour in pictures
//	  - {name: corner, cells: [[0,0,0],[0,0,1],[0,1,0],[1,0,0]]}
//	colours: {w: white, b: black, pattern: wb/bw}     # letters for drawings; colours of the board over and over
//	allow: [[white, black]]                           # colours of a piece and of the board that may meet, besides equal ones
//	place: [{piece: O4, cells: [[0,0],[0,1],[1,0],[1,1]]}]    # placements that must be used
//	forbid: [{piece: domino, covers: [2,2]}]          # and that must not
//	groups: [{of: [domino, slab], copies: 3..4}]      # copies of several pieces together
//
// board and pieces must be there. Cells of a piece are [row, column] or
// [layer, row, column], of any origin. The pieces of the sets one-sided-… are
// one-sided unless the entry itself says otherwise.
//
// name is the file's, for errors. An error wraps ErrPuzzle, is an *Error, and
// reads "name:line:column: what is wrong, what was expected".
func Parse(name string, data []byte) (*tiling.Puzzle, error) { return ParseWith(name, data, nil) }

// ParseWith is Parse with values for some of the file's parameters. Others have their first
// values, or the first that the file does not leave out.
func ParseWith(name string, data []byte, values map[string]string) (*tiling.Puzzle, error) {
	root, err := readYAML(name, data)
	if err != nil {
		return nil, err
	}
	return readPuzzle(root, values)
}
