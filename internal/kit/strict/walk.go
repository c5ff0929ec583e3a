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
	"sync"
)

// Wanter is a type that describes its values, such as "a text: usual or all".
type Wanter interface{ Wanted() string }

// Field is a field of a struct in JSON.
type Field struct {
	Name  string
	Type  reflect.Type
	Field reflect.StructField
}

// Words returns the allowed words of a field, from the method Choices or from the tag "words".
func (f Field) Words() []string {
	if of, ok := reflect.Zero(f.Type).Interface().(interface{ Choices() []string }); ok {
		return of.Choices()
	}
	return strings.Fields(f.Field.Tag.Get("words"))
}

// known caches results of FieldsOf. Without this cache, validating a job.Count needs 8 µs more.
var known sync.Map

// FieldsOf returns the fields that a struct has in JSON. Callers must not change the slice.
func FieldsOf(t reflect.Type) []Field {
	if fields, ok := known.Load(t); ok {
		return fields.([]Field)
	}
	var fields []Field
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
	fields = slices.Clip(fields) // append by a caller must make a new array
	known.Store(t, fields)
	return fields
}

// Others maps common wrong names of fields to the names that users probably mean.
var Others = map[string]string{
	"n": "number", "count": "number", "pieces": "piece", "piece": "pieces", "cols": "columns", "width": "columns", "height": "rows",
	"modulus": "moduli", "mod": "moduli", "primes": "moduli", "symmetry": "distinct", "mem": "memory", "time": "timeout", "example": "puzzle", "name": "puzzle",
}

// mistake visits the names of a map in alphabetical order, since encoding/json loses their order.
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
		var values map[string]json.RawMessage
		if json.Unmarshal(raw, &values) != nil {
			return &Error{Path: path, Text: "the value is " + seen(raw) + ", expected an object"}
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if e := mistake(t.Elem(), values[name], join(path, name), ""); e != nil {
				return e
			}
		}
		return nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			if json.Unmarshal(raw, own.Interface()) != nil {
				return &Error{Path: path, Text: "the value is " + seen(raw) + ", expected a text in base64"}
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

type opened struct {
	first int // index at which its keys begin in the list of all keys
	index int
	key   []byte // key of the current value; nil in a list
}

// repeated assumes that text is valid JSON. It builds no tree: many brackets need a large tree.
func repeated(text []byte) *Error {
	var open []opened
	var keys [][]byte // keys of all open objects
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			open = append(open, opened{first: len(keys)})
		case ',':
			open[len(open)-1].index++
		case '}', ']':
			last := open[len(open)-1]
			open = open[:len(open)-1]
			own := keys[last.first:]
			slices.SortFunc(own, bytes.Compare)
			for j := 1; j < len(own); j++ {
				if bytes.Equal(own[j-1], own[j]) {
					return &Error{Path: join(pathTo(open), string(own[j])), Text: "this key occurs twice, expected each key once"}
				}
			}
			keys = keys[:last.first]
		case '"':
			begin := i + 1
			for i = begin; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if !bytes.HasPrefix(bytes.TrimLeft(text[i+1:], " \t\r\n"), []byte(":")) {
				continue // this is a value, not a key
			}
			key := text[begin:i:i]
			if bytes.IndexByte(key, '\\') >= 0 {
				var plain string
				_ = json.Unmarshal(text[begin-1:i+1], &plain)
				key = []byte(plain)
			}
			keys = append(keys, key)
			open[len(open)-1].key = key
		}
	}
	return nil
}

func pathTo(open []opened) (path string) {
	for _, o := range open {
		if o.key == nil {
			path += fmt.Sprintf("[%d]", o.index)
		} else {
			path = join(path, string(o.key))
		}
	}
	return path
}

func inObject(t reflect.Type, raw json.RawMessage, path string) *Error {
	var values map[string]json.RawMessage
	if json.Unmarshal(raw, &values) != nil {
		return &Error{Path: path, Text: "the value is " + seen(raw) + ", expected an object"}
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
		if e := mistake(fields[i].Type, values[name], join(path, fields[i].Name), fields[i].Field.Tag.Get("expected")); e != nil {
			return e
		}
	}
	return nil
}

func join(path, name string) string {
	name = fmt.Sprintf("%.40s", name)
	if path == "" {
		return name
	}
	return path + "." + name
}

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
	return &Error{Path: path, Text: "the value is " + seen(raw) + ", expected " + want}
}

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
