package band

import (
	"context"
	"slices"
)

// Since returns the levels whose number is above the argument at, up to l. It omits a damaged level
// and all levels before it.
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
