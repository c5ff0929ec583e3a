package tiling

import (
	"cmp"
	"fmt"
)

// Validate reports the first thing that makes p not a puzzle within the
// limits. Its errors wrap ErrPuzzle and have no place in a file.
func (p *Puzzle) Validate() error {
	if err := p.validateParts(); err != nil {
		return &Error{Text: err.Error()}
	}
	return nil
}

func (p *Puzzle) validateParts() error {
	if !printable(p.Title, MaxTitleRunes) {
		return errTitle(p.Title)
	}
	if err := p.Board.validate(); err != nil {
		return fmt.Errorf("board: %w", err)
	}
	if len(p.Pieces) == 0 {
		return errNoPieces
	}
	if err := p.validateColours(); err != nil {
		return err
	}
	if p.Parameters != nil && len(p.Setting) != len(p.Parameters.All) {
		return fmt.Errorf("%d values of %d parameters, want one each",
			len(p.Setting), len(p.Parameters.All))
	}
	r := newRoster(p.Board.Lattice, len(p.Colours))
	for _, piece := range p.Pieces {
		if err := r.add(piece); err != nil {
			return err
		}
	}
	return cmp.Or(p.validateGroups(), p.validateMarks())
}

var errNoPieces = fmt.Errorf("no pieces, want at least one")

func errTitle(title string) error {
	return fmt.Errorf("bad title %s, want one line of at most %d printable characters",
		quote(title), MaxTitleRunes)
}
