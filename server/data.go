package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const (
	databaseFile = "pavage.db"
	storeFolder  = "store"
	tempFolder   = "tmp"
)

// DataFolder returns the absolute path of the data folder. If the setting is "", the folder is
// pavage in $XDG_DATA_HOME or, without this variable, in ~/.local/share.
func DataFolder(setting string) (string, error) {
	if setting != "" {
		return filepath.Abs(setting)
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // by the specification, a relative path is ignored
		return filepath.Join(dir, "pavage"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return "", errors.New("no data folder is given and this user has no home folder, expected --data DIR")
	}
	return filepath.Join(home, ".local", "share", "pavage"), nil
}

// Only the owner may read the folder, since the puzzles and answers of callers are private.
func makeData(dir string) error {
	alone()
	for _, folder := range []string{dir, filepath.Join(dir, tempFolder)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return fmt.Errorf("data folder: %w", err)
		}
	}
	return writable(dir)
}

func writable(dir string) error {
	f, err := os.CreateTemp(filepath.Join(dir, tempFolder), "ready-*")
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	_, err = f.WriteString("x") // on a full disk, a file can be made, but not written
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
