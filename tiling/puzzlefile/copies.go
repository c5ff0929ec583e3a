package puzzlefile

import (
	"fmt"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

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
