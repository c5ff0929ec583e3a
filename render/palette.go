package render

import (
	"fmt"
	"math"
	"slices"
)

// colour is red, green and blue in sRGB, 0 to 255.
type colour [3]float64

var (
	black = colour{}
	white = colour{255, 255, 255}
	bare  = colour{244, 244, 246} // cells that no placement covers
)

// hues are thirteen colours found by annealing over a grid of sRGB colours
// with OKLab lightness .52 to .93 and chroma .05 to .19: the best of twelve
// runs. Any two are at least 0.137 apart in OKLab, and 0.086 as protanopes
// and deuteranopes see them. Strong contrasts come first: placements of one
// piece rarely need more than four colours.
var hues = [...]colour{
	{0x3a, 0xaf, 0xf7},
	{0xf7, 0x70, 0x28},
	{0xaf, 0xf7, 0xdc},
	{0x94, 0x43, 0xa6},
	{0xf7, 0xee, 0x4c},
	{0x3a, 0x79, 0x70},
	{0xd3, 0xc1, 0xe5},
	{0xc1, 0x31, 0x28},
	{0x3a, 0xd3, 0x9d},
	{0xca, 0x79, 0xb8},
	{0xdc, 0xb8, 0x4c},
	{0x5e, 0x70, 0xdc},
	{0x8b, 0x9d, 0x79},
}

// tones are what a hue is varied by: how much of white (above 0) or of black
// (below) is mixed in.
var tones = [...]float64{0, 0.5, -0.35}

// apart is the least distance of neighbours' colours, if it can be had: a
// little under that of the hues, so that rounding cannot break their ties.
const apart = 0.13

// swatch is a colour and where it lies among the colours.
type swatch struct {
	colour
	place oklab
}

// paint gives each placement a colour. Pieces share the hues out among
// themselves; a placement takes the first colour of its piece's share that is
// well apart from its neighbours' (or else the one most apart). So a piece
// that occurs once has the same colour in every tiling.
func (s *scene) paint() []colour {
	painted, colours := make([]swatch, len(s.placements)), make([]colour, len(s.placements))
	shares := make(map[int][]swatch)
	neighbours := s.neighbours()
	for k, pl := range s.placements {
		if shares[pl.Piece] == nil {
			shares[pl.Piece] = share(pl.Piece, len(s.puzzle.Pieces))
		}
		var taken []oklab
		for _, n := range neighbours[k] {
			taken = append(taken, painted[n].place)
		}
		painted[k] = choose(shares[pl.Piece], taken)
		colours[k] = painted[k].colour
	}
	return colours
}

// neighbours returns for each placement those before it that it has a face in
// common with, ascending.
func (s *scene) neighbours() [][]int {
	all := make([][]int, len(s.placements))
	for k, pl := range s.placements {
		for _, i := range pl.Cells {
			c := s.puzzle.Board.Cells[i]
			for _, step := range s.lattice.Steps(c) {
				if n := s.at(plus(c, step)); n != hole && n < k {
					all[k] = append(all[k], n)
				}
			}
		}
		slices.Sort(all[k])
		all[k] = slices.Compact(all[k])
	}
	return all
}

// share returns the colours that the piece, one of a number of pieces, may
// have, best first: every so-manyth hue in all tones. Pieces after the
// thirteenth begin with another tone.
func share(piece, pieces int) []swatch {
	var all []swatch
	for k := range tones {
		tone := tones[(k+piece/len(hues))%len(tones)]
		for h := piece % len(hues); h < len(hues); h += pieces {
			c := hues[h].toned(tone)
			all = append(all, swatch{c, c.oklab()})
		}
	}
	return all
}

// choose returns the first candidate that is apart from all colours taken, or
// the one that is furthest from the nearest of them.
func choose(candidates []swatch, taken []oklab) swatch {
	var best swatch
	most := -1.0
	for _, c := range candidates {
		near := math.Inf(1)
		for _, t := range taken {
			near = min(near, c.place.distance(t))
		}
		if near >= apart {
			return c
		}
		if near > most {
			best, most = c, near
		}
	}
	return best
}

// mix returns c with a share of d, 0..1, in it, rounded to whole numbers.
func (c colour) mix(d colour, share float64) colour {
	for k := range c {
		c[k] = math.Round(float64(c[k]*(1-share)) + float64(d[k]*share))
	}
	return c
}

func (c colour) toned(tone float64) colour {
	if tone < 0 {
		return c.mix(black, -tone)
	}
	return c.mix(white, tone)
}

// hex is c as SVG writes it.
func (c colour) hex() string {
	return fmt.Sprintf("#%02x%02x%02x", uint8(c[0]), uint8(c[1]), uint8(c[2]))
}

// legible returns black or white, whichever is easier to read on c.
func (c colour) legible() colour {
	if c.oklab()[0] < 0.62 {
		return white
	}
	return black
}

// oklab is a colour in a space where distances are those that eyes see:
// lightness 0..1, green to red, blue to yellow.
type oklab [3]float64

func (a oklab) distance(b oklab) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// oklab converts c, with the matrices of Ottosson (2020).
func (c colour) oklab() oklab {
	cones := [3][3]float64{
		{0.4122214708, 0.5363325363, 0.0514459929},
		{0.2119034982, 0.6806995451, 0.1073969566},
		{0.0883024619, 0.2817188376, 0.6299787005},
	}
	opponents := [3][3]float64{
		{0.2104542553, 0.7936177850, -0.0040720468},
		{1.9779984951, -2.4285922050, 0.4505937099},
		{0.0259040371, 0.7827717662, -0.8086757660},
	}
	var l [3]float64
	for k := range c {
		l[k] = linear(c[k] / 255)
	}
	l = times(cones, l)
	for k := range l {
		l[k] = math.Cbrt(l[k])
	}
	return times(opponents, l)
}

// linear undoes the gamma of sRGB.
func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func times(m [3][3]float64, v [3]float64) (r [3]float64) {
	for i := range m {
		r[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return r
}
