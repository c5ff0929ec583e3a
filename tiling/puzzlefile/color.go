package puzzlefile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// colorNames are the basic colour keywords of CSS (CSS Color Module Level 4, section 6.1), grey and orange.
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
