package tiling

// Puzzle is a board and the pieces to tile it with. Package puzzlefile returns valid puzzles;
// Validate and Model check a puzzle that is made by hand.
type Puzzle struct {
	Title  string
	Board  *Board
	Pieces []Piece

	// Colours are the names of the colours that cells of the board and of pieces may have.
	// Colour k is Colours[k-1]. Allow has all pairs of colours that may meet, sorted: also
	// those of two equal colours, if these may. A cell without a colour goes with every cell.
	Colours []string
	Allow   []Pair

	Groups []PieceGroup // bounds on copies of several pieces together

	Place, Forbid []Part // what placements must cover, and what none may

	// Parameters are those of the file, and Setting their values in this puzzle. Both are only
	// for information: what follows from them is in the board.
	Parameters *Parameters // nil if the puzzle was made by hand
	Setting    Setting

	// Entries has the places of the pieces in the file, by name of a piece, as errors without
	// a text. If a piece makes Model fail, Model returns a copy of this error with a text.
	Entries map[string]Error // nil if the puzzle was made by hand
}

// Pair is a colour of a piece's cells and a colour of the board's that may meet. Both are
// numbers from 1: colour k is Puzzle.Colours[k-1].
type Pair struct{ Piece, Board int }

// PieceGroup bounds the copies of several pieces together: a tiling uses between Min and
// Max of them in all, Max may be cover.Unbounded. Pieces are indices into Puzzle.Pieces,
// ascending.
type PieceGroup struct {
	Pieces   []int
	Min, Max int
}

// Part is a piece and board cells that a placement of it covers: all of its cells, or only
// some. Piece is an index into Puzzle.Pieces, Cells are indices into Board.Cells, ascending.
//
// A part in Puzzle.Place asks for a placement of the piece that covers all of its cells:
// they have to be covered, and every other placement that touches one of them goes. A
// part in Puzzle.Forbid forbids all such placements of the piece; without cells that is
// every placement of it.
//
//	board  a b c     place {domino, a}     leaves  ab ad  and, of those that do not
//	       d e f                           touch a,  bc de ef be cf
//	                 place {domino, a b}   leaves  ab de ef cf
//	                 forbid {domino, a b}  leaves  bc de ef ad be cf
type Part struct {
	Piece int
	Cells []int
}

// Placement is a piece (index into Puzzle.Pieces) at a place of the board: the
// indices into Board.Cells that it covers, ascending.
type Placement struct {
	Piece int
	Cells []int
}
