package strict

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Wanter is a type that says what is wanted of a value, such as "a text: usual or all".
type Wanter interface{ Wanted() string }

// Field is a field of JSON of a struct.
type Field struct {
	Name  string
	Type  reflect.Type
	Field reflect.StructField
}

// FieldsOf are the fields of a struct as JSON has them, those of embedded structs too.
func FieldsOf(t reflect.Type) (fields []Field) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous || !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		fields = append(fields, Field{name, f.Type, f})
	}
	return fields
}

func typeOf(into any) reflect.Type { return reflect.TypeOf(into).Elem() }

// Others are names that people write for others. Unknown passes over those that there
// are not.
var Others = map[string]string{
	"n": "number", "count": "number", "pieces": "piece", "piece": "pieces", "cols": "columns", "width": "columns", "height": "rows",
	"modulus": "moduli", "mod": "moduli", "primes": "moduli", "symmetry": "distinct", "mem": "memory", "time": "timeout", "example": "puzzle", "name": "puzzle",
}

// mistake is the first one of a value, nil if there is none. Names are looked at in
// the order of the alphabet: encoding/json keeps no other.
func mistake(t reflect.Type, raw json.RawMessage, path, want string) *Error {
	for t.Kind() == reflect.Pointer {
		if string(bytes.TrimSpace(raw)) == "null" {
			return nil
		}
		t = t.Elem()
	}
	own := reflect.New(t)
	switch own.Interface().(type) {
	case json.Unmarshaler, encoding.TextUnmarshaler:
		return unfit(own, raw, path, want)
	}
	switch t.Kind() {
	case reflect.Struct:
		return inObject(t, raw, path)
	case reflect.Map:
		return inMap(t, raw, path)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			if json.Unmarshal(raw, own.Interface()) != nil {
				return &Error{Path: path, Text: "it is " + seen(raw) + ", want a text in base64"}
			}
			return nil
		}
		var all []json.RawMessage
		if json.Unmarshal(raw, &all) != nil {
			return unfit(own, raw, path, want)
		}
		for i, one := range all {
			if e := mistake(t.Elem(), one, fmt.Sprintf("%s[%d]", path, i), ""); e != nil {
				return e
			}
		}
		return nil
	}
	return unfit(own, raw, path, want)
}

// repeated returns the first key that occurs twice in an object of the next value, or
// nil. The value must be valid JSON.
func repeated(d *json.Decoder) *Error {
	token, err := d.Token()
	if delimiter, ok := token.(json.Delim); err != nil || !ok || delimiter == ']' || delimiter == '}' {
		return nil
	}
	keys := map[string]bool{}
	for i := 0; d.More(); i++ {
		name := ""
		if token == json.Delim('{') {
			key, _ := d.Token()
			name, _ = key.(string)
			if keys[name] {
				return &Error{Path: join("", name), Text: "this key occurs twice, want it once"}
			}
			keys[name] = true
		}
		if e := repeated(d); e != nil {
			part := join("", name)
			if token == json.Delim('[') {
				part = fmt.Sprintf("[%d]", i)
			}
			if !strings.HasPrefix(e.Path, "[") {
				part += "."
			}
			e.Path = part + e.Path
			return e
		}
	}
	_, _ = d.Token() // the closing bracket
	return nil
}

// inMap is the first mistake in an object whose names may be any.
func inMap(t reflect.Type, raw json.RawMessage, path string) *Error {
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil {
		return &Error{Path: path, Text: "it is " + seen(raw) + ", want an object"}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if e := mistake(t.Elem(), values[name], join(path, name), ""); e != nil {
			return e
		}
	}
	return nil
}

// inObject is the first mistake in an object.
func inObject(t reflect.Type, raw json.RawMessage, path string) *Error {
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil {
		return &Error{Path: path, Text: "it is " + seen(raw) + ", want an object"}
	}
	fields := FieldsOf(t)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(fields, func(f Field) bool { return strings.EqualFold(f.Name, name) })
		if i < 0 {
			names := make([]string, len(fields))
			for i, f := range fields {
				names[i] = f.Name
			}
			return &Error{Path: join(path, name), Text: Unknown("field", name, names, Others)}
		}
		if e := mistake(fields[i].Type, values[name], join(path, fields[i].Name), fields[i].Field.Tag.Get("want")); e != nil {
			return e
		}
	}
	return nil
}

// join is a path and a name. A name that nobody has chosen may be long.
func join(path, name string) string {
	name = fmt.Sprintf("%.40s", name)
	if path == "" {
		return name
	}
	return path + "." + name
}

// unfit says what a value is and what is wanted, if it cannot be decoded.
func unfit(own reflect.Value, raw json.RawMessage, path, want string) *Error {
	if json.Unmarshal(raw, own.Interface()) == nil {
		return nil
	}
	if w, ok := own.Interface().(Wanter); ok {
		want = w.Wanted()
	}
	if want == "" {
		want = wanted(own.Elem().Type())
	}
	return &Error{Path: path, Text: "it is " + seen(raw) + ", want " + want}
}

// wanted is what is wanted of a kind.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a whole number"
}

// seen is a value in words: itself if it is short.
func seen(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return "nothing"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "a list"
	case raw[0] == '"':
		return fmt.Sprintf("the text %.40s", raw)
	case raw[0] == '-', raw[0] >= '0' && raw[0] <= '9':
		return fmt.Sprintf("the number %.40s", raw)
	}
	return string(raw)
}
