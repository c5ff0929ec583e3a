package band

import (
	"context"
	"slices"
)

// Since returns the levels with numbers above at, up to l, but none before a damaged level.
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
