package puzzlefile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// copies reads n, the value of a key copies.
func (n *node) copies() (least, most int, err error) {
	text, err := n.word("copies")
	if err != nil {
		return 0, 0, err
	}
	least, most, err = parseCopies(text)
	return least, most, n.placed(err)
}

// parseCopies reads N, A..B, A.. or any.
func parseCopies(text string) (least, most int, err error) {
	if text == "any" {
		return 0, cover.Unbounded, nil
	}
	from, to, isRange := strings.Cut(text, "..")
	least, ok := wording.Number(from, tiling.MaxCopies)
	most = least
	if isRange && to == "" {
		most = cover.Unbounded
	} else if isRange && ok {
		most, ok = wording.Number(to, tiling.MaxCopies)
	}
	switch {
	case !ok:
		return 0, 0, fmt.Errorf("bad copies %s, want N, A..B, A.. or any, with numbers up to %d", wording.Quote(text), tiling.MaxCopies)
	case most < least:
		return 0, 0, fmt.Errorf("copies %s run backwards, want %d..%d", wording.Quote(text), most, least)
	}
	return least, most, nil
}

// colorNames has the basic colour keywords of CSS (CSS Color Module Level 4, section 6.1), grey
// and orange.
var colorNames = map[string]string{
	"black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080", "white": "#ffffff",
	"maroon": "#800000", "red": "#ff0000", "purple": "#800080", "fuchsia": "#ff00ff",
	"green": "#008000", "lime": "#00ff00", "olive": "#808000", "yellow": "#ffff00",
	"navy": "#000080", "blue": "#0000ff", "teal": "#008080", "aqua": "#00ffff", "orange": "#ffa500",
}

// parseColor reads #rgb, #rrggbb or a name, and returns #rrggbb.
func parseColor(text string) (string, error) {
	low := strings.ToLower(text)
	long := low
	if len(low) == 4 {
		long = string([]byte{low[0], low[1], low[1], low[2], low[2], low[3], low[3]})
	}
	switch {
	case tiling.IsColor(long):
		return long, nil
	case strings.HasPrefix(text, "#"):
		return "", fmt.Errorf("bad color %s, want #rgb or #rrggbb", wording.Quote(text))
	}
	if color, known := colorNames[low]; known {
		return color, nil
	}
	names := slices.Sorted(maps.Keys(colorNames))
	return "", fmt.Errorf("unknown color %s, %s", wording.Quote(text), meant(low, "#rgb, #rrggbb or one of "+wording.List(names), names))
}

// readCell reads a cell as a list of 2 or 3 coordinates. It refuses other dimensions.
func readCell(n *node, dimensions int) (tiling.Cell, error) {
	if n.kind != sequence || len(n.items) != dimensions || dimensions < 2 || dimensions > 3 {
		return tiling.Cell{}, n.errorf("bad cell, want [row, column] or [layer, row, column], and all cells alike")
	}
	var c tiling.Cell
	for i, item := range n.items {
		text, err := item.word("a coordinate")
		if err != nil {
			return tiling.Cell{}, err
		}
		v, err := readCoordinate(text)
		if err != nil {
			return tiling.Cell{}, item.wrap(err)
		}
		c[3-dimensions+i] = v
	}
	return c, nil
}

func readCoordinate(text string) (int, error) {
	digits, negative := strings.CutPrefix(text, "-")
	v, ok := wording.Number(digits, tiling.MaxSide)
	if !ok {
		return 0, fmt.Errorf("bad coordinate %s, want a number from -%d to %[2]d", wording.Quote(text), tiling.MaxSide)
	}
	if negative {
		return -v, nil
	}
	return v, nil
}
