package exchange

import (
	"slices"
	"strconv"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// chosen is the puzzle that was asked for, or the only one.
func (p *polycube) chosen() (*polybox, error) {
	wish := p.options.Problem
	n, err := strconv.Atoi(wish)
	switch {
	case len(p.boxes) == 0:
		return nil, p.errorf(max(1, p.line), 1, "no puzzle, want one that begins with D:xDim=…:yDim=…:zDim=…")
	case wish == "" && len(p.boxes) == 1:
		return p.boxes[0], nil
	case wish == "":
		return nil, p.errorf(p.boxes[1].line, 1, "%d puzzles in the file, want one of them to be chosen (--problem): 1 to %d", len(p.boxes), len(p.boxes))
	case err != nil || n < 1 || n > len(p.boxes):
		return nil, p.errorf(1, 1, "no problem %s, want a number from 1 to %d", wording.Quote(wish), len(p.boxes))
	}
	return p.boxes[n-1], nil
}

// puzzle makes the puzzle of a box.
func (p *polycube) puzzle(box *polybox) (*tiling.Puzzle, error) {
	blocked := make([]bool, box.volume())
	for _, piece := range box.pieces {
		for _, c := range piece.cells {
			if !piece.stationary {
				continue
			}
			if blocked[box.index(c)] {
				return nil, p.errorf(piece.line, 1, "stationary piece %s has the cell %d %d %d, which is taken already", wording.Quote(piece.name), c[0], c[1], c[2])
			}
			blocked[box.index(c)] = true
		}
	}
	if all := box.mobile + box.fixed; all != box.volume() {
		return nil, p.errorf(box.line, 1, "pieces of %d cells in all, want as many as the box has, %d", all, box.volume())
	}
	lattice, motions := tiling.Cube, tiling.OneSided
	if box.size[2] == 1 {
		switch solid := box.solid(); {
		case solid == nil && box.oneSide:
			lattice = tiling.Square
		case solid == nil:
			lattice, motions = tiling.Square, tiling.Free
		case box.oneSide:
			return nil, p.errorf(solid.line, 1, "piece %s has more than one layer, want flat pieces where oneSide is set", wording.Quote(solid.name))
		}
	}
	made := newBuilder(lattice, p.title)
	if err := made.board([3]int{box.size[2], box.size[1], box.size[0]}, box.free(blocked)); err != nil {
		return nil, p.errorf(box.line, 1, "%v", err)
	}
	like := map[string]int{}
	for _, piece := range box.pieces {
		if piece.stationary {
			continue
		}
		sites := make([]site, len(piece.cells))
		for i, c := range piece.cells {
			sites[i] = box.site(c)
		}
		if err := made.copy(tiling.Piece{Name: piece.name, Motions: motions, Min: 1, Max: 1}, sites, like); err != nil {
			return nil, p.errorf(piece.line, 1, "%v", err)
		}
	}
	puzzle, err := made.done()
	if err != nil {
		return nil, p.errorf(box.line, 1, "%v", err)
	}
	return puzzle, nil
}

// solid is a piece that moves and has more than one layer, nil if there is none.
func (box *polybox) solid() *polypiece {
	for _, piece := range box.pieces {
		if !piece.stationary && slices.ContainsFunc(piece.cells, func(c [3]int) bool { return c[2] != piece.cells[0][2] }) {
			return piece
		}
	}
	return nil
}

// site is our cell for x, y, z: rows go from the largest y down.
func (box *polybox) site(c [3]int) site {
	return site{cell: tiling.Cell{c[2], box.size[1] - 1 - c[1], c[0]}}
}

// free are the cells that are not blocked.
func (box *polybox) free(blocked []bool) []site {
	var sites []site
	for z := range box.size[2] {
		for y := range box.size[1] {
			for x := range box.size[0] {
				if c := [3]int{x, y, z}; !blocked[box.index(c)] {
					sites = append(sites, box.site(c))
				}
			}
		}
	}
	return sites
}
