package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// Finding is the result of Check for one file.
type Finding struct {
	Path  string
	State State
	Kind  Kind  // kind of the file; "" unless State is Sound or Damaged
	Bytes int64 // size of the file
	Err   error // wraps ErrDamaged, or is an error of the file system; nil unless State is Damaged
}

// State is the state of a file.
type State string

const (
	Sound    State = "sound"
	Damaged  State = "damaged"
	Aside    State = "aside"    // damaged, and moved to DIR/damaged by a Put
	Leftover State = "leftover" // is being written, or its writer was killed
	Foreign  State = "foreign"  // its name is not the name of a file of a store
)

// Check checks every file of the store in a folder, and passes its Finding to the function each. It
// changes nothing, not even the times of use. It fails if a folder cannot be read or ctx ends.
func Check(ctx context.Context, dir string, each func(Finding)) error {
	if _, err := os.ReadDir(dir); err != nil {
		return err
	}
	return walk(ctx, dir, func(e entry) error {
		f := Finding{Path: e.path, Bytes: e.size, Kind: e.kind, State: e.state}
		if e.state == Sound {
			switch f.Err = verify(ctx, e.path, e.kind, e.key); {
			case errors.Is(f.Err, fs.ErrNotExist), ctx.Err() != nil:
				return context.Cause(ctx)
			case f.Err != nil:
				f.State = Damaged
			}
		}
		each(f)
		return nil
	})
}
