//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/kit/filelock"
)

// TestMakeTemp: of the folders for temporary files, those that are old and have no process are removed.
func TestMakeTemp(t *testing.T) {
	in := t.TempDir()
	for name, age := range map[string]time.Duration{"pavage-beam-old": 2 * tempLeft, "pavage-beam-used": 2 * tempLeft, "pavage-beam-new": 0, "other": 2 * tempLeft} {
		path := filepath.Join(in, name)
		if err := os.MkdirAll(filepath.Join(path, "beamloopbackworker-1"), 0o700); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		was := info.ModTime().Add(-age)
		if err := os.Chtimes(path, was, was); err != nil {
			t.Fatal(err)
		}
	}
	used, err := os.Open(filepath.Join(in, "pavage-beam-used"))
	if err == nil {
		err = filelock.Alone(used)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	folder, done, err := makeTemp(in)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"pavage-beam-old": false, "pavage-beam-used": true, "pavage-beam-new": true, "other": true, filepath.Base(folder): true} {
		if _, err := os.Stat(filepath.Join(in, name)); (err == nil) != want {
			t.Errorf("%s: %v, want it to stay: %v", name, err, want)
		}
	}
	done()
	if _, err := os.Stat(folder); err == nil {
		t.Error("the folder stays")
	}
}
