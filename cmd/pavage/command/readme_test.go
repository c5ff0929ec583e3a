package command

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// blocks returns the fenced blocks of a language in a Markdown text.
func blocks(text, language string) []string {
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

// succeed runs Main in this process, which has no input.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != codeDone {
		t.Errorf("%q ends with code %d: %s", args, code, errs.String())
	}
	return out.String()
}

// TestReadme runs what the README shows, and wants what it shows, but for
// what no two runs have in common.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	effort := regexp.MustCompile(`"seconds":[^,]*,"peak_memory_bytes":[0-9]*`)
	commands := 0
	for _, block := range blocks(string(text), "console") {
		for _, shown := range strings.Split("\n"+block, "\n$ pavage ")[1:] {
			line, want, _ := strings.Cut(shown+"\n", "\n")
			line, _, _ = strings.Cut(line, "  #")
			got := succeed(t, strings.Fields(line)...)
			got, want = strings.TrimSpace(effort.ReplaceAllString(got, "")), strings.TrimSpace(effort.ReplaceAllString(want, ""))
			if got != want {
				t.Errorf("%s\n got %s\nwant %s", line, got, want)
			}
			commands++
		}
	}
	if commands < 10 {
		t.Errorf("only %d commands found", commands)
	}
}

// TestDocumentedPuzzles wants every puzzle in the documents to be one.
func TestDocumentedPuzzles(t *testing.T) {
	for _, name := range []string{"README.md", "ARCHITECTURE.md"} {
		text, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			t.Fatal(err)
		}
		puzzles := blocks(string(text), "yaml")
		if len(puzzles) == 0 {
			t.Errorf("%s: no puzzle found", name)
		}
		for _, puzzle := range puzzles {
			path := filepath.Join(t.TempDir(), "puzzle.yaml")
			if err := os.WriteFile(path, []byte(puzzle), 0o600); err != nil {
				t.Fatal(err)
			}
			succeed(t, "show", path)
		}
	}
}
