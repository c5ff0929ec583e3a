package arch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestImports applies the rules to this module.
func TestImports(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module "+Module+"\n") {
		t.Fatalf("%s is not the root of %s: %v", root, Module, err)
	}
	violations, err := Check(os.DirFS(root))
	if err != nil {
		t.Error(err)
	}
	for _, v := range violations {
		t.Error(v)
	}
}

func TestRoomsAreRooms(t *testing.T) {
	named := slices.Concat(slices.Collect(maps.Values(Rooms))...)
	named = slices.Concat(named, TestRooms, slices.Concat(slices.Collect(maps.Values(Fences))...))
	for _, room := range named {
		if _, known := Rooms[room]; !known {
			t.Errorf("the rules name %s, which is no room", room)
		}
	}
}

// TestModuleStaysSmall: what only beam may import is not among the modules that the program needs.
func TestModuleStaysSmall(t *testing.T) {
	for _, file := range []string{"go.mod", "beam/go.mod"} {
		mod, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for fenced, rooms := range Fences {
			if ofBeam := len(rooms) > 0 && !slices.ContainsFunc(rooms, func(room string) bool { return !strings.HasPrefix(room, "beam/") }); !ofBeam {
				continue
			}
			if strings.Contains(string(mod), "\t"+fenced+"/") {
				named++
			}
		}
		if named > 0 != (file == "beam/go.mod") {
			t.Errorf("%s names modules of %d fences that only beam may pass", file, named)
		}
	}
}

// module is a tree of files that import a package each.
func module(imports map[string]string) fstest.MapFS {
	files := fstest.MapFS{"go.mod": {Data: []byte("module " + Module)}}
	for name, imported := range imports {
		imported = strings.Replace(imported, "~", Module, 1)
		files[name] = &fstest.MapFile{Data: []byte("package p\n\nimport \"" + imported + "\"\n")}
	}
	return files
}

func TestPlantedViolations(t *testing.T) {
	for _, planted := range []struct{ file, imported, want string }{
		{"cover/a.go", "~/tiling", `cover may not, expected only ["internal/kit/interrupt"]`},
		{"bdd/a.go", "~/cover", "bdd may not"},
		{"bdd/store/a.go", "~/cover", "bdd may not"},
		{"config/a.go", "~/cover", "config may not"},
		{"examples/a.go", "~/tiling", "examples may not"},
		{"tiling/a.go", "~/bdd", `tiling may not, expected only ["cover" "internal/kit/interrupt" "internal/kit/spell"]`},
		{"internal/engine/sweep/a.go", "~/bdd", "internal/engine/sweep may not"},
		{"internal/engine/automaton/a.go", "~/internal/engine/sweep", "internal/engine/automaton may not"},
		{"internal/engine/blockfile/a.go", "~/internal/engine/automaton", "internal/engine/blockfile may not"},
		{"count/a.go", "~/tiling", "count may not"},
		{"count/a.go", "~/internal/test/oracle", "count may not"},
		{"count/inner/a.go", "~/tiling", "count may not"},
		{"count/a_test.go", "~/sample", "tests of count may not"},
		{"count/a_test.go", "~/render", "tests of count may not"},
		{"sample/a.go", "~/tiling", "sample may not"},
		{"verify/a.go", "~/count", "verify may not"},
		{"verify/a.go", "~/bdd/store", "verify may not"},
		{"verify/a.go", "~/internal/engine/sweep", "verify may not"},
		{"render/a.go", "~/cover", "render may not"},
		{"server/a.go", "~/config", "server may not"},
		{"server/a.go", "~/cmd/pavage", "server may not"},
		{"internal/test/oracle/a.go", "~/count", "internal/test/oracle may not"},
		{"internal/test/facts/a.go", "~/tiling", "internal/test/facts may not"},
		{"cmd/pavage/a.go", "~/internal/test/oracle", "cmd may not"},
		{"cmd/pavage/a.go", "~", "cmd may not"},
		{"cmd/pavage/a.go", "~/nowhere", "cmd may not"},
		{"count/a.go", "github.com/rs/zerolog", `count may not, expected only in ["cmd" "server" `},
		{"config/a.go", "github.com/rs/zerolog/log", "config may not"},
		{"cmd/pavage/a.go", "github.com/spf13/viper", "cmd may not"},
		{"config/a.go", "github.com/spf13/cobra", "config may not"},
		{"count/a_test.go", "github.com/go-air/gini/z", "count may not"},
		{"count/a.go", "github.com/vbauerster/mpb/v8", "count may not"},
		{"cmd/pavage/a.go", "C", "cmd may not, expected only in []"},
		{"bdd/a_test.go", "C", "bdd may not"},
		{"count/a.go", "~/beam/store", "count may not"},
		{"internal/engine/sweep/a_test.go", "~/beam/store/storetest", "tests of internal/engine/sweep may not"},
		{"beam/store/a.go", "~/beam/store/storetest", "beam/store may not"},
		{"beam/band/a.go", "~/internal/test/testkit", "beam/band may not"},
		{"beam/band/a.go", "github.com/apache/beam/sdks/v2/go/pkg/beam", "beam/band may not, expected only in"},
		{"beam/slab/a.go", "github.com/aws/aws-sdk-go-v2/service/s3", "beam/slab may not"},
	} {
		violations, err := Check(module(map[string]string{planted.file: planted.imported}))
		if err != nil || len(violations) != 1 {
			t.Errorf("%s imports %s: got %v, %v, want a violation", planted.file, planted.imported, violations, err)
			continue
		}
		where := planted.file + ":3: imports " + strings.Replace(planted.imported, "~", Module, 1) + ": "
		if got := violations[0].String(); !strings.HasPrefix(got, where+planted.want) {
			t.Errorf("got  %s\nwant %s%s", got, where, planted.want)
		}
	}
}

