// Package arch is the house's import rules as a checker; its test applies them
// to the module's own source, so that a wrong import fails the build.
//
// # Purpose
//
// The layers below hold only as long as somebody looks. Arrows are the imports
// that [Rooms] allows; whatever has no arrow is a violation:
//
//	beam/cmd ─► cmd and what stands below it; beam/band ─► count, internal/engine/sweep, …
//	cmd ─────► job, tiling, render, config, …
//	server ──► job and what stands below it; web
//
//	verify/evidence ──► sample, verify and what these stand on
//
//	sample ──► count ──► internal/engine/sweep, … ──► cover ◄── tiling ◄── render
//	   │         ├─────────────────────────────► ▲
//	   └─► bdd ◄─┘                               └── verify
//
// Every folder of Go code must have a room, so a new one is met with a
// question: whom may it import? A room includes its subfolders. Rules about
// other modules (one logger, one place for configuration, no cgo) are in
// [Fences].
//
// [CheckClocks] is about tests: none of them looks at the clock. [UpArrows] is about
// the files of one package: few of them may need each other.
//
// # Non-goals
//
// Cycles are the compiler's affair. Build tags are not looked at: a wrong
// import is wrong on every system.
//
// # References
//
// Go's go/build/deps_test.go, the model: the standard library's layers as a test.
package arch

