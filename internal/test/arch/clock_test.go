package arch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// TestNoClocks applies the rule to this module.
func TestNoClocks(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	violations, err := CheckClocks(os.DirFS(root))
	if err != nil {
		t.Error(err)
	}
	for _, v := range violations {
		t.Error(v)
	}
	for file := range MayUseClocks {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
			t.Errorf("the rules except a file that is not there: %v", err)
		}
	}
}

func TestPlantedClocks(t *testing.T) {
	const head = "package p\n\nimport (\n\t\"time\"\n\tthen \"time\"\n\t\"context\"\n)\n\n" // 8 lines
	for _, planted := range []struct{ name, code, want string }{
		{"a_test.go", "var x = time.Now()", "a test uses time.Now,"},
		{"a_test.go", "var x = then.Sleep", "a test uses then.Sleep,"},
		{"a_test.go", "var x = context.WithTimeout", "a test uses context.WithTimeout,"},
		{"a_test.go", "func f() { for range time.Tick(1) {} }", "a test uses time.Tick,"},
		{"a_test.go", "var x = time.Second", ""},
		{"a_test.go", "func f(time clock) { time.now() }", ""},
		{"a.go", "var x = time.Now()", ""},
		{"testdata/a_test.go", "var x = time.Now()", ""},
		{"cmd/pavage/command/checkpoint_test.go", "var x = time.Now()", ""},
	} {
		files := fstest.MapFS{"b.go": {Data: []byte("package p\n")}, planted.name: {Data: []byte(head + planted.code + "\n")}}
		violations, err := CheckClocks(files)
		switch {
		case err != nil:
			t.Errorf("%s: %v", planted.code, err)
		case planted.want == "" && len(violations) > 0:
			t.Errorf("%s in %s: %v", planted.code, planted.name, violations)
		case planted.want != "" && (len(violations) != 1 || !strings.HasPrefix(violations[0].String(), planted.name+":9: "+planted.want)):
			t.Errorf("%s: got %v, want %s", planted.code, violations, planted.want)
		}
	}
}
