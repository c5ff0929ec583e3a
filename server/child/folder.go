package child

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pavage/pavage/internal/kit/filelock"
)

const (
	folderPrefix = "pavage-child-"
	lockName     = "lock"
)

// folder is a child's own folder for temporary files. The parent holds a lock on a file
// in it. When the parent ends, for whatever reason, the system releases the lock. So
// nobody uses a folder without a lock.
type folder struct {
	path string
	lock *os.File
}

// tries is how often newFolder tries. Another process may take a new folder for an old
// one and remove it.
const tries = 10

// newFolder makes a folder in a directory.
func newFolder(dir string) (*folder, error) {
	for range tries {
		path, err := os.MkdirTemp(dir, folderPrefix)
		if err != nil {
			return nil, err
		}
		lock, err := take(path)
		switch {
		case lock != nil:
			return &folder{path, lock}, nil // also on systems that cannot lock files
		case !errors.Is(err, errTaken):
			return nil, errors.Join(err, os.RemoveAll(path))
		}
	}
	return nil, fmt.Errorf("%s: no folder could be made and locked in it", dir)
}

// errTaken says that another process has a folder, or has just removed it.
var errTaken = errors.New("another process has the folder")

// take locks a folder. On a system without locks it returns the file with filelock.ErrNone:
// there nobody can see whether a folder is in use, and old folders stay.
func take(path string) (*os.File, error) {
	name := filepath.Join(path, lockName)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	err = filelock.Alone(f)
	if errors.Is(err, filelock.ErrTaken) || !filelock.At(f, name) {
		return nil, errors.Join(errTaken, f.Close())
	}
	return f, err
}

// remove removes the folder with all that is in it.
func (f *folder) remove() error { return errors.Join(f.lock.Close(), os.RemoveAll(f.path)) }

// sweepFolders removes the folders in a directory that no process holds any more.
// Folders that cannot be removed stay: they belong to another user.
func sweepFolders(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), folderPrefix) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		lock, err := take(path)
		if err == nil {
			_ = os.RemoveAll(path) // the lock is held until nothing is left
		}
		if lock != nil {
			_ = lock.Close()
		}
	}
}
