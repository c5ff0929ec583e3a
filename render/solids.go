package render

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pavage/pavage/render/solid"
	"github.com/pavage/pavage/tiling"
)

// Solid writes each of the placements t on p's board as a body or, without placements, the board.
// Cells are o.Cell millimetres wide; 0 means 20 mm. A cell of a flat board is as thick as wide.
func Solid(w io.Writer, p *tiling.Puzzle, t []tiling.Placement, f *solid.Format, o PictureOptions) error {
	if o.tree {
		return fmt.Errorf("%w: a tree cannot be drawn as a solid, expected the format json or a picture", ErrInvalid)
	}
	s, err := o.scene(p, t)
	if err != nil {
		return err
	}
	b, err := newBodies(p, o)
	if err != nil {
		return err
	}
	s = s.lifted
	free := slices.DeleteFunc(slices.Clone(s.puzzle.Board.Cells), s.placed)
	if s.boardOnly() && len(free) > 0 {
		err = b.add(s, "board", free, bare.Linear())
	}
	colours := s.paint(o.ColorBy)
	for k := 0; k < len(s.placements) && err == nil; k++ {
		var cells []tiling.Cell
		for _, i := range s.placements[k].Cells {
			cells = append(cells, s.puzzle.Board.Cells[i])
		}
		err = b.add(s, s.puzzle.Pieces[s.placements[k].Piece].Name, cells, colours[k].Linear())
	}
	if err != nil {
		return err
	}
	b.model.ToOrigin()
	return f.Write(w, b.model)
}

// Plate writes the pieces of p side by side, with as many copies as [Cutouts] has. Each piece lies
// as low as possible, and then with as many cells as possible on the ground.
func Plate(w io.Writer, p *tiling.Puzzle, f *solid.Format, o PictureOptions) error {
	if _, err := newScene(p, nil); err != nil {
		return err
	}
	b, err := newBodies(p, o)
	if err != nil {
		return err
	}
	if o.Explode > 0 {
		return fmt.Errorf("%w: a model of the pieces has no layers that can be lifted", ErrInvalid)
	}
	copies, err := copiesOf(p)
	if err != nil {
		return err
	}
	var things []solid.Part
	for k, piece := range p.Pieces {
		if copies[k] == 0 {
			continue
		}
		s, err := pieceScene(p, k, tiling.Piece{Name: piece.Name, Lattice: piece.Lattice, Shape: lying(piece)})
		if err != nil {
			return err
		}
		if err := b.add(s, piece.Name, s.puzzle.Board.Cells, s.paint(o.ColorBy)[0].Linear()); err != nil {
			return err
		}
		things = append(things, slices.Repeat(b.model.Parts[len(b.model.Parts)-1:], copies[k])...)
	}
	b.model.Parts = nil
	for _, part := range spread(things) {
		if err := b.model.Add(part); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
	}
	return f.Write(w, b.model)
}

// lying returns the orientation in which [Plate] writes a piece. It does not reflect the piece.
func lying(p tiling.Piece) tiling.Shape {
	if p.Lattice == nil || p.Lattice.Dimensions() < 3 {
		return p.Shape
	}
	p.Motions = tiling.OneSided
	return slices.MinFunc(p.Orientations(), func(a, b tiling.Shape) int {
		return cmp.Or(a[len(a)-1][0]-b[len(b)-1][0], ground(b)-ground(a)) // the last cell is in the highest layer
	})
}

func ground(s tiling.Shape) int {
	above := slices.IndexFunc(s, func(c tiling.Cell) bool { return c[0] > 0 })
	if above < 0 {
		return len(s)
	}
	return above
}

const plateGap = 0.5

// spread puts parts side by side in rows. Together, the rows are roughly a square.
func spread(parts []solid.Part) []solid.Part {
	area, widest := 0.0, 0.0
	for _, p := range parts {
		least, most := p.Mesh.Bounds()
		area += (most[0] - least[0] + plateGap) * (most[1] - least[1] + plateGap)
		widest = max(widest, most[0]-least[0])
	}
	width := max(widest, math.Sqrt(area))
	x, y, deep := 0.0, 0.0, 0.0
	for k := range parts {
		least, most := parts[k].Mesh.Bounds()
		if x > 0 && x+most[0]-least[0] > width {
			x, y, deep = 0, y+deep+plateGap, 0
		}
		parts[k].At = solid.Point{x - least[0], y - least[1], -least[2]}
		x, deep = x+most[0]-least[0]+plateGap, max(deep, most[1]-least[1])
	}
	return parts
}

type bodies struct {
	model  *solid.Model
	gap    float64
	meshes map[string]*solid.Mesh
}

const defaultSolid = 20

func newBodies(p *tiling.Puzzle, o PictureOptions) (*bodies, error) {
	scale := cmp.Or(o.Cell, defaultSolid)
	if _, err := o.checked(); err != nil {
		return nil, err
	}
	if most := solid.MaxGap(p.Board.Lattice) * float64(scale); !(o.Gap >= 0 && o.Gap <= most) {
		return nil, fmt.Errorf("%w: the gap is %g mm between cells of %d mm, expected a gap of 0 to %.3g mm", ErrInvalid, o.Gap, scale, most)
	}
	model := &solid.Model{Title: p.Title, Scale: float64(scale)}
	return &bodies{model, o.Gap / float64(scale), make(map[string]*solid.Mesh)}, nil
}

func (b *bodies) add(s *scene, name string, cells []tiling.Cell, colour [3]float64) error {
	shape := s.lattice.Shape(cells...)
	key := fmt.Sprint(shape)
	mesh, known := b.meshes[key]
	if !known {
		var err error
		if mesh, err = solid.Build(s.lattice, shape, b.gap); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		b.meshes[key] = mesh
	}
	least := slices.MinFunc(cells, func(a, b tiling.Cell) int { return slices.Compare(a[:], b[:]) })
	at := solid.Place(s.lattice, least).Minus(solid.Place(s.lattice, shape[0]))
	if err := b.model.Add(solid.Part{Name: name, Mesh: mesh, At: at, Colour: colour}); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return nil
}
