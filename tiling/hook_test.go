package tiling

// PuzzleOfFile and PuzzleOfArguments read a puzzle. The internal tests cannot import puzzlefile,
// which imports package tiling, so the external tests set these variables.
var (
	PuzzleOfFile      func(name string, data []byte) (*Puzzle, error)
	PuzzleOfArguments func(Arguments) (*Puzzle, error)
)

// Arguments has the texts of puzzlefile.Words.
type Arguments struct {
	Board, Lattice string
	Pieces         []string
	Wrap           string
	Cover, Motions string
}

func parse(name string, data []byte) (*Puzzle, error) { return PuzzleOfFile(name, data) }

func (a Arguments) puzzle() (*Puzzle, error) { return PuzzleOfArguments(a) }
