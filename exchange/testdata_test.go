package exchange

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// testFile is a row of testdata/README.md.
type testFile struct {
	name, problem string
	count         int
}

// testFiles are the files of testdata, with the counts in its README.
func testFiles(t testing.TB) []testFile {
	t.Helper()
	text, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| (\S+\.\w+) \| (\S*) ?\| ([0-9]+) \|`)
	var files []testFile
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.Atoi(m[3])
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, testFile{m[1], m[2], n})
	}
	return files
}

func (f testFile) data(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", f.name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFilesOfOthers: the formats of all files of testdata are recognised by their first bytes, and
// the files have the known counts.
func TestFilesOfOthers(t *testing.T) {
	seen := map[string]bool{"README.md": true}
	for _, f := range testFiles(t) {
		t.Run(f.name+f.problem, func(t *testing.T) {
			seen[f.name] = true
			data := f.data(t)
			format := Recognise(data)
			if by := ByExtension(f.name); by != "" && by != format {
				t.Errorf("recognised as %q, and by its name as %q", format, by)
			}
			c, err := Read(context.Background(), format, f.name, data, Options{Problem: f.problem})
			if err != nil {
				t.Fatal(err)
			}
			if got := solutions(t, c); got != f.count {
				t.Errorf("%d solutions, want %d", got, f.count)
			}
			if dropped := strings.HasPrefix(f.name, "stored") || f.name == "other-colour.xmpuzzle"; dropped != (len(c.Warnings) > 0) {
				t.Errorf("warnings %q", c.Warnings)
			}
		})
	}
	all, err := os.ReadDir("testdata")
	if err != nil || len(seen) < 40 {
		t.Errorf("%d files (%v), want 40 and more", len(seen), err)
	}
	for _, e := range all {
		if !e.IsDir() && !seen[e.Name()] {
			t.Errorf("%s is not in the table of README.md", e.Name())
		}
	}
}