func TestFoldersWithoutRule(t *testing.T) {
	for _, file := range []string{"a.go", "attic/a.go", "attic/a_test.go", "internal/a.go", "internal/attic/deep/a.go", "covers/a.go"} {
		files := module(nil)
		files[file] = &fstest.MapFile{Data: []byte("package p\n")}
		violations, err := Check(files)
		want := file + ":1: its folder has no rule in internal/test/arch"
		if err != nil || len(violations) != 1 || !strings.HasPrefix(violations[0].String(), want) {
			t.Errorf("got %v, %v, want %s", violations, err, want)
		}
	}
}

func TestAllowed(t *testing.T) {
	violations, err := Check(module(map[string]string{
		"tiling/a.go":                    "~/cover",
		"tiling/b.go":                    "~/tiling/lattice",
		"tiling/lattice/a.go":            "~/tiling",
		"internal/engine/automaton/a.go": "~/cover",
		"count/a.go":                     "~/internal/engine/sweep",
		"count/b.go":                     "~/bdd/store",
		"count/a_test.go":                "~/tiling",
		"count/b_test.go":                "~/internal/test/oracle",
		"count/c_test.go":                "~/internal/test/facts",
		"cover/a_test.go":                "~/internal/test/oracle",
		"sample/a.go":                    "~/count",
		"verify/a.go":                    "github.com/go-air/gini",
		"render/a.go":                    "~/tiling",
		"server/a.go":                    "github.com/rs/zerolog",
		"server/b.go":                    "~/job",
		"cmd/pavage/a.go":                "~/config",
		"cmd/pavage/b.go":                "github.com/spf13/cobra",
		"cmd/pavage/c.go":                "github.com/rs/zerologger",
		"config/a.go":                    "github.com/spf13/viper",
		"bdd/a.go":                       "github.com/pavage/pavages",
		"attic/testdata/a.go":            "~/cmd",
		"bdd/testdata/a.go":              "~/cmd",
		"bdd/.hidden/a.go":               "~/cmd",
		"bdd/_old.go":                    "~/cmd",
		"vendor/example.org/a.go":        "C",
		"web/node_modules/a/a.go":        "C",
	}))
	if err != nil || len(violations) != 0 {
		t.Errorf("got %v, %v", violations, err)
	}
}

func TestModulesWithin(t *testing.T) {
	files := module(map[string]string{"bench/a.go": "~/cmd", "cover/a.go": "fmt"})
	if violations, err := Check(files); err != nil || len(violations) != 1 {
		t.Errorf("without go.mod: got %v, %v", violations, err)
	}
	files["bench/go.mod"] = &fstest.MapFile{}
	if violations, err := Check(files); err != nil || len(violations) != 0 {
		t.Errorf("with go.mod: got %v, %v", violations, err)
	}
	files["bench/go.mod"] = &fstest.MapFile{Data: []byte("module " + Module + "/bench\n\ngo 1.26\n")}
	if violations, err := Check(files); err != nil || len(violations) != 1 {
		t.Errorf("with a go.mod of ours: got %v, %v", violations, err)
	}
}

func TestViolationsAreSorted(t *testing.T) {
	files := module(map[string]string{"cover/b.go": "~/cmd", "cover/a/a.go": "~/cmd"})
	files["cover/a.go"] = &fstest.MapFile{Data: []byte("package p\nimport (\n\"" + Module + "/bdd\"\n\"C\"\n)")}
	violations, err := Check(files)
	var got []string
	for _, v := range violations {
		got = append(got, v.File)
	}
	want := []string{"cover/a.go", "cover/a.go", "cover/a/a.go", "cover/b.go"}
	if err != nil || !slices.Equal(got, want) || violations[0].Line != 3 || violations[1].Line != 4 {
		t.Errorf("got %v, %v, want %v", violations, err, want)
	}
}

func TestCheckErrors(t *testing.T) {
	if _, err := Check(module(nil)); err == nil {
		t.Error("no error for a module without source")
	}
	broken := module(map[string]string{"cover/a.go": "\nunfinished"})
	if _, err := Check(broken); err == nil || !strings.Contains(err.Error(), "cover/a.go:") {
		t.Errorf("broken source: got %v", err)
	}
}
