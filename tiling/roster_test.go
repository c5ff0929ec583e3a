package tiling

import (
	"fmt"
	"testing"
)

func TestTooManyPieces(t *testing.T) {
	p := inline(t, "8x8", "monomino=any")
	one := p.Pieces[0]
	for len(p.Pieces) < MaxPieces {
		one.Name = fmt.Sprint("p", len(p.Pieces))
		p.Pieces = append(p.Pieces, one)
	}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	one.Name = "q"
	p.Pieces = append(p.Pieces, one)
	if err := p.Validate(); err == nil || err.Error() != "too many pieces, expected at most 100000" {
		t.Errorf("%d pieces: %v", len(p.Pieces), err)
	}
}
