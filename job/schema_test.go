package job

import (
	"bytes"
	"encoding"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/render"
)

var update = flag.Bool("update", false, "write doc/schema instead of comparing with it")

const schemaFolder = "../doc/schema"

// TestSchemas: doc/schema has exactly the schemas of the requests and answers, made from the types.
func TestSchemas(t *testing.T) {
	want := map[string]any{"tiling.json": schemaOf(render.TilingJSON{}, false)}
	for _, k := range kinds {
		want[string(k.kind)+".request.json"] = schemaOf(k.request(), true)
		want[string(k.kind)+".answer.json"] = schemaOf(k.answer(), false)
	}
	have, err := filepath.Glob(filepath.Join(schemaFolder, "*.json"))
	if err != nil || !*update && len(have) != len(want) {
		t.Errorf("doc/schema has %d files, want %d: go test ./job -run TestSchemas -update", len(have), len(want))
	}
	for name, schema := range want {
		text, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(schemaFolder, name)
		if *update {
			if err := os.WriteFile(path, append(text, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(bytes.TrimSpace(got), text) {
			t.Errorf("%s is not what the types say (%v): go test ./job -run TestSchemas -update", path, err)
		}
	}
}

// schema is a JSON Schema, with the parts that are needed here.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        any                `json:"type"` // a name, or several
	Pattern     string             `json:"pattern,omitempty"`
	Encoding    string             `json:"contentEncoding,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Others      any                `json:"additionalProperties,omitempty"` // the schema of other properties; false: there are none
}

// schemaOf returns the schema of the type of a value. A closed schema has no other properties:
// requests are read strictly, while answers may get new fields.
func schemaOf(value any, closed bool) *schema {
	t := reflect.TypeOf(value)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := typeSchema(t, closed)
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", t.Name()
	return s
}

func typeSchema(t reflect.Type, closed bool) *schema {
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		s := &schema{Type: "string", Pattern: "^[0-9]+$"} // the only one is Whole
		if closed {
			s.Type = []string{"string", "integer"} // requests may have a string or an integer
		}
		return s
	}
	switch t.Kind() {
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Pointer:
		return typeSchema(t.Elem(), closed)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return &schema{Type: "string", Encoding: "base64"}
		}
		return &schema{Type: "array", Items: typeSchema(t.Elem(), closed)}
	case reflect.Map:
		return &schema{Type: "object", Others: typeSchema(t.Elem(), closed)}
	case reflect.Struct:
		return structSchema(t, closed)
	}
	panic(fmt.Sprintf("%v has no schema", t))
}

func structSchema(t reflect.Type, closed bool) *schema {
	s := &schema{Type: "object", Properties: map[string]*schema{}}
	if closed {
		s.Others = false
	}
	for f := range fields(t) {
		if f.Anonymous {
			s.embed(f.Type, closed)
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := typeSchema(f.Type, closed)
		p.Description = f.Tag.Get("doc")
		if f.Tag.Get("null") != "" {
			p.Type = []string{p.Type.(string), "null"}
		}
		if rest != "omitempty" && rest != "omitzero" {
			s.Required = append(s.Required, name)
			if f.Type.Kind() == reflect.Pointer {
				p.Type = []string{p.Type.(string), "null"}
			}
		}
		s.Properties[name] = p
	}
	return s
}

// embed adds the fields of an embedded struct. The fields behind a pointer are not required.
func (s *schema) embed(t reflect.Type, closed bool) {
	inner := t
	if t.Kind() == reflect.Pointer {
		inner = t.Elem()
	}
	e := structSchema(inner, closed)
	maps.Copy(s.Properties, e.Properties)
	if inner == t {
		s.Required = append(s.Required, e.Required...)
	}
}

// fields yields the fields that encoding/json writes.
func fields(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && f.Tag.Get("json") != "-" && !yield(f) {
				return
			}
		}
	}
}

// TestAnswersFitTheirSchemas checks written answers against their schemas, above all that no list
// is null.
func TestAnswersFitTheirSchemas(t *testing.T) {
	for _, r := range []Request{
		&Show{Puzzle: Puzzle{Example: "soma"}},
		&Show{Puzzle: Puzzle{Text: marked}},
		&Count{Puzzle: dominoes, Explain: true, Distinct: DistinctUsual, Formula: true},
		&Each{Puzzle: Puzzle{Text: aCalendar}, Distinct: DistinctUsual},
		&Estimate{Puzzle: dominoes},
		&Residues{Puzzle: dominoes, Moduli: []Whole{7}},
		&Sample{Puzzle: dominoes, Number: 1, Explain: true},
		&List{Puzzle: dominoes},
		&Query{Puzzle: dominoes, Unrank: []string{"0"}},
		&Query{Puzzle: dominoes, Rank: []GivenTiling{{Numbers: []int{0, 2, 6}}}},
		&Query{Puzzle: dominoes, Marginals: byHeights},
		&Query{Puzzle: dominoes, Marginals: byPlacements, Conditions: Conditions{With: []string{"#0"}}},
		&Query{Puzzle: dominoes, Correlate: "#0", Weights: []string{"domino=1/2"}},
		&Query{Puzzle: dominoes, ByCopies: []string{AllPieces}},
		&Query{Puzzle: dominoes, Pairs: []string{"#0,#1"}},
		&Query{Puzzle: dominoes, Weights: []string{"domino=1/2"}},
		&Query{Puzzle: dominoes, Entropy: true},
		&Sequence{Boxes: Boxes{Puzzle: dominoes, Rows: "0..2", Columns: "2"}, Distinct: DistinctUsual},
		&Recurrence{Boxes: Boxes{Puzzle: dominoes, Columns: "2"}},
		&Recurrence{Boxes: Boxes{Puzzle: dominoes, Columns: "2"}, Height: new(Whole)},
		&Verify{Puzzle: dominoes, Distinct: DistinctUsual},
		&Verify{Puzzle: Puzzle{Board: "3x3", Pieces: []string{"domino=any"}}, Method: "spots"},
	} {
		a, err := Run(t.Context(), r, Limits{}, Watch{})
		if err != nil {
			t.Errorf("%s: %v", r.Kind(), err)
			continue
		}
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			t.Fatal(err)
		}
		if wrong := schemaOf(a, true).misfit(value); wrong != "" {
			t.Errorf("%s: %s in %s", r.Kind(), wrong, text)
		}
	}
}

// misfit returns the place where a value violates the schema, or "".
func (s *schema) misfit(value any) string {
	types, several := s.Type.([]string)
	if !several {
		types = []string{s.Type.(string)}
	}
	if got := jsonType(value); !slices.Contains(types, got) && !(got == "integer" && types[0] == "number") {
		return fmt.Sprintf("%s, want %q", got, types)
	}
	switch v := value.(type) {
	case []any:
		for _, x := range v {
			if wrong := s.Items.misfit(x); wrong != "" {
				return "[]: " + wrong
			}
		}
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				return "no " + name
			}
		}
		for name, x := range v {
			of := s.Properties[name]
			if others, isMap := s.Others.(*schema); isMap {
				of = others
			}
			if of == nil {
				return "unknown " + name
			}
			if wrong := of.misfit(x); wrong != "" {
				return name + ": " + wrong
			}
		}
	}
	return ""
}

func jsonType(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	}
	return "object"
}
