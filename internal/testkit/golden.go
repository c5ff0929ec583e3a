package testkit

import (
	"os"
	"strings"
	"testing"
)

// Section compares a part of a page that is made by a program with what it is to be.
// The part stands between two comments:
//
//	<!-- NAME -->
//	want
//	<!-- end of NAME -->
//
// If it differs the test fails, and again says how the page is made anew; with update
// set the page is written instead.
func Section(t testing.TB, file, name, want string, update bool, again string) {
	t.Helper()
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, begins := strings.Cut(string(page), begin)
	_, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s: want lines %q and %q", file, begin, end)
	}
	made := before + begin + want + end + after
	switch {
	case made == string(page):
	case !update:
		t.Errorf("the %s in %s are not those of the program: %s", name, file, again)
	default:
		if err := os.WriteFile(file, []byte(made), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
