package band

import (
	"context"
	"slices"
)

// Since returns l and the levels before it, down to the level after number at. It omits all levels
// before a damaged level.
func (r *Run) Since(ctx context.Context, at int, l *Level) []*Level {
	all := []*Level{l}
	for l.Before != "" {
		var err error
		if l, err = r.readLevel(ctx, l.Before); err != nil || l.At <= at {
			break
		}
		all = append(all, l)
	}
	slices.Reverse(all)
	return all
}
