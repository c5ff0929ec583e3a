package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestPages: there is a page for each verb, with its flags.
func TestPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	if err := write([]string{dir}); err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"pavage.1":          {".TH \"PAVAGE\" \"1\"", "Exit codes"},
		"pavage-count.1":    {"\\fB--distinct\\fP", "\\fB--memory\\fP", ".SH EXAMPLE"},
		"pavage-sequence.1": {"\\fB--recurrence\\fP"},
	} {
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		for _, want := range wants {
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
	if write(nil) == nil {
		t.Error("no folder, and no error")
	}
}
