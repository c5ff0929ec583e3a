package render

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// Piece draws all orientations of a piece of p. A solid piece is drawn as a stack of cubes.
func Piece(w io.Writer, p *tiling.Puzzle, piece int, o PictureOptions) error {
	o, err := o.checked()
	if err != nil {
		return err
	}
	if p == nil || piece < 0 || piece >= len(p.Pieces) {
		return fmt.Errorf("%w: the puzzle has no piece with the number %d", ErrInvalid, piece)
	}
	if p.Pieces[piece].Lattice == nil {
		return fmt.Errorf("%w: the piece %s has no lattice", ErrInvalid, p.Pieces[piece].Name)
	}
	d := newDrawing(w, o, p.Pieces)
	var all []figure
	for _, turned := range p.Pieces[piece].Turned() {
		f, err := d.figureOf(p, piece, turned, "")
		if err != nil {
			return err
		}
		all = append(all, f)
	}
	width, height := d.arrange(all, 0)
	name := p.Pieces[piece].Name
	if err := d.open(width+2*d.margin(), height+2*d.margin(), name, fmt.Sprintf("The piece %s in %s.", name, wording.Plural(len(all), "orientation"))); err != nil {
		return err
	}
	d.figures(all, d.margin(), d.margin())
	return d.Close()
}

// Overview draws p without a tiling and, below it, each piece once, with its name and copies.
func Overview(w io.Writer, p *tiling.Puzzle, o PictureOptions) error {
	d, s, f, err := o.begin(w, p, nil)
	if err != nil {
		return err
	}
	var all []figure
	for k, piece := range p.Pieces {
		caption := piece.Name
		if s.lettered(k) && d.labels[k] != piece.Name {
			caption = d.labels[k] + ": " + piece.Name
		}
		if copies := piece.Copies(); copies != "1" {
			caption += " × " + copies
		}
		g, err := d.figureOf(p, k, piece, caption)
		if err != nil {
			return err
		}
		all = append(all, g)
	}
	below, height := d.arrange(all, f.width)
	width := math.Max(below, f.width)
	if err := d.open(width+2*d.margin(), f.height+d.side+height+2*d.margin(), title(p),
		fmt.Sprintf("%s Below it %s.", s.describe(d.options.View), wording.Plural(len(all), "piece"))); err != nil {
		return err
	}
	d.group("board", d.margin()+(width-f.width)/2, d.margin())
	d.picture(s, f)
	d.CloseGroup()
	d.figures(all, d.margin()+(width-below)/2, d.margin()+f.height+d.side)
	return d.Close()
}

func pieceScene(p *tiling.Puzzle, piece int, turned tiling.Piece) (*scene, error) {
	b := &tiling.Board{Lattice: turned.Lattice, Cells: turned.Shape, Optional: make([]bool, len(turned.Shape)), Colours: turned.Colours}
	placement := tiling.Placement{Piece: piece, Marks: turned.Marks}
	for i, c := range turned.Shape {
		for k := range c {
			b.Size[k] = max(b.Size[k], c[k]+1)
		}
		placement.Cells = append(placement.Cells, i)
	}
	s, err := newScene(&tiling.Puzzle{Board: b, Pieces: p.Pieces, Colours: p.Colours}, []tiling.Placement{placement})
	if err != nil {
		return nil, fmt.Errorf("piece %s: %w", turned.Name, err)
	}
	return s, nil
}

func (d *drawing) figureOf(p *tiling.Puzzle, piece int, turned tiling.Piece, caption string) (figure, error) {
	s, err := pieceScene(p, piece, turned)
	if err != nil {
		return figure{}, err
	}
	f := figure{scene: s, caption: caption, frame: d.frameOf(s)}
	if s.stacked() {
		_, outlines := s.stackEdges()
		least, most := boxOf(slices.Concat(outlines...))
		x, y := d.stackScale()
		f.frame = frameAround(least, most, x, y)
	}
	f.width, f.height = f.frame.width, f.frame.height
	if caption != "" {
		letters := float64(len([]rune(caption))) * 0.6
		f.width = math.Max(f.width, letters*d.legendSize())
		f.height += d.legendLine() + d.margin()
	}
	return f, nil
}

// arrange centres rows of figures. Together, the rows are roughly a
// square, and at least as wide as the parameter least.
func (d *drawing) arrange(all []figure, least float64) (width, height float64) {
	gap, area, widest := d.side*0.75, 0.0, 0.0
	for _, f := range all {
		area += float64((f.width + gap) * (f.height + gap))
		widest = math.Max(widest, f.width)
	}
	width = math.Max(math.Max(least, widest), math.Sqrt(area)*1.2)
	ends := rows(all, width, gap)
	for narrower := width; narrower >= widest; narrower -= d.side / 2 {
		tried := rows(all, narrower, gap)
		if len(tried) > len(ends) {
			break
		}
		width, ends = narrower, tried
	}
	from := 0
	for _, to := range ends {
		tall, wide := 0.0, -gap
		for _, f := range all[from:to] {
			tall, wide = math.Max(tall, f.height), wide+f.width+gap
		}
		x := (width - wide) / 2
		for k := from; k < to; k++ { // align the figures of a row at the bottom, where captions are
			all[k].x, all[k].y = x, height+tall-all[k].height
			x += all[k].width + gap
		}
		height += tall + gap
		from = to
	}
	return width, height - gap
}

func rows(all []figure, width, gap float64) (ends []int) {
	x := 0.0
	for k, f := range all {
		if k > 0 && x+f.width > width {
			ends = append(ends, k)
			x = 0
		}
		x += f.width + gap
	}
	return append(ends, len(all))
}

func (d *drawing) figures(all []figure, x, y float64) {
	for _, f := range all {
		left := x + f.x + (f.width-f.frame.width)/2
		d.group(f.puzzle.Pieces[f.placements[0].Piece].Name, left+f.frame.origin[0], y+f.y+f.frame.origin[1])
		if f.stacked() {
			d.stack(f.scene, f.paint(d.options.ColorBy))
		} else {
			d.layer(f.scene, 0, f.paint(d.options.ColorBy))
		}
		d.CloseGroup()
		if f.caption != "" {
			d.text(x+f.x+f.width/2, y+f.y+f.height-d.legendLine()/2, d.legendSize(), pen.Black, f.caption)
		}
	}
}
