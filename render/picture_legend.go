package render

import "github.com/pavage/pavage/render/pen"

// pictureLegend says below a picture which piece each letter stands for, in columns. It
// takes no room where there are no letters, or nothing to tell apart.
type pictureLegend struct {
	entries       [][2]string
	width, height float64
	across        int
	column        float64 // width of one
}

// legendOf is the legend of the pieces in some pictures of that width together.
func (d *drawing) legendOf(width float64, scenes ...*scene) pictureLegend {
	if !d.options.Label.some() || d.tiny() {
		return pictureLegend{}
	}
	pieces := make(map[int]bool)
	for _, s := range scenes {
		shown(s.placements, pieces)
	}
	l := pictureLegend{entries: legend(scenes[0].puzzle.Pieces, d.labels, pieces), across: 1}
	if len(l.entries) == 0 {
		return pictureLegend{}
	}
	widest := 0
	for _, e := range l.entries {
		widest = max(widest, legendWidth(e))
	}
	// Fonts differ: most letters of a sans-serif font are narrower than 0.6 of its size.
	l.column = float64(float64(widest+gap)*0.6) * d.legendSize()
	l.across = max(1, int(width/l.column))
	lines := (len(l.entries) + l.across - 1) / l.across
	l.width = l.column * float64(min(l.across, len(l.entries)))
	l.height = d.margin() + float64(lines)*d.legendLine()
	return l
}

func (d *drawing) legendSize() float64 { return d.cell() * 0.36 }
func (d *drawing) legendLine() float64 { return d.cell() * 0.5 }

// legend writes the legend, its top left corner at x and y.
func (d *drawing) legend(l pictureLegend, x, y float64) {
	if len(l.entries) == 0 {
		return
	}
	d.Group(pen.Group{Left: true})
	for i, e := range l.entries {
		line := float64(i / l.across)
		d.text(x+float64(float64(i%l.across)*l.column), y+d.margin()+float64((line+0.5)*d.legendLine()), d.legendSize(), pen.Black, e[0]+": "+e[1])
	}
	d.CloseGroup()
}
