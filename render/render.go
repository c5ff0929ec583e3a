// Package render writes tilings: as text for a terminal, as JSON for programs and
// as pictures for everything else. [Formats] is the table of what it can write.
//
// [Text] writes a tiling for a terminal, [Picture] draws one, and [HeatMap] draws a number for each cell.
//
// # Purpose
//
// A picture of a tiling has to answer one question at a glance: which cells
// belong to one placement? Outlines answer it wherever they are printed;
// colours and letters only help. The running example, a tiling of the 2x3
// board with dominoes, as [Text] and as cells and owners:
//
//	┌───┬───────┐
//	│   │   d   │        owner   0 1 1
//	│ d ├───────┤                0 2 2
//	│   │   d   │
//	└───┴───────┘
//
// # How it works
//
// Everything drawn comes from one scene (scene.go): each cell of the board has
// an owner, which is a placement, or the emptiness that the placements leave,
// or the cell itself when only the board is drawn. Two neighbouring cells with
// different owners have a border between them, and borders are all there is:
//
//	            scene: owners, borders, parts, anchors
//	           /              |                \
//	text.go: each corner   flat.go: borders  iso.go: what is seen of a stack
//	of cells has up to     of a layer as     of cubes, as triangles with
//	four borders, and      directed edges    owners; their borders as edges
//	one of 16 characters        \                /
//	                         trace.go: edges chained into closed paths
//	                              |
//	                         package pen: paths and texts as SVG, PNG, TikZ
//
// A piece alone (pieces.go) is a scene whose board is the piece.
//
// The board's lattice says which cells are neighbours and where their corners are. So a
// new lattice has pictures as soon as it is there. The outlines of text know squares, and
// hexagons and triangles by the corners of a cell (text_outline.go); cells of another form have
// compact text.
//
// A part is what one layer shows of a placement, in one piece; it gets one
// letter, at its anchor (parts.go). A legend says what the letters mean. palette.go has the
// colours: the colour of a piece comes from its place in the puzzle ([PieceColours]), unless [ColorBy]
// chooses otherwise. Whatever the order of the placements, the same tiling of the same puzzle gives
// the same bytes. [Cutouts] are sheets of paper in millimetres (paper.go).
//
// Cube boards are drawn in layers, layer 0 (the bottom) first, and in pictures also
// as a stack of cubes seen from above, rows coming down to the left and
// columns to the right:
//
//	   / \
//	 / top \           corner (layer z, row y, column x) of a cell is drawn
//	|\     /|          (x-y)·√3/2 to the right
//	|  \ /  |          (x+y)/2 - z down
//	|row|col|          in cell sides
//	 \  |  /
//	   \|/
//
// Beside the stack, a picture has the layers, or the box as seen from three sides (views.go). Solids
// for printers and viewers (solids.go) have the same placements, owners and colours; package solid
// makes their surfaces.
//
// Numbers have pictures too: [HeatMap] puts a number for each cell into a colour (heat_draw.go, with
// its scales in heat_scale.go), [HeatText] writes them as a table, and [BarChart] and [BarsText] draw counts as
// bars. The numbers come from elsewhere, exact; floats are only colours and lengths.
//
// # Non-goals
//
// Whether the placements have the shapes of their pieces, or keep to their
// bounds, is not looked at: only that they can be drawn, on the board and not
// over one another. Letters of PNG are the Go font's; those of
// SVG and TikZ are the reader's.
//
// # Size and cost
//
// Time and memory are linear in the cells of the smallest box around the
// board, at most tiling.MaxVolume, but for a sort of the edges of each path. Writers of text and
// JSON make once for a puzzle what all its tilings share: which cells meet in a character
// (text_grid.go), where the letters of a placement go (text_letters.go), names as JSON. A tiling
// takes them no allocation.
//
// # References
//
// Unicode blocks 2500–257F (box drawing) and 2580–259F (shade). The palette's colour distances: B.
// Ottosson, A perceptual color space for image processing (2020); colour
// blindness: G. M. Machado et al., IEEE TVCG 15 (2009) 1291–1298.
package render

import "errors"

// ErrInvalid is wrapped by every error that is about what was to be drawn and
// not about writing it.
var ErrInvalid = errors.New("cannot draw")
