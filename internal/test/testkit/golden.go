package testkit

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// Section compares a part of a page that a program writes with the wanted text. The part stands
// between two comments:
//
//	<!-- NAME -->
//	want
//	<!-- end of NAME -->
//
// If it differs the test fails, and again is the command that writes the page; with update set the
// page is written instead.
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
		t.Fatalf("%s: expected lines %q and %q", file, begin, end)
	}
	made := before + begin + want + end + after
	switch {
	case made == string(page):
	case !update:
		t.Errorf("the section %s in %s is not up to date: %s", name, file, again)
	default:
		if err := os.WriteFile(file, []byte(made), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Page compares a file of web/src/model/testdata, which the tests of the page in web read, with one
// line of JSON for each entry of want. If it differs the test fails, and again is the command that
// writes the file; with update set it is written instead.
func Page(t testing.TB, file string, want []any, update bool, again string) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("[")
	for k, entry := range want {
		line, err := json.Marshal(entry)
		if err != nil {
			t.Fatal(err)
		}
		if k > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n" + string(line))
	}
	b.WriteString("\n]\n")
	Generated(t, file, b.Bytes(), update, again)
}

// Generated compares a file that a program makes with the wanted text. If it differs the test
// fails, and again is the command that writes the file; with update set it is written instead.
func Generated(t testing.TB, file string, want []byte, update bool, again string) {
	t.Helper()
	made, err := os.ReadFile(file)
	switch {
	case err == nil && bytes.Equal(made, want):
	case !update:
		t.Errorf("%s is not up to date (%v): %s", file, err, again)
	default:
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
