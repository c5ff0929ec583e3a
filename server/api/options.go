package api

import (
	"cmp"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
)

func optionsOf(kind string) []strict.Field {
	r, _ := job.New(job.Kind(kind))
	return fieldsOf(r)
}

func fieldsOf(r any) []strict.Field {
	fields := slices.Clone(strict.FieldsOf(reflect.TypeOf(r).Elem()))
	return slices.DeleteFunc(fields, func(f strict.Field) bool { return f.Name == "puzzle" })
}

func namesOf(fields []strict.Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

func sentOptions(kind string, text json.RawMessage) (map[string]json.RawMessage, error) {
	options, names := map[string]json.RawMessage{}, namesOf(optionsOf(kind))
	if len(text) > 0 && (json.Unmarshal(text, &options) != nil || options == nil) {
		return nil, wrong("body.options", "the value is not an object, expected the options of the kind %s: %s", kind, cmp.Or(strings.Join(names, ", "), "there is none"))
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		switch n, err := strconv.ParseUint(string(options[name]), 10, 64); {
		case name == "puzzle":
			return nil, wrong("body.options.puzzle", "the puzzle stands beside the options, not in them")
		case !slices.Contains(names, name):
			return nil, wrong("body.options."+fmt.Sprintf("%.40s", name), "%s", strict.Unknown("option of the kind "+kind+":", name, names, strict.Others))
		case err == nil && slices.Contains(sideNames, name): // a side is a text, but a number is accepted, too
			options[name] = quoted(strconv.FormatUint(n, 10))
		}
	}
	return options, nil
}

var sideNames = []string{"layers", "rows", "columns"}

var ownNames = []string{"kind", "wait"}

func checkOptions(kind string, query url.Values) error {
	known := parameters{what: "parameter of the kind " + kind + ":", names: slices.Clone(ownNames)}
	for _, f := range slices.Concat(optionsOf(kind), strict.FieldsOf(reflect.TypeFor[client.Limits]())) {
		short := shortName(f)
		if known.add(f.Name, f); short == f.Name {
			continue
		}
		if known.add(short, f); query.Has(short) && query.Has(f.Name) {
			return wrong("query."+f.Name, "both %s and %s given; give only one", short, f.Name)
		}
	}
	return known.check(query)
}

// shortName returns the name of an option in a query. The tag "-" is not a name: it means that
// only jobs have the option.
func shortName(f strict.Field) string {
	if short := f.Field.Tag.Get("query"); short != "-" {
		return cmp.Or(short, f.Name)
	}
	return f.Name
}

// readQuery reads a query into a struct. The map names has, for each field, its name in the query.
func readQuery(query url.Values, into any) (names map[string]string, err error) {
	options, names := map[string]json.RawMessage{}, map[string]string{}
	for _, f := range fieldsOf(into) {
		name := f.Name
		if short := shortName(f); query.Has(short) {
			name = short
		}
		values := query[name]
		switch {
		case len(values) == 0:
			continue
		case f.Type.Kind() == reflect.Slice:
			options[f.Name] = listOf(f, values)
		default:
			options[f.Name] = valueOf(f.Type, values[0])
		}
		names[f.Name] = name
	}
	return names, readOptions("query", names, options, into)
}

func readOptions(where string, names map[string]string, options map[string]json.RawMessage, into any) error {
	text, err := json.Marshal(options)
	if err != nil {
		return err
	}
	err = strict.Decode(text, into)
	var e *strict.Error
	if errors.As(err, &e) && e.Path != "" {
		end := strings.IndexAny(e.Path+".", ".[")
		renamed := *e
		renamed.Path = cmp.Or(names[e.Path[:end]], e.Path[:end]) + e.Path[end:]
		err = &renamed
	}
	return place(where, err)
}

func readOwn(r *http.Request, into any) error {
	value := reflect.ValueOf(into).Elem()
	names, err := readQuery(sentOf(r.Context()).query, into)
	if err != nil {
		return err
	}
	for _, f := range fieldsOf(into) {
		tag, field, where := f.Field.Tag, value.FieldByIndex(f.Field.Index), "query."+names[f.Name]
		least, err := strconv.ParseInt(tag.Get("minimum"), 10, 64)
		most, _ := strconv.ParseInt(tag.Get("maximum"), 10, 64)
		choices := strings.Split(tag.Get("enum"), ",")
		switch {
		case tag.Get("header") != "":
			field.SetString(r.Header.Get(tag.Get("header")))
		case tag.Get("path") != "":
			field.SetString(r.PathValue(tag.Get("path")))
		case names[f.Name] == "":
		case err == nil && (field.Int() < least || field.Int() > most):
			return wrong(where, "the value is %d, expected %d to %d", field.Int(), least, most)
		case choices[0] != "" && !slices.Contains(choices, field.String()):
			return wrong(where, "the value is %.40q, expected %s", field.String(), wording.List(choices))
		}
	}
	return nil
}

// quick reads the options of a request into r, and returns the puzzle. The options are in the JSON
// of the body, or else in the query. If alone is true, the body may be a puzzle without options.
func quick(ctx context.Context, r any, alone bool) (p job.Puzzle, err error) {
	in := sentOf(ctx)
	names, fault := readQuery(in.query, r)
	switch {
	case in.text == nil || in.yaml:
		in.names = names
		if in.yaml {
			in.puzzleAt = "body"
			p, err = textPuzzle("body", string(in.text))
		} else {
			p, err = queryPuzzle(in.query)
		}
		return p, cmp.Or(err, fault)
	case len(names) > 0:
		return p, wrong("query", "the query has options, which go with the text of a puzzle alone: give them as fields of the JSON, under their full names")
	}
	in.optionsAt, in.puzzleAt = "body", "body.puzzle"
	var whole json.RawMessage
	if err := place("body", strict.Decode(in.text, &whole)); err != nil {
		return p, err
	}
	options := map[string]json.RawMessage{}
	err = strict.Decode(whole, &options)
	puzzle := options["puzzle"]
	switch {
	case alone && (puzzle == nil || len(options) > 1):
		in.puzzleAt = "body"
		return jsonPuzzle("body", whole)
	case err != nil:
		return p, place("body", err)
	case puzzle == nil:
		if err := misplaced(options); err != nil {
			return p, err
		}
	}
	delete(options, "puzzle")
	if p, err = jsonPuzzle(in.puzzleAt, puzzle); err != nil {
		return p, err
	}
	return p, readOptions("body", nil, options, r)
}

func valueOf(t reflect.Type, text string) json.RawMessage {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, isText := reflect.New(t).Interface().(encoding.TextUnmarshaler)
	if !isText && t.Kind() != reflect.String && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return quoted(text)
}

// separated lists the options that are lists of texts without commas. In a query, commas separate
// the texts.
var separated = []string{"by_copies", "each", "unrank"}

func listOf(f strict.Field, values []string) json.RawMessage {
	var all []json.RawMessage
	for _, value := range values {
		parts := []string{value}
		if f.Type.Elem().Kind() != reflect.String || slices.Contains(separated, f.Name) {
			parts = strings.Split(value, ",")
		}
		for _, one := range parts {
			all = append(all, valueOf(f.Type.Elem(), one))
		}
	}
	return quoted(all)
}

func quoted(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // cannot happen: the value has only strings and valid JSON
	}
	return text
}
