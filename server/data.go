package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// The names in the data folder.
const (
	databaseFile = "pavage.db"
	storeFolder  = "store"
	tempFolder   = "tmp"
)

// DataFolder is the folder that the setting names. Without a setting it is a folder of the
// user, as the XDG base directory specification defines.
func DataFolder(setting string) (string, error) {
	if setting != "" {
		return filepath.Abs(setting)
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // others are to be ignored
		return filepath.Join(dir, "pavage"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return "", errors.New("data is empty and this user has no home, expected a folder: --data DIR")
	}
	return filepath.Join(home, ".local", "share", "pavage"), nil
}

// makeData makes the data folder and the folder for temporary files in it. Only its owner
// may read it and the files in it: puzzles and answers belong to those who asked.
func makeData(dir string) error {
	alone()
	for _, folder := range []string{dir, filepath.Join(dir, tempFolder)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return fmt.Errorf("data folder: %w", err)
		}
	}
	return writable(dir)
}

// writable returns an error if no file can be made in the data folder.
func writable(dir string) error {
	f, err := os.CreateTemp(filepath.Join(dir, tempFolder), "ready-*")
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	_, err = f.WriteString("x") // a full disk makes files, but empty ones
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
