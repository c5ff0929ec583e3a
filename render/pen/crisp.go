package pen

import (
	"image/color"
	"math"
	"slices"
)

// crisp fills the pixels whose middles lie within outlines, all of each: areas that share a side share no
// pixel there, and leave none out.
//
//	┌─┬─┬─┬─┐
//	│·│#│#│#│    middles of pixels are looked at row by row, between the places where
//	├─┼╱┼─┼─┤    sides cross the row
//	│·│·│#│#│
//	└─┴─┴─┴─┘
func (p *pngPen) crisp(outlines [][]Point, fill Colour) {
	box := boxOf(outlines).Intersect(p.pixels.Bounds())
	ink := color.RGBA{uint8(fill[0]), uint8(fill[1]), uint8(fill[2]), 255}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		p.crossed = p.crossed[:0]
		for _, outline := range outlines {
			// Two areas with a side in common find the same place, since the upper end comes first in both.
			y := float64(y) + 0.5
			for k, a := range outline {
				b := outline[(k+1)%len(outline)]
				if (a.Y <= y) == (b.Y <= y) {
					continue
				}
				if a.Y > b.Y {
					a, b = b, a
				}
				p.crossed = append(p.crossed, a.X+float64((y-a.Y)*(b.X-a.X)/(b.Y-a.Y)))
			}
		}
		slices.Sort(p.crossed)
		for k := 0; k+1 < len(p.crossed); k += 2 {
			from, to := middleFrom(p.crossed[k]), middleFrom(p.crossed[k+1])
			for x := max(from, box.Min.X); x < min(to, box.Max.X); x++ {
				p.pixels.SetRGBA(x, y, ink)
			}
		}
	}
}

// middleFrom is the first pixel of a row whose middle is not before x.
func middleFrom(x float64) int { return int(math.Ceil(x - 0.5)) }
