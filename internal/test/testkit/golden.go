package testkit

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// Section is [Generated] for the part of a page between <!-- NAME --> and <!-- end of NAME -->.
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

// Page is [Generated] for a JSON file of web/src/model/testdata, with a line for each entry.
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

// Generated compares a file with the wanted text. If they differ, the test fails, and its message
// has the command that writes the file: again. With update, Generated writes the file instead.
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
