package tiling

import (
	"cmp"
	"fmt"

	"github.com/pavage/pavage/internal/kit/wording"
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
	if err := CheckTitle(p.Title); err != nil {
		return err
	}
	if err := p.Board.Validate(); err != nil {
		return fmt.Errorf("board: %w", err)
	}
	if len(p.Pieces) == 0 {
		return fmt.Errorf("no pieces, want at least one")
	}
	if err := p.validateColours(); err != nil {
		return err
	}
	if p.Parameters != nil && len(p.Setting) != len(p.Parameters.All) {
		return fmt.Errorf("%d values of %d parameters, want one each",
			len(p.Setting), len(p.Parameters.All))
	}
	if p.Parameters != nil {
		for _, pattern := range p.Parameters.Except {
			if len(pattern) != len(p.Parameters.All) {
				return fmt.Errorf("an exception with %d values of %d parameters, want one each",
					len(pattern), len(p.Parameters.All))
			}
		}
	}
	r := NewRoster(p.Board.Lattice, len(p.Colours))
	for _, piece := range p.Pieces {
		if err := r.Add(piece); err != nil {
			return err
		}
	}
	return cmp.Or(p.validateGroups(), p.validateMarks())
}

// CheckTitle returns an error if title is not printable or has more than [MaxTitleRunes] runes.
func CheckTitle(title string) error {
	if !wording.Printable(title, MaxTitleRunes) {
		return fmt.Errorf("bad title %s, want one line of at most %d printable characters",
			wording.Quote(title), MaxTitleRunes)
	}
	return nil
}
