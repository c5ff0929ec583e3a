package tiling

// PuzzleOfFile and PuzzleOfArguments read a puzzle. The tests in this package cannot import
// puzzlefile, which imports it: the external tests set them.
var (
	PuzzleOfFile      func(name string, data []byte) (*Puzzle, error)
	PuzzleOfArguments func(Arguments) (*Puzzle, error)
)

// Arguments are the Words of package puzzlefile.
type Arguments struct {
	Board, Lattice string
	Pieces         []string
	Wrap           string
	Cover, Motions string
}

func parse(name string, data []byte) (*Puzzle, error) { return PuzzleOfFile(name, data) }

func (a Arguments) puzzle() (*Puzzle, error) { return PuzzleOfArguments(a) }
