package config

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

var update = flag.Bool("update", false, "write doc/reference.md instead of comparing with it")

// TestReference: doc/reference.md has the table of the settings.
func TestReference(t *testing.T) {
	var table strings.Builder
	table.WriteString("\n| setting | environment | flag | default | |\n|---|---|---|---|---|\n")
	for _, s := range settings {
		fallback := s.fallback()
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		if other := s.text("service"); other != "" && other != s.fallback() {
			fallback += ", of the service `" + other + "`"
		}
		fmt.Fprintf(&table, "| `%s` | `%s` | `--%s %s` | %s | %s |\n", s.key, s.env(), s.flag(), s.text("arg"), fallback, s.text("doc"))
	}
	testkit.Section(t, "../doc/reference.md", "settings", table.String()+"\n", *update, "make reference")
}
