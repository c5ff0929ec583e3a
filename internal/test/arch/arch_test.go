// Package arch tests the rules of the house on its own source: which package may import
// which, that no test looks at the clock, that few files of a package need each other, and that
// comments and documents have few unclear phrases.
//
// The table "The packages" of ARCHITECTURE.md declares for every folder of Go code, and its
// subfolders without a row, which folders of ours its code may import. All may import
// internal/kit. Tests may import all: the compiler refuses cycles. [fences] declares where other modules may be imported.
//
// Go's go/build/deps_test.go is the model: the standard library's layers as a test.
package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ours is the path that the imports of our own packages start with.
const ours = "github.com/pavage/pavage"

// root is the folder of the module.
var root = filepath.Join("..", "..", "..")

// fences are other modules, and cgo, and the only rooms that may import each, tests
// included.
var fences = map[string][]string{
	"C":                             {}, // the program is built and moved without a C compiler
	"github.com/rs/zerolog":         {"cmd", "cmd/pavage-wasm", "server", "server/worker", "server/access", "server/api", "beam/pipeline", "beam/cmd"},
	"github.com/spf13/viper":        {"config"},
	"github.com/spf13/cobra":        {"cmd", "beam/cmd"},
	"github.com/spf13/pflag":        {"cmd", "config", "beam/cmd"},
	"github.com/go-air/gini":        {"verify"},
	"github.com/klauspost/compress": {"count", "verify/evidence", "verify"},
	"github.com/vbauerster/mpb":     {"cmd"},
	"go.yaml.in/yaml":               {"tiling/puzzlefile", "cmd", "internal/test"},

	"github.com/apache/beam":   {"beam/store", "beam/pipeline", "beam/cmd"},
	"github.com/aws":           {"beam/store"},
	"cloud.google.com":         {"beam/store"},
	"google.golang.org/api":    {"beam/store"},
	"github.com/johannesboyne": {"beam/store", "beam/pipeline", "beam/cmd"}, // s3:// for tests
	"github.com/fsouza":        {"beam/store", "beam/pipeline", "beam/cmd"}, // gs:// for tests

	"github.com/danielgtaylor/huma": {"server/api"},
	"github.com/jackc/pgx":          {"server/queue", "internal/test"},
	"github.com/pressly/goose":      {"server/queue"},
	"modernc.org/sqlite":            {"server/queue"},
	"github.com/prometheus":         {"server/metrics"},
	"golang.org/x/time":             {"server/access"},
	"golang.org/x/image":            {"render"},
	"github.com/qmuntal/gltf":       {"render"},
	"github.com/edsrzf/mmap-go":     {"internal/kit"},
}

// clocks are the functions that no test may use, by package: each measures time, waits for
// some time, or ends work after some time, so that the test has another outcome on a slow
// machine. Package testkit has what to use instead.
var clocks = map[string][]string{
	"time":    {"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"},
	"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
}

// mayUseClocks are the test files that may use some of them all the same, and why.
var mayUseClocks = map[string]string{
	"cmd/pavage/command/checkpoint_test.go":      "a bar that began ten hours ago tells the time left in whole hours",
	"internal/test/differential/harness_test.go": "an engine that hangs is reported with its case",
}

// TestRules applies the rules to all Go files of the module and of the module in beam.
func TestRules(t *testing.T) {
	rooms := table(t)
	used := map[string]bool{}
	source := os.DirFS(root)
	for _, name := range goFiles(t) {
		positions := token.NewFileSet()
		text, err := fs.ReadFile(source, name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(positions, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		room := roomOf(rooms, path.Dir(name))
		used[room] = true
		isTest := strings.HasSuffix(name, "_test.go")
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := forbidden(rooms, room, imported, isTest); why != "" {
				t.Errorf("%s: imports %s: %s", positions.Position(spec.Pos()), imported, why)
			}
		}
		if isTest && mayUseClocks[name] == "" {
			checkClocks(t, positions, file)
		}
	}
	for room := range rooms {
		if !used[room] {
			t.Errorf("ARCHITECTURE.md has a row for %s, which has no Go file", room)
		}
	}
	for file := range mayUseClocks {
		if _, err := fs.Stat(source, file); err != nil {
			t.Errorf("mayUseClocks: %v", err)
		}
	}
}

// table reads the folders, and what each may import, from ARCHITECTURE.md:
//
//	| `count` | engines; the planner | `cover`, `bdd` |
//	| `cover` | exact cover          | nothing        |
func table(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## The packages\n")
	section, _, _ = strings.Cut(section, "\n## ")
	quoted := regexp.MustCompile("`([^`]+)`")
	rooms := map[string][]string{}
	for line := range strings.Lines(section) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		if len(columns) < 5 || !strings.Contains(columns[1], "`") {
			continue // no row, or the table's head
		}
		room, allowed := strings.Trim(columns[1], " `"), strings.TrimSpace(columns[len(columns)-2])
		if rooms[room] != nil {
			t.Errorf("%s has two rows in ARCHITECTURE.md", room)
		}
		rooms[room] = []string{}
		for _, name := range quoted.FindAllStringSubmatch(allowed, -1) {
			rooms[room] = append(rooms[room], name[1])
		}
		if len(rooms[room]) == 0 && allowed != "nothing" {
			t.Errorf("%s may import %q, want names between backquotes, or nothing", room, allowed)
		}
	}
	for room, allowed := range rooms {
		for _, other := range allowed {
			if rooms[other] == nil {
				t.Errorf("%s may import %s, which has no row in ARCHITECTURE.md", room, other)
			}
		}
	}
	return rooms
}

