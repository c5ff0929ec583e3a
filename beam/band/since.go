package band

import (
	"context"
	"slices"
)

// Since returns the levels after level number at, up to l. It omits all levels up to a damaged one.
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
