package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFiles: there is a page for each verb, with its flags and the date of the source, and a script
// for each shell.
func TestFiles(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1000000000")
	dir := filepath.Join(t.TempDir(), "share")
	if err := write([]string{dir}); err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"man/man1/pavage.1":                     {`.TH PAVAGE 1 "2001-09-09"`, "Exit codes", "\n.TP\n\\fBcount\\fR\n"},
		"man/man1/pavage-count.1":               {`.TH PAVAGE\-COUNT 1 "2001-09-09"`, `\fB\-\-distinct[=usual]\fR`, `\fB\-\-board SIZE\fR`, `\fB\-\-explain\fR`, "(default auto)", ".SH EXAMPLES"},
		"man/man7/pavage-methods.7":             {`.TH PAVAGE\-METHODS 7 "2001-09-09"`, "Burnside\\(aqs lemma", "\n.TP\n\\fBsweep\\fR\n"},
		"man/man1/pavage-sequence.1":            {`\fB\-\-recurrence\fR`},
		"bash-completion/completions/pavage":    {"complete -o default -F __start_pavage pavage"},
		"zsh/site-functions/_pavage":            {"#compdef pavage\n"},
		"fish/vendor_completions.d/pavage.fish": {"complete -c pavage "},
	} {
		file, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		}
		for _, want := range wants {
			if !bytes.Contains(file, []byte(want)) {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
	if write(nil) == nil {
		t.Error("no folder, and no error")
	}
	t.Setenv("SOURCE_DATE_EPOCH", "today")
	if write([]string{dir}) == nil {
		t.Error("SOURCE_DATE_EPOCH is a word, and there is no error")
	}
}
