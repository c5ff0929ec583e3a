package main

import (
	"io/fs"
	"os"
	"slices"
	"testing"
	"testing/fstest"
)

// TestFind: whatever way leads from a test to a question for the long run is found, and nothing is
// found in another folder or in files that are not tests.
func TestFind(t *testing.T) {
	const head = "package p\n"
	module := fstest.MapFS{
		"go.mod": {Data: []byte("module p")},
		"a/direct_test.go": {Data: []byte(head + `
func TestDirect(t *testing.T) { testkit.Long(t) }
func TestSame(t *testing.T) { helper() }
func TestOther(t *testing.T) { size.Size(1, 2) }`)},
		"a/helper_test.go": {Data: []byte(head + `
func helper() {}
func (b board) cases() int { return testkit.Size(1, 2) }
func more(b board) { for range b.cases() {} }
var rows = func() int { return widest }()
var widest = testkit.Size(1, 2)
func TestMethod(t *testing.T) { more(board{}) }
func TestVariable(t *testing.T) { t.Run("rows", func(t *testing.T) { helper(); _ = rows }) }
func FuzzIsLong(f *testing.F) { _ = testkit.IsLong() }
func TestMain(m *testing.M) { more(board{}) }
func BenchmarkLong(b *testing.B) { testkit.Long(b) }`)},
		"b/b_test.go":          {Data: []byte(head + `func TestElsewhere(t *testing.T) { more(); _ = rows }`)},
		"b/testdata/c_test.go": {Data: []byte("no source")},
		"beam/go.mod":          {Data: []byte("module p/beam")},
		"beam/e/e_test.go":     {Data: []byte(head + `func TestInBeam(t *testing.T) { testkit.Long(t) }`)},
		"c/c.go":               {Data: []byte(head + `func TestNoTest() { testkit.IsLong() }`)},
	}
	tests, folders, err := find(module)
	if want := []string{"FuzzIsLong", "TestDirect", "TestMethod", "TestVariable"}; err != nil || !slices.Equal(tests, want) {
		t.Errorf("%q, %v, want %q", tests, err, want)
	}
	if want := []string{"a"}; !slices.Equal(folders, want) {
		t.Errorf("%q, want %q", folders, want)
	}
	within, err := fs.Sub(module, "beam")
	if err != nil {
		t.Fatal(err)
	}
	if tests, folders, err := find(within); err != nil || !slices.Equal(tests, []string{"TestInBeam"}) || !slices.Equal(folders, []string{"e"}) {
		t.Errorf("%q in %q, %v", tests, folders, err)
	}
	module["d/d_test.go"] = &fstest.MapFile{Data: []byte("no source")}
	if _, _, err := find(module); err == nil {
		t.Error("a file that is no source: no error")
	}
}

// TestFindHere: tests of this module that are longer by themselves, by a function and by a
// method of another file are found.
func TestFindHere(t *testing.T) {
	tests, folders, err := find(os.DirFS("../../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"TestWorkers", "TestServerKilled", "TestFacts"} {
		if !slices.Contains(tests, want) {
			t.Errorf("%s is not found", want)
		}
	}
	if !slices.Contains(folders, "internal/test/endtoend") || slices.Contains(folders, "config") {
		t.Errorf("%q", folders)
	}
}