import (
	"cmp"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Module is the path that the imports of our own packages start with.
const Module = "github.com/pavage/pavage"

// Rooms says for every folder of the module which other folders its code may
// import, whose subfolders included. The longest folder that fits is a file's
// room.
var Rooms = map[string][]string{
	"cover":                      {"internal/kit/interrupt"},
	"bdd":                        {"internal/engine/limb"},
	"config":                     {"internal/kit/human", "internal/kit/spell"},
	"examples":                   {"internal/kit/spell"},
	"web":                        {},
	"tiling":                     {"cover", "internal/kit/interrupt", "internal/kit/spell"},
	"query":                      {"cover", "tiling", "internal/kit/spell"},
	"internal/engine/key":        {},
	"internal/engine/limb":       {},
	"internal/kit/interrupt":     {},
	"internal/engine/planar":     {"internal/kit/interrupt"},
	"internal/engine/automaton":  {"cover", "internal/engine/key", "internal/kit/interrupt"},
	"internal/engine/blockfile":  {"internal/engine/key", "internal/engine/limb"},
	"internal/engine/jump":       {"internal/engine/automaton", "internal/engine/key", "internal/engine/limb"},
	"internal/engine/sweep":      {"internal/engine/automaton", "internal/engine/blockfile", "internal/engine/jump", "internal/engine/key", "internal/engine/limb", "internal/kit/interrupt"},
	"internal/engine/estimate":   {"cover", "internal/engine/sweep", "internal/engine/automaton", "internal/engine/key"},
	"internal/engine/search":     {"cover", "internal/engine/key", "internal/kit/interrupt"},
	"internal/engine/dimer":      {"cover", "internal/engine/planar", "internal/kit/interrupt"},
	"internal/kit/recurrence":    {},
	"job/sequence":               {"tiling", "count", "internal/kit/atomicfile", "internal/kit/logarithm", "internal/kit/recurrence"},
	"internal/kit/logarithm":     {},
	"internal/kit/atomicfile":    {"internal/kit/filelock"},
	"internal/kit/sectionfile":   {"internal/kit/atomicfile"},
	"internal/kit/filelock":      {},
	"count":                      {"cover", "internal/kit/atomicfile", "internal/kit/filelock", "internal/engine/limb", "internal/engine/automaton", "internal/kit/interrupt", "internal/engine/sweep", "internal/engine/estimate", "internal/engine/search", "internal/engine/dimer", "bdd"},
	"compiled":                   {"bdd", "count", "cover", "internal/kit/sectionfile"},
	"sample":                     {"count", "cover", "bdd", "internal/engine/dimer", "internal/engine/limb"},
	"verify":                     {"cover", "internal/kit/interrupt"}, // and no counting code: it is to be independent
	"render":                     {"tiling"},
	"exchange":                   {"cover", "tiling", "verify", "internal/kit/interrupt", "internal/kit/spell"},
	"job":                        {"bdd", "cover", "tiling", "query", "exchange", "count", "sample", "compiled", "verify", "render", "examples", "verify/evidence", "internal/kit/logarithm", "internal/kit/interrupt", "internal/kit/recurrence", "job/sequence", "internal/kit/strict", "internal/kit/spell", "internal/kit/machine", "internal/kit/human"},
	"client":                     {"job"},
	"server":                     {"job", "server/queue", "server/store", "server/child", "server/worker", "server/access", "server/metrics", "server/api", "client", "internal/kit/machine", "internal/kit/human"},
	"server/queue":               {"job", "client"},
	"server/store":               {"internal/kit/atomicfile", "internal/kit/filelock", "internal/kit/human"},
	"server/child":               {"job", "internal/kit/filelock", "internal/kit/machine", "internal/kit/human"},
	"server/worker":              {"job", "client", "tiling", "render", "server/queue", "server/store", "server/child", "internal/kit/machine", "internal/kit/human"},
	"server/access":              {"client", "internal/kit/atomicfile", "internal/kit/human"},
	"server/metrics":             {"job"},
	"server/api":                 {"job", "client", "tiling", "render", "examples", "web", "server/queue", "server/store", "server/worker", "server/access", "server/metrics", "internal/kit/human", "internal/kit/spell", "internal/kit/strict"},
	"cmd":                        {"job", "tiling", "render", "examples", "web", "server", "server/access", "server/child", "server/store", "config", "internal/kit/atomicfile", "job/sequence", "internal/kit/interrupt", "internal/kit/machine", "internal/kit/human", "internal/kit/spell"},
	"beam":                       {}, // a module of its own, which nobody outside of it imports
	"beam/store":                 {"internal/kit/atomicfile", "internal/kit/filelock"},
	"beam/store/storetest":       {"beam/store"},
	"beam/slab":                  {"internal/engine/blockfile", "internal/engine/key", "internal/engine/limb"},
	"beam/permute":               {"internal/engine/automaton", "internal/engine/key", "internal/engine/limb"},
	"beam/band":                  {"beam/permute", "beam/slab", "beam/store", "count", "cover", "internal/engine/automaton", "internal/engine/key", "internal/engine/limb", "internal/kit/strict", "internal/engine/estimate", "internal/engine/sweep"},
	"beam/pipeline":              {"beam/band", "beam/slab", "beam/store", "job"},
	"beam/cmd":                   {"beam/band", "beam/pipeline", "beam/store", "cmd", "config", "count", "job", "internal/kit/filelock", "internal/kit/human"},
	"beam/boards":                {"cover", "examples", "exchange", "internal/test/oracle", "internal/test/puzzletest", "internal/test/testkit"},
	"bench":                      {"cover", "tiling", "count", "sample", "compiled", "job", "client", "internal/test/facts", "internal/kit/machine"},
	"verify/evidence":            {"cover", "count", "internal/engine/dimer", "internal/kit/interrupt", "sample", "verify"},
	"internal/test/oracle":       {"cover"},
	"internal/test/facts":        {},
	"internal/test/arch":         {},
	"internal/kit/spell":         {},
	"internal/kit/strict":        {"internal/kit/spell"},
	"internal/kit/machine":       {},
	"internal/kit/human":         {},
	"internal/test/puzzletest":   {"tiling"},
	"internal/test/testkit":      {},
	"internal/test/queuetest":    {},
	"internal/test/endtoend":     {}, // tests alone: see TestRoomsOf
	"internal/test/faults":       {}, // and nothing may import it
	"internal/test/differential": {"cover", "tiling", "count", "sample", "verify", "internal/test/oracle"},
}

// TestRooms are what tests may import besides.
var TestRooms = []string{"cover", "internal/test/oracle", "internal/test/facts", "internal/test/puzzletest", "internal/test/queuetest", "internal/test/testkit", "tiling"}

// TestRoomsOf are what the tests of one room may import besides: those of tiling draw
// lattices that package render has never heard of and count tilings up to symmetry, those of server/api have all the
// service behind it, those of internal/test/endtoend run it as a program, those of compiled
// draw from what was written, and those of beam have a store that fails and the boards of a run.
var TestRoomsOf = map[string][]string{
	"tiling": {"render", "count"}, "compiled": {"sample"}, "server/api": {"server/child"}, "internal/test/endtoend": {"cmd", "client", "job", "server/queue"},
	"beam/store": {"beam/store/storetest"}, "beam/slab": {"beam/store", "beam/store/storetest"},
	"beam/band": {"beam/boards", "beam/store/storetest", "examples", "exchange"}, "beam/pipeline": {"beam/boards", "beam/store/storetest", "count"},
	"beam/cmd": {"beam/boards", "beam/store/storetest"},
}

// Fences says for some other modules, and for cgo, in which rooms alone they
// may be imported, by tests too.
var Fences = map[string][]string{
	"C":                             {}, // the program is built and moved without a C compiler
	"github.com/rs/zerolog":         {"cmd", "server", "server/worker", "server/access", "server/api", "beam/pipeline", "beam/cmd"},
	"github.com/spf13/viper":        {"config"},
	"github.com/spf13/cobra":        {"cmd", "beam/cmd"},
	"github.com/spf13/pflag":        {"cmd", "config", "beam/cmd"},
	"github.com/go-air/gini":        {"verify"},
	"github.com/klauspost/compress": {"count", "verify/evidence", "verify"},
	"github.com/vbauerster/mpb":     {"cmd"},

	"github.com/apache/beam":   {"beam/store", "beam/pipeline", "beam/cmd"},
	"github.com/aws":           {"beam/store"},
	"cloud.google.com":         {"beam/store"},
	"google.golang.org/api":    {"beam/store"},
	"github.com/johannesboyne": {"beam/store", "beam/pipeline", "beam/cmd"}, // s3:// for tests
	"github.com/fsouza":        {"beam/store", "beam/pipeline", "beam/cmd"}, // gs:// for tests

	"github.com/danielgtaylor/huma": {"server/api"},
	"github.com/riverqueue/river":   {"server/queue"},
	"github.com/jackc/pgx":          {"server/queue", "internal/test/queuetest"},
	"github.com/pressly/goose":      {"server/queue"},
	"modernc.org/sqlite":            {"server/queue"},
	"github.com/prometheus":         {"server/metrics"},
	"golang.org/x/time":             {"server/access"},
	"golang.org/x/image":            {"render"},
	"github.com/qmuntal/gltf":       {"render"},
	"github.com/edsrzf/mmap-go":     {"internal/kit/sectionfile"},
}

// Violation is an import that the rules forbid, or a file in no room.
type Violation struct {
	File   string // slash-separated, from the module's root
	Line   int
	Import string // "" for a file in no room
	Reason string
}

func (v Violation) String() string {
	if v.Import == "" {
		return fmt.Sprintf("%s:%d: %s", v.File, v.Line, v.Reason)
	}
	return fmt.Sprintf("%s:%d: imports %s: %s", v.File, v.Line, v.Import, v.Reason)
}

// Check returns the violations in all Go files of the module whose root is
// module, sorted by file and line. Like the go command it passes over testdata,
// vendor, node_modules, names that start with '.' or '_', and modules within the module, but
// for beam, which is ours: its rooms are in the same table. It
// is an error if there is no Go file, or one that cannot be parsed.
func Check(module fs.FS) ([]Violation, error) {
	var violations []Violation
	err := eachFile(module, func(name string) error {
		found, err := checkFile(module, name)
		violations = append(violations, found...)
		return err
	})
	slices.SortFunc(violations, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return violations, err
}

// eachFile calls do with the name of every Go file, until it fails.
func eachFile(module fs.FS, do func(name string) error) error {
	files := 0
	err := fs.WalkDir(module, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && passedOver(module, name):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go" || isHidden(name):
			return nil
		}
		files++
		return do(name)
	})
	if err == nil && files == 0 {
		err = errors.New("no Go file found, expected a module's source")
	}
	return err
}

