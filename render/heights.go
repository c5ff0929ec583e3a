package render

import (
	"fmt"
	"io"

	"github.com/pavage/pavage/tiling"
)

// Heights draws the heights of tilings of dominoes or lozenges, a panel for each: see
// [tiling.Board.Heights], which says where there are none. Errors are as for Picture.
func Heights(w io.Writer, p *tiling.Puzzle, tilings [][]tiling.Placement, o PictureOptions) error {
	heat := Heat{Legend: "heights"}
	for k, t := range tilings {
		if _, err := newScene(p, t); err != nil {
			return err
		}
		h, err := p.Board.Heights(t, nil)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		name := ""
		if len(tilings) > 1 {
			name = fmt.Sprintf("tiling %d", k+1)
		}
		heat.AddHeights(p, name, CornerHeights{h, t})
	}
	return HeatMap(w, p, heat, o)
}
