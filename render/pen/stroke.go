package pen

import "math"

// strokes are the areas of lines along outlines, closed or open: for each side a
// rectangle, and a disc on each corner, all clockwise, so that they fill what they
// cover together.
//
//	╭───┬────────────┬───╮
//	│ ● │            │ ● │
//	├───┼────────────┴───╯
//	│   │
func strokes(outlines [][]Point, width float64, cut, open bool) (all [][]Point) {
	for _, outline := range outlines {
		for k, from := range outline {
			to := outline[(k+1)%len(outline)]
			switch last := k == len(outline)-1; {
			case open && last && cut:
				continue
			case open && last:
				to = from
			case cut:
				all = append(all, dashed(from, to, width)...)
				continue
			}
			all = append(all, disc(from, width/2), bar(from, to, width))
		}
	}
	return all
}

// bar is a line from one point to another.
func bar(from, to Point, width float64) []Point {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length == 0 {
		return nil
	}
	x, y := -(to.Y-from.Y)/length*width/2, (to.X-from.X)/length*width/2
	return []Point{{from.X - x, from.Y - y}, {to.X - x, to.Y - y}, {to.X + x, to.Y + y}, {from.X + x, from.Y + y}}
}

// dashed is a line in dashes with round ends. The first and the last one begin and end
// at its ends, so that corners are seen.
func dashed(from, to Point, width float64) (all [][]Point) {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	n := max(1, math.Round((length/width-dash)/(dash+gap)))
	period := max(0, (length-dash*width)/n)
	at := func(s float64) Point {
		s = min(s, length) / max(length, 1e-9)
		return Point{from.X + (to.X-from.X)*s, from.Y + (to.Y-from.Y)*s}
	}
	for k := 0.0; k <= n; k++ {
		a, b := at(k*period), at(k*period+dash*width)
		all = append(all, disc(a, width/2), bar(a, b, width), disc(b, width/2))
	}
	return all
}

// disc is a circle, as a polygon whose sides are a fiftieth of a pixel off.
func disc(at Point, radius float64) []Point {
	const off = 0.02
	sides := 8
	if radius > off {
		sides = max(sides, int(math.Ceil(math.Pi/math.Acos(1-min(off/radius, 1)))))
	}
	points := make([]Point, sides)
	for k := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
		points[k] = Point{at.X + radius*cos, at.Y + radius*sin}
	}
	return points
}
