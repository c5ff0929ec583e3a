package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Finding is what Check found of one file.
type Finding struct {
	Path  string
	State State
	Kind  Kind  // of Sound and Damaged
	Bytes int64 // of the file
	Err   error // of Damaged: it wraps ErrDamaged, or is an error of the file system
}

// State says how a file is.
type State string

// The states.
const (
	Sound    State = "sound"
	Damaged  State = "damaged"
	Aside    State = "aside"    // damaged, and moved out of the way of a new file
	Leftover State = "leftover" // is being written, or its writer was killed
	Foreign  State = "foreign"  // of somebody else, or with a name of somebody else
)

// Check reads all files of the store in a folder and calls each with what it found in every
// file. Files of earlier versions of the program are left out. It changes nothing, not even the
// times of use. It returns an error only if the folder cannot be read, or if ctx has ended.
func Check(ctx context.Context, dir string, each func(Finding)) error {
	if _, err := os.ReadDir(dir); err != nil {
		return err
	}
	err := walk(ctx, dir, true, func(e entry) error {
		f := Finding{Path: e.path, Bytes: e.size, Kind: e.kind, State: Sound}
		switch e.what {
		case leftover:
			f.State = Leftover
		case foreign:
			f.State = Foreign
		default:
			f.Path = (&Store{dir: dir}).path(e.kind, e.key)
			switch f.Err = verify(ctx, f.Path, e.kind, e.key); {
			case errors.Is(f.Err, fs.ErrNotExist), ctx.Err() != nil:
				return context.Cause(ctx)
			case f.Err != nil:
				f.State = Damaged
			}
		}
		each(f)
		return nil
	})
	if err != nil {
		return err
	}
	folder := filepath.Join(dir, damagedName)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, d := range entries {
		if info, err := d.Info(); err == nil {
			each(Finding{Path: filepath.Join(folder, d.Name()), State: Aside, Bytes: info.Size()})
		}
	}
	return err
}

// verify reads a file and checks all of it.
func verify(ctx context.Context, path string, k Kind, key Key) error {
	r, err := openReader(path, k, key)
	if err != nil {
		return err
	}
	defer r.Close()
	return damaged(path, r.file.Check(ctx))
}
