// Package puzzlefile reads puzzles: files in YAML or JSON, and the arguments of a command.
//
// # Purpose
//
// [Parse] and [Read] make a [tiling.Puzzle] of a file, [Words] of the arguments of a command.
// The puzzle is valid. An error about a file tells what is wrong, what was expected, and where:
//
//	puzzle.yaml:2:10: unknown piece "dominoes", did you mean domino?
//
// A place is a line and a column of the file, also in a drawing, or the name of an argument.
//
// # Words
//
// A node is a value of the file, with its place: a text, a list or a mapping from keys to nodes.
// Arguments become nodes too, whose places are their names, so that both are read alike.
// A letter is a mark of a drawing that stands for a cell of a colour. A setting is a value for
// each parameter that the file leaves open: the file is a family of puzzles, and [ParseWith]
// chooses one of them.
//
// # Layers of the package
//
//	puzzlefile                      inline              entry points
//	    │ bytes                       │ words
//	    ▼                             │
//	yaml, yaml_error                  │                 text ──► nodes
//	    │ nodes                       │ nodes
//	    └──────────────┬──────────────┘
//	                   ▼
//	puzzle: parameters, board, named, hints,            nodes ──► tiling.Puzzle
//	        colours, pieces, names, marks
//	                   │
//	                   ▼
//	node, values                                        a key, a word, a number, copies, a color
//
// # Non-goals
//
// Files of other programs are for package exchange, which also writes puzzle files. What a
// puzzle means, and what a valid one is, is for package tiling. Of YAML only what a puzzle needs
// is read: no anchors, aliases, tags, merge keys, directives or several documents.
//
// # Limits
//
// A file has at most [MaxFileBytes] bytes, nests at most 16 deep and has at most 131,072 commas
// and open brackets. To parse it as YAML takes time in proportion to its size. Limits on what a
// puzzle has are those of package tiling; they hold before memory is taken.
//
// # Example
//
// The 2x3 board with any number of dominoes, as a file and as arguments:
//
//	file := "board: 2x3\npieces: [{name: domino, copies: any}]\n"
//	puzzle, err := puzzlefile.Parse("dominoes.yaml", []byte(file))
//	puzzle, err = puzzlefile.Inline("2x3", []string{"domino=any"}, "", "")
package puzzlefile

import (
	"fmt"
	"io"

	"github.com/pavage/pavage/tiling"
)

// MaxFileBytes is the size of the largest puzzle file: one with a drawing of a board as large as
// [tiling.MaxVolume].
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
//	lattice: square            # or cube, hexagon, triangle; a board of three dimensions is cube
//	board: 2x3                 # or layers x rows x columns, or drawn:
//	                           # '#' a cell, 'o' a cell that may stay empty, '.' or blank none;
//	                           # a blank line between the layers of a cube board;
//	                           # or a list of rows of words: names of cells, '#', 'o', '.'
//	wrap: none                 # or rows, columns, both, moebius, klein: which borders are glued together
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
// name is the file's, for errors. An error wraps [tiling.ErrPuzzle], is a *[tiling.Error], and
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
