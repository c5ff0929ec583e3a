package config

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Value is a setting of a run.
type Value struct {
	Key  string // name in a configuration file; dots separate nested keys
	Text string // value, in which passwords are hidden
	From string // place of the setting, such as "--engine", "PAVAGE_ENGINE" or "default"
}

// YAML returns the settings as a configuration file with the place of each setting. It hides passwords.
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
		quoted, err := json.Marshal(v.Text) // a JSON string is also a YAML string
		if err != nil {                     // cannot happen: v.Text is a string
			panic(err)
		}
		fmt.Fprintf(&b, "%s: %s # %s\n", name, quoted, strings.ReplaceAll(v.From, "\n", " "))
	}
	return b.String()
}
