package exchange

import (
	"encoding/json"
	"strings"
)

// entries are a mapping of a puzzle file, in the order in which it is written. The two forms of a
// file have the same keys and the same meaning; a value of the outermost mapping that has rows has a
// line for each of them.
//
//	yaml                                json
//	lattice: square                     {
//	board: 2x2                           "lattice": "square",
//	pieces:                              "board": "2x2",
//	  - {name: "a", copies: 1..}         "pieces": [
//	                                      {"name": "a", "copies": "1.."}
//	                                     ]
//	                                    }
type entries []entry

// entry is a key and its value: plain words, a text, rows of a board, lists of texts or numbers, fields, or a
// list of fields.
type entry struct {
	key   string
	value any
}

// plain is a text that needs no quotes in YAML.
type plain string

// yaml is the file as YAML.
func (f entries) yaml() string {
	var b strings.Builder
	for _, e := range f {
		b.WriteString(e.key + ":")
		rows := e.rows(yamlText)
		if rows == nil {
			b.WriteString(" " + yamlText(e.value))
		}
		for _, row := range rows {
			b.WriteString("\n  - " + row)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// json is the file as JSON.
func (f entries) json() string {
	lines := make([]string, len(f))
	for i, e := range f {
		lines[i] = jsonText(e.key) + ": "
		if rows := e.rows(jsonText); rows != nil {
			lines[i] += "[\n  " + strings.Join(rows, ",\n  ") + "\n ]"
		} else {
			lines[i] += jsonText(e.value)
		}
	}
	return "{\n " + strings.Join(lines, ",\n ") + "\n}\n"
}

// rows are the texts of a value that has a line for each, nil of another.
func (f entry) rows(text func(any) string) (rows []string) {
	switch list := f.value.(type) {
	case []string:
		for _, value := range list {
			rows = append(rows, text(value))
		}
	case []entries:
		for _, value := range list {
			rows = append(rows, text(value))
		}
	}
	return rows
}

// yamlText is a value on a line of YAML. The letter of a colour has quotes: n and y are no texts
// without them.
func yamlText(value any) string {
	switch v := value.(type) {
	case plain:
		return string(v)
	case entries:
		return v.braces(yamlText, func(key string) string {
			if len(key) == 1 {
				return jsonText(key)
			}
			return key
		})
	}
	return jsonText(value)
}

// braces are fields on one line.
func (f entries) braces(text func(any) string, name func(key string) string) string {
	words := make([]string, len(f))
	for i, e := range f {
		words[i] = name(e.key) + ": " + text(e.value)
	}
	return "{" + strings.Join(words, ", ") + "}"
}

// jsonText is a value as JSON and YAML have it: a text, lists of texts or numbers, or fields.
func jsonText(value any) string {
	if f, ok := value.(entries); ok {
		return f.braces(jsonText, func(key string) string { return jsonText(key) })
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return "" // such values always have a JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}
