package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// said is a test that keeps its error messages.
type said struct {
	testing.TB
	text string
}

func (s *said) Helper()                   {}
func (s *said) Errorf(f string, _ ...any) { s.text += f }

// TestSection: a section that differs is an error, or is replaced with update set; the text around
// it stays.
func TestSection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	page := "# Page\n<!-- words -->\nold\n<!-- end of words -->\nend\n"
	if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	check := func(want string, update, differs bool) {
		t.Helper()
		s := &said{TB: t}
		Section(s, file, "words", want, update, "make words")
		if (s.text != "") != differs {
			t.Errorf("%q: said %q", want, s.text)
		}
	}
	check("old\n", false, false)
	check("new\n", false, true)
	check("new\n", true, false)
	check("new\n", false, false)
	got, err := os.ReadFile(file)
	if want := strings.Replace(page, "old", "new", 1); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
}

// TestPageCases: a missing or different file is an error, or is written with update set.
func TestPageCases(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cases.json")
	check := func(want []any, update, differs bool) {
		t.Helper()
		s := &said{TB: t}
		Page(s, file, want, update, "make cases")
		if (s.text != "") != differs {
			t.Errorf("%v: said %q", want, s.text)
		}
	}
	check([]any{1, "a"}, false, true)
	check([]any{1, "a"}, true, false)
	check([]any{1, "a"}, false, false)
	check([]any{1}, false, true)
	if got, err := os.ReadFile(file); err != nil || string(got) != "[\n1,\n\"a\"\n]\n" {
		t.Errorf("%q, %v", got, err)
	}
}
