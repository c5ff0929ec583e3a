package config

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write doc/reference.md instead of comparing with it")

// TestReference: doc/reference.md has the table of the settings.
func TestReference(t *testing.T) {
	const file, begin, end = "../doc/reference.md", "<!-- settings -->\n", "<!-- end of settings -->\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no lines %q and %q", file, begin, end)
	}
	var table strings.Builder
	table.WriteString("\n| setting | environment | flag | default | |\n|---|---|---|---|---|\n")
	for _, s := range settings {
		fallback := s.fallback
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		fmt.Fprintf(&table, "| `%s` | `%s` | `--%s %s` | %s | %s |\n", s.key, s.env(), s.flag(), s.arg, fallback, s.usage)
	}
	want := before + begin + table.String() + "\n" + end + after
	if *update {
		err = os.WriteFile(file, []byte(want), 0o644)
	} else if want != string(page) {
		t.Errorf("%s does not have the settings as they are now: make reference", file)
	}
	if err != nil {
		t.Fatal(err)
	}
}
