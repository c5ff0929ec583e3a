package arch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTable compares the table of rooms in ARCHITECTURE.md with [Rooms]: every
// folder that exists and has a rule has a row, and the row says whom it may import.
func TestTable(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	page, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := tableOf(string(page))
	if err != nil {
		t.Fatal(err)
	}
	exists := func(room string) bool {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(room)))
		return err == nil
	}
	for _, complaint := range compareTable(rows, exists) {
		t.Error(complaint)
	}
}

// row is a folder of the table and whom it may import.
type row struct {
	room    string
	imports []string // sorted
}

var quoted = regexp.MustCompile("`([^`]+)`")

// tableOf reads the table under the heading "The rooms":
//
//	| `count` | engines; the planner | `cover`, `bdd` |
//	| `cover` | exact cover          | nothing        |
func tableOf(page string) (rows []row, err error) {
	_, section, found := strings.Cut(page, "\n## The rooms\n")
	if !found {
		return nil, fmt.Errorf("no heading %q", "## The rooms")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		if len(columns) < 5 || !strings.Contains(columns[1], "`") {
			continue // no row, or the table's head
		}
		r := row{room: strings.Trim(strings.TrimSpace(columns[1]), "`")}
		allowed := strings.TrimSpace(columns[len(columns)-2])
		for _, name := range quoted.FindAllStringSubmatch(allowed, -1) {
			r.imports = append(r.imports, name[1])
		}
		if len(r.imports) == 0 && allowed != "nothing" {
			return nil, fmt.Errorf("%s may import %q, want names between backquotes, or nothing", r.room, allowed)
		}
		slices.Sort(r.imports)
		rows = append(rows, r)
	}
	return rows, nil
}

// compareTable says where the rows and the rules differ. A rule may be there before
// its folder is; then the folder is in no row.
func compareTable(rows []row, exists func(room string) bool) (complaints []string) {
	seen := map[string]bool{}
	for _, r := range rows {
		rule, known := Rooms[r.room]
		want := slices.DeleteFunc(slices.Clone(rule), func(room string) bool { return !exists(room) })
		slices.Sort(want)
		switch {
		case seen[r.room]:
			complaints = append(complaints, r.room+" has two rows in ARCHITECTURE.md")
		case !known:
			complaints = append(complaints, r.room+" has a row in ARCHITECTURE.md, and no rule in arch.go")
		case !slices.Equal(want, r.imports):
			complaints = append(complaints, fmt.Sprintf("%s may import\n\t%q by ARCHITECTURE.md\n\t%q by arch.go", r.room, r.imports, want))
		}
		seen[r.room] = true
	}
	for room := range Rooms {
		if exists(room) && !seen[room] {
			complaints = append(complaints, room+" has a rule in arch.go, and no row in ARCHITECTURE.md")
		}
	}
	slices.Sort(complaints)
	return complaints
}

// TestTablesThatDiffer: each kind of difference is told.
func TestTablesThatDiffer(t *testing.T) {
	var right strings.Builder
	right.WriteString("\n## The rooms\n\n| folder | holds | may import (of ours) |\n|---|---|---|\n")
	for room, imports := range Rooms {
		allowed := "nothing"
		if len(imports) > 0 {
			allowed = "`" + strings.Join(imports, "`, `") + "`"
		}
		fmt.Fprintf(&right, "| `%s` | a thing | %s |\n", room, allowed)
	}
	everything := func(string) bool { return true }
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{"| `internal/test/facts` | a thing | nothing |\n", "", "internal/test/facts has a rule in arch.go, and no row"},
		{"| `internal/test/facts` | a thing | nothing |", "| `internal/test/facts` | a thing | `bdd` |", "internal/test/facts may import\n\t[\"bdd\"]"},
		{"| `render` | a thing | `tiling` |", "| `render` | a thing | nothing |", "render may import\n\t[]"},
		{"| `cover` | a", "| `covers` | a", "covers has a row in ARCHITECTURE.md, and no rule"},
		{"| `config` | a", "| `cover` | twice | nothing |\n| `config` | a", "cover has two rows"},
		{"| `internal/test/facts` | a thing | nothing |", "| `internal/test/facts` | a thing | none |", "want names between backquotes"},
	} {
		rows, err := tableOf(strings.Replace(right.String(), c.old, c.new, 1))
		said := compareTable(rows, everything)
		if err != nil {
			said = []string{err.Error()}
		}
		if c.want == "" && len(said) > 0 || !strings.Contains(strings.Join(said, "\n"), c.want) {
			t.Errorf("%q: said %q, want %q", c.new, said, c.want)
		}
	}
	if _, err := tableOf("# Architecture\n"); err == nil {
		t.Error("no table, and no error")
	}
}