// goFiles are all Go files that the go command does not ignore.
func goFiles(t *testing.T) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch hidden := name != "." && strings.ContainsRune("._", rune(base[0])); {
		case err != nil:
			return err
		case entry.IsDir() && (hidden || slices.Contains([]string{"testdata", "vendor", "node_modules"}, base)):
			return fs.SkipDir
		case !entry.IsDir() && path.Ext(name) == ".go" && !hidden:
			names = append(names, name)
		}
		return nil
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%d Go files, %v", len(names), err)
	}
	return names
}

// roomOf is the longest row whose folder has the folder in it, "" for none.
func roomOf(rooms map[string][]string, folder string) string {
	for folder != "." && rooms[folder] == nil {
		folder = path.Dir(folder)
	}
	return strings.TrimPrefix(folder, ".")
}

// forbidden returns why a file of the room may not import a package, "" if it may.
func forbidden(rooms map[string][]string, room, imported string, isTest bool) string {
	if room == "" {
		return "its folder has no row in ARCHITECTURE.md"
	}
	if folder, inside := strings.CutPrefix(imported+"/", ours+"/"); inside {
		target := roomOf(rooms, path.Clean(folder))
		if isTest || target == room || target == "internal/kit" || slices.Contains(rooms[room], target) {
			return ""
		}
		return fmt.Sprintf("%s may not, expected only %q", room, rooms[room])
	}
	for fenced, allowed := range fences {
		if strings.HasPrefix(imported+"/", fenced+"/") && !slices.Contains(allowed, room) {
			return fmt.Sprintf("%s may not, expected only in %q", room, allowed)
		}
	}
	return ""
}

// checkClocks reports the clocks that a file names.
func checkClocks(t *testing.T, positions *token.FileSet, file *ast.File) {
	t.Helper()
	packages := map[string]string{} // by the names that the file has for them
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		packages[path.Base(imported)] = imported
		if spec.Name != nil {
			packages[spec.Name.Name] = imported
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && slices.Contains(clocks[packages[x.Name]], s.Sel.Name) {
			t.Errorf("%s: a test uses %s.%s, expected it to count or to wait for an event, see internal/test/testkit", positions.Position(s.Pos()), x.Name, s.Sel.Name)
		}
		return true
	})
}

// TestForbidden has imports that the rules must refuse, and some that they must not.
func TestForbidden(t *testing.T) {
	rooms := table(t)
	for _, tc := range []struct {
		folder, imported string
		isTest, refused  bool
	}{
		{"bdd", ours + "/cover", false, true},
		{"verify", ours + "/internal/engine/sweep", false, true},
		{"count/inner", ours + "/tiling", false, true},
		{"cmd/pavage", ours, false, true},
		{"attic", "fmt", false, true},
		{"config", "github.com/rs/zerolog/log", false, true},
		{"bdd", "C", true, true},
		{"count", ours + "/tiling", true, false},
		{"tiling/inner", ours + "/tiling", false, false},
		{"tiling", ours + "/cover", false, false},
		{"bdd", ours + "s", false, false},
		{"cmd/pavage", "github.com/rs/zerologger", false, false},
	} {
		why := forbidden(rooms, roomOf(rooms, tc.folder), tc.imported, tc.isTest)
		if (why != "") != tc.refused {
			t.Errorf("%s imports %s: %q, want it refused: %v", tc.folder, tc.imported, why, tc.refused)
		}
	}
}

// TestModuleStaysSmall: modules that only beam may import are not among the modules that the
// program needs.
func TestModuleStaysSmall(t *testing.T) {
	for _, file := range []string{"go.mod", "beam/go.mod"} {
		mod, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for fenced, allowed := range fences {
			elsewhere := func(room string) bool { return !strings.HasPrefix(room, "beam/") }
			if len(allowed) > 0 && !slices.ContainsFunc(allowed, elsewhere) && strings.Contains(string(mod), "\t"+fenced+"/") {
				named++
			}
		}
		if named > 0 != (file == "beam/go.mod") {
			t.Errorf("%s names modules of %d fences that only beam may pass", file, named)
		}
	}
}