func passedOver(module fs.FS, folder string) bool {
	if folder == "." {
		return false
	}
	base := path.Base(folder)
	return isHidden(folder) || base == "testdata" || base == "vendor" || base == "node_modules" || isForeign(module, folder)
}

// isForeign says that a folder is another module, which is not named as a part of this one.
func isForeign(module fs.FS, folder string) bool {
	mod, err := fs.ReadFile(module, path.Join(folder, "go.mod"))
	return err == nil && !strings.HasPrefix(string(mod), "module "+path.Join(Module, folder)+"\n")
}

func isHidden(name string) bool { return strings.ContainsRune("._", rune(path.Base(name)[0])) }

func checkFile(module fs.FS, name string) ([]Violation, error) {
	source, err := fs.ReadFile(module, name)
	if err != nil {
		return nil, err
	}
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	room, known := roomOf(path.Dir(name))
	if !known {
		return []Violation{{File: name, Line: 1, Reason: "its folder has no rule in internal/test/arch, expected one that says whom it may import"}}, nil
	}
	isTest := strings.HasSuffix(name, "_test.go")
	var violations []Violation
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if reason := forbidden(room, imported, isTest); reason != "" {
			line := positions.Position(spec.Pos()).Line
			violations = append(violations, Violation{File: name, Line: line, Import: imported, Reason: reason})
		}
	}
	return violations, nil
}

// forbidden returns why a file of the room may not import the package, "" if
// it may.
func forbidden(room, imported string, isTest bool) string {
	if folder, ours := within(imported, Module); ours {
		return forbiddenRoom(room, folder, isTest)
	}
	for fenced, rooms := range Fences {
		if _, inside := within(imported, fenced); inside && !slices.Contains(rooms, room) {
			return fmt.Sprintf("%s may not, expected only in %q", room, rooms)
		}
	}
	return ""
}

func forbiddenRoom(room, folder string, isTest bool) string {
	target, known := roomOf(folder)
	switch {
	case known && (target == room || slices.Contains(Rooms[room], target)):
		return ""
	case known && isTest && slices.Contains(slices.Concat(TestRooms, TestRoomsOf[room]), target):
		return ""
	case isTest:
		return fmt.Sprintf("tests of %s may not, expected only %q and %q", room, Rooms[room], TestRooms)
	}
	return fmt.Sprintf("%s may not, expected only %q", room, Rooms[room])
}

// roomOf returns the room that a folder of the module is in.
func roomOf(folder string) (room string, known bool) {
	for ; folder != "." && folder != ""; folder = path.Dir(folder) {
		if _, known := Rooms[folder]; known {
			return folder, true
		}
	}
	return "", false
}

// within reports whether the package is root or below it, and where below.
func within(imported, root string) (below string, inside bool) {
	if imported == root {
		return "", true
	}
	return strings.CutPrefix(imported, root+"/")
}
