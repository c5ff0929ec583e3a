package render

import (
	"math"
	"slices"
	"sync"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

var (
	bare   = pen.Colour{244, 244, 246}
	dotted = pen.Colour{0x8a, 0x8a, 0x94}
	faint  = pen.Colour{0xdc, 0xdc, 0xe2}
)

// hues has sixteen colours, the best result of eight runs of annealing over sRGB colours with OKLab
// lightness .48 to .94 and chroma .055 to .185. Each colour is far from the colours before it. The
// table has the least distance of two colours in OKLab, for each of [pen.Visions]:
//
//	           normal           protanopia    deuteranopia     tritanopia
//	first 4          0.252           0.231         0.254         0.200
//	first 8          0.146           0.105         0.119         0.110
//	first 12         0.127           0.100         0.100         0.099
//	all 16           0.124           0.095         0.093         0.095
//
// Each colour has a distance of 0.07 or more from the colour of empty cells, and of 0.1 or more
// from #808080 and #9e9e9e. The colours after the first sixteen are tones of the hues, and closer to
// each other. So more than sixteen pieces need outlines and labels.
var hues = [...]pen.Colour{
	{0x38, 0x84, 0xf4},
	{0xff, 0xe6, 0x26},
	{0xab, 0x20, 0x05},
	{0x77, 0xe6, 0xff},
	{0xf5, 0x74, 0x1b},
	{0x64, 0x46, 0xc2},
	{0x9e, 0xd2, 0x8c},
	{0xa9, 0x70, 0xb1},
	{0xca, 0x99, 0xff},
	{0xff, 0xad, 0x00},
	{0x34, 0x82, 0x6e},
	{0xbf, 0xff, 0xb9},
	{0x8e, 0x30, 0x88},
	{0xb7, 0x60, 0x0f},
	{0x8b, 0xa0, 0x73},
	{0x0c, 0xc3, 0xba},
}

var tones = [...]float64{0, 0.5, -0.35}

// apart is the least distance wanted between the colours of two neighbours, and between automatic
// and given colours. The least distance of two hues is a little greater.
const apart = 0.09

// swatch is a colour and its OKLab coordinates, one triple for each of [pen.Visions].
type swatch struct {
	pen.Colour
	places [len(pen.Visions)]pen.Lab
}

func swatchOf(c pen.Colour) swatch {
	s := swatch{Colour: c}
	for k, vision := range pen.Visions {
		s.places[k] = vision.Sees(c)
	}
	return s
}

func (s swatch) nearest(others []swatch) float64 {
	least := math.Inf(1)
	for _, o := range others {
		for k := range s.places {
			least = min(least, s.places[k].Distance(o.places[k]))
		}
	}
	return least
}

// swatches has all automatic colours: every hue, then every hue in the next tone.
var swatches = sync.OnceValue(func() (all []swatch) {
	for _, tone := range tones {
		for _, c := range hues {
			if tone < 0 {
				c = c.Mix(pen.Black, -tone)
			} else {
				c = c.Mix(pen.White, tone)
			}
			all = append(all, swatchOf(c))
		}
	}
	return all
})

func numbered(n int) pen.Colour { return swatches()[n%len(swatches())].Colour }

// PieceColours returns the colour of each piece: its colour in the puzzle file or, for piece n, the
// automatic colour n. So the first sixteen pieces of any puzzle have different hues. An automatic
// colour that is too near to a colour in the file is replaced: see choose. With more pieces than
// automatic colours, none is replaced.
func PieceColours(p *tiling.Puzzle) []pen.Colour {
	colours := make([]pen.Colour, len(p.Pieces))
	var given, taken []swatch
	for k, piece := range p.Pieces {
		if piece.Color != "" {
			colours[k] = pen.FromHex(piece.Color)
			given = append(given, swatchOf(colours[k]))
		}
	}
	var near []int
	few := len(p.Pieces) <= len(swatches())
	for k, piece := range p.Pieces {
		switch {
		case piece.Color != "":
		case few && swatches()[k].nearest(given) < apart:
			near = append(near, k)
		default:
			colours[k] = numbered(k)
			if few {
				taken = append(taken, swatches()[k])
			}
		}
	}
	taken = append(taken, given...)
	for _, k := range near {
		chosen := choose(swatches(), taken)
		colours[k], taken = chosen.Colour, append(taken, chosen)
	}
	return colours
}

// mostCopies is the largest number of cells of a board on which copies have colours by default. The
// colours of more than 8,192 dominoes look like noise.
const mostCopies = 1 << 14

func (s *scene) paint(by ColorBy) []pen.Colour {
	if by == "" && len(s.puzzle.Pieces) == 1 && s.puzzle.Pieces[0].Color == "" {
		by = byCopy // if there is only one piece, its colour says nothing
		if len(s.puzzle.Board.Cells) > mostCopies {
			by = byKind
		}
	}
	switch by {
	case byNothing:
		return slices.Repeat([]pen.Colour{pen.White}, len(s.placements))
	case byCopy:
		painted, colours := make([]swatch, len(s.placements)), make([]pen.Colour, len(s.placements))
		neighbours := s.neighbours()
		twice := append(slices.Clone(swatches()), swatches()...)
		for k, pl := range s.placements {
			first := pl.Piece % len(swatches())
			var taken []swatch
			for _, n := range neighbours[k] {
				taken = append(taken, painted[n])
			}
			painted[k] = choose(twice[first:first+len(twice)/2], taken)
			colours[k] = painted[k].Colour
		}
		return colours
	case byOrientation:
		return s.paintNumbers(s.orientations())
	case byKind:
		return s.paintNumbers(s.kinds())
	}
	pieces, colours := PieceColours(s.puzzle), make([]pen.Colour, len(s.placements))
	for k, pl := range s.placements {
		colours[k] = pieces[pl.Piece]
	}
	return colours
}

func (s *scene) paintNumbers(of func(tiling.Placement) int) []pen.Colour {
	colours := make([]pen.Colour, len(s.placements))
	for k, pl := range s.placements {
		colours[k] = numbered(of(pl))
	}
	return colours
}

func (s *scene) paintLoops() []pen.Colour {
	l := s.loops
	strong := slices.DeleteFunc(slices.Clone(hues[:]), func(c pen.Colour) bool { return c.Contrast(pen.White) < 2.5 })
	all := make([]pen.Colour, len(l.cells)+1)
	for k, cells := range l.cells {
		short := 1 - math.Log(float64(len(cells)))/math.Log(float64(len(l.cells[0])))
		all[k] = strong[k%len(strong)].Mix(pen.White, 0.75*short)
	}
	all[len(l.cells)] = faint
	return all
}

// orientations returns a function from placements to indices of orientations. A placement across a
// seam may not have the shape of an orientation. Then its index is the index of the first
// orientation of its piece.
func (s *scene) orientations() func(tiling.Placement) int {
	first, n := make([]int, len(s.puzzle.Pieces)), 0
	orientations := make([][]tiling.Shape, len(s.puzzle.Pieces))
	for k := range s.puzzle.Pieces {
		first[k] = n
		if s.puzzle.Pieces[k].Lattice != nil {
			orientations[k] = s.puzzle.Pieces[k].Orientations()
		}
		n += max(1, len(orientations[k]))
	}
	var cells []tiling.Cell
	return func(pl tiling.Placement) int {
		cells = cells[:0]
		for _, i := range pl.Cells {
			cells = append(cells, s.puzzle.Board.Cells[i])
		}
		shape := s.lattice.Shape(cells...)
		turned := slices.IndexFunc(orientations[pl.Piece], func(o tiling.Shape) bool { return slices.Equal(o, shape) })
		return first[pl.Piece] + max(0, turned)
	}
}

// kinds returns a function from placements to indices of kinds. A kind is an orientation with the
// colour of the first cell on a chessboard. Dominoes have four kinds. In a large random tiling of
// an Aztec diamond each corner has dominoes of one kind, and the middle has all four (W. Jockusch,
// J. Propp, P. Shor, Random domino tilings and the arctic circle theorem, 1998).
//
//	# . # .      first cell black   ##..   #      first cell white   ..##   .
//	. # . #                                .                                #
//
// If no cell may stay empty, the first covered cell of the board is black. Otherwise the place 0,0
// is black. On triangles and hexagons an orientation is a kind.
func (s *scene) kinds() func(tiling.Placement) int {
	orientation := s.orientations()
	if s.lattice != tiling.Square && s.lattice != tiling.Cube {
		return orientation
	}
	colour := func(cell int) int {
		c := s.puzzle.Board.Cells[cell]
		return (c[0] + c[1] + c[2]) & 1
	}
	black := 0
	if !slices.Contains(s.puzzle.Board.Optional, true) && !s.boardOnly() {
		black = colour(s.placements[0].Cells[0])
	}
	return func(pl tiling.Placement) int { return 2*orientation(pl) + (colour(pl.Cells[0]) ^ black) }
}

func (s *scene) neighbours() [][]int {
	all := make([][]int, len(s.placements))
	for k, pl := range s.placements {
		for _, i := range pl.Cells {
			c := s.puzzle.Board.Cells[i]
			for _, step := range s.lattice.Steps(c) {
				if n := s.ownerAt(s.side(c, c.Plus(step)).b); n != hole && n < k {
					all[k] = append(all[k], n)
				}
			}
		}
		slices.Sort(all[k])
		all[k] = slices.Compact(all[k])
	}
	return all
}

// choose returns the first candidate whose distances from all taken colours are the constant apart
// or more. If there is none, it returns the candidate with the greatest distance.
func choose(candidates, taken []swatch) swatch {
	var best swatch
	most := -1.0
	for _, c := range candidates {
		near := c.nearest(taken)
		if near >= apart {
			return c
		}
		if near > most {
			best, most = c, near
		}
	}
	return best
}

// A colourScale is a line through OKLab, where distances are perceived differences. Equal steps of
// a number are equal distances on the line. Lightness falls along it, so that the order of the
// numbers is visible in grey prints and for colour-blind people. The scale of shares goes from
// cream to near black through many hues:
//
//	lightness 0.97 ───────────────────────────► 0.22     all along in equal steps
//	hue       100° cream · 60° orange · 15° red · -70° purple
//	chroma    0.045 ··· 0.175 in the middle ··· 0.045
//
// The scale of signed numbers is near white for 0 and has two arms of equal lightness, blue and
// orange, which colour-blind people distinguish. In grey, numbers below 0 need a bar.
//
//	lightness 0.37 ◄──────── 0.97 ────────► 0.37
//	hue       255° blue                50° orange to brown
//	chroma    0.076 ·· 0.13 ·· 0 ·· 0.13 ·· 0.076
type colourScale []pen.Colour

// scaleSteps is one less than the number of colours of a scale. People cannot distinguish more.
const scaleSteps = 256

func (c colourScale) at(t float64) pen.Colour {
	return c[int(math.Round(min(max(t, 0), 1)*float64(len(c)-1)))]
}

var (
	shareScale  = sync.OnceValue(func() colourScale { return evenly(shareLine, scaleSteps) })
	signedScale = sync.OnceValue(func() colourScale {
		all := evenly(signedArm(blueArm), scaleSteps/2)
		slices.Reverse(all)
		return append(all[:len(all)-1], evenly(signedArm(orangeArm), scaleSteps/2)...)
	})
)

const (
	blueArm   = 255
	orangeArm = 50
)

func shareLine(t float64) pen.Lab {
	return polar(0.97-float64(0.75*t), 0.045+float64(0.13*math.Sin(math.Pi*t)), 100-float64(170*t))
}

func signedArm(hue float64) func(float64) pen.Lab {
	return func(t float64) pen.Lab {
		return polar(0.97-float64(0.6*t), 0.13*math.Sin(float64(0.8*math.Pi*t)), hue)
	}
}

func polar(lightness, chroma, hue float64) pen.Lab {
	sin, cos := math.Sincos(hue / 180 * math.Pi)
	return pen.Lab{lightness, float64(chroma * cos), float64(chroma * sin)}
}

func evenly(line func(t float64) pen.Lab, steps int) colourScale {
	const fineness = 4096
	along := make([]float64, fineness+1) // length of the line up to each point
	for k := 1; k <= fineness; k++ {
		along[k] = along[k-1] + line(float64(k)/fineness).Distance(line(float64(k-1)/fineness))
	}
	scale := make(colourScale, 0, steps+1)
	for k, n := 0, 0; n <= steps; n++ {
		for k < fineness && along[k] < along[fineness]*float64(n)/float64(steps) {
			k++
		}
		c, _ := line(float64(k) / fineness).Colour()
		scale = append(scale, c)
	}
	return scale
}
