package config

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Value is a setting as it holds in a run.
type Value struct {
	Key  string // as in a configuration file; the dots are nesting
	Text string // without a password
	From string // --engine, PAVAGE_ENGINE, pavage.yaml: engine, or default
}

// YAML writes settings as a configuration file, with the place of each, without passwords.
func YAML(values []Value) string {
	var b strings.Builder
	within := ""
	for _, v := range values {
		group, name, nested := strings.Cut(v.Key, ".")
		switch {
		case !nested:
			name, within = v.Key, ""
		case group != within:
			fmt.Fprintf(&b, "%s:\n", group)
			within = group
		}
		if nested {
			b.WriteString("  ")
		}
		quoted, err := json.Marshal(v.Text) // a text of JSON is also a text of YAML
		if err != nil {                     // texts have no errors
			panic(err)
		}
		fmt.Fprintf(&b, "%s: %s # %s\n", name, quoted, strings.ReplaceAll(v.From, "\n", " "))
	}
	return b.String()
}
