package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFilesOfOthers: the program counts each file of exchange/testdata with the result in the table
// there, whatever its name is, and the file that it converts has the same count.
func TestFilesOfOthers(t *testing.T) {
	const folder = root + "exchange/testdata/"
	table, err := os.ReadFile(folder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (\S+\.\w+) \| (\S*) ?\| ([0-9]+) \|`).FindAllStringSubmatch(string(table), -1)
	if len(rows) < 40 {
		t.Fatalf("%d files, want 40 or more", len(rows))
	}
	for _, row := range rows {
		file, problem, want := folder+row[1], []string{}, row[3]
		if row[2] != "" {
			problem = []string{"--problem", row[2]}
		}
		if got := strings.TrimSpace(succeed(t, append([]string{"count", file}, problem...)...)); got != want {
			t.Errorf("%s %s: %s, want %s", row[1], row[2], got, want)
		}
		if row[1] == "never.cnf" {
			continue // DLX cannot express an option that is never chosen
		}
		written := filepath.Join(t.TempDir(), "written")
		text := succeed(t, append([]string{"convert", file, "--to", "dlx"}, problem...)...)
		if err := os.WriteFile(written, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(succeed(t, "count", written)); got != want {
			t.Errorf("%s %s as DLX: %s, want %s", row[1], row[2], got, want)
		}
	}
}
