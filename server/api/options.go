package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/job"
)

// optionsOf are the fields of a request of that kind but its puzzle.
func optionsOf(kind job.Kind) []strict.Field {
	r, _ := job.New(kind)
	fields := strict.FieldsOf(reflect.TypeOf(r).Elem())
	return slices.DeleteFunc(fields, func(f strict.Field) bool { return f.Name == "puzzle" })
}

func namesOf(fields []strict.Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// sentOptions are the options of a body.
func sentOptions(kind job.Kind, text json.RawMessage) (map[string]json.RawMessage, error) {
	options := map[string]json.RawMessage{}
	if len(text) == 0 {
		return options, nil
	}
	if json.Unmarshal(text, &options) != nil || options == nil {
		names := cmp.Or(strings.Join(namesOf(optionsOf(kind)), ", "), "there is none")
		return nil, wrong("body.options", "it is no object, want the options of the kind %s: %s", kind, names)
	}
	if _, twice := options["puzzle"]; twice {
		return nil, wrong("body.options.puzzle", "the puzzle stands beside the options, not in them")
	}
	names := namesOf(optionsOf(kind))
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if !slices.Contains(names, name) {
			return nil, wrong("body.options."+fmt.Sprintf("%.40s", name), "%s", strict.Unknown("option of the kind "+string(kind)+":", name, names, strict.Others))
		}
	}
	for name, value := range options { // a range of one number may be a number
		if n, err := strconv.ParseUint(string(value), 10, 64); err == nil && slices.Contains(sideNames, name) {
			options[name] = quoted(strconv.FormatUint(n, 10))
		}
	}
	return options, nil
}

// sideNames are the options that are ranges of numbers, as text.
var sideNames = []string{"layers", "rows", "columns"}

// ownNames are the parameters of POST /v1/jobs itself.
var ownNames = []string{"kind", "wait"}

// queryOptions are the options and limits of a query. A parameter n is the number of
// tilings, as it is for samples.
func queryOptions(kind job.Kind, query url.Values) (options map[string]json.RawMessage, l client.Limits, err error) {
	fields, limits := optionsOf(kind), strict.FieldsOf(reflect.TypeFor[client.Limits]())
	options = map[string]json.RawMessage{}
	asked := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		values := query[name]
		if slices.Contains(ownNames, name) {
			continue
		}
		if i := slices.Index(namesOf(limits), name); i >= 0 {
			if err := checkGiven(name, values, false); err != nil {
				return nil, l, err
			}
			asked[name] = valueOf(limits[i].Type, values[0])
			continue
		}
		if _, both := query["number"]; name == "n" && !both {
			name = "number"
		}
		i := slices.Index(namesOf(fields), name)
		if i < 0 {
			names := slices.Concat(ownNames, namesOf(fields), namesOf(limits))
			return nil, l, wrong("query."+name, "%s", strict.Unknown("parameter of the kind "+string(kind)+":", name, names, strict.Others))
		}
		isList := fields[i].Type.Kind() == reflect.Slice
		if err := checkGiven(name, values, isList); err != nil {
			return nil, l, err
		}
		if options[name] = valueOf(fields[i].Type, values[0]); isList {
			options[name] = listOf(fields[i], values)
		}
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, l, err
	}
	return options, l, place("query", strict.Decode(text, &l))
}

// valueOf is a parameter as JSON of a type. One that is not of the type becomes a text,
// and is refused as that.
func valueOf(t reflect.Type, text string) json.RawMessage {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, isText := reflect.New(t).Interface().(interface{ UnmarshalText([]byte) error })
	switch kind := t.Kind(); {
	case isText:
	case kind == reflect.Bool && (text == "true" || text == "false"):
		return json.RawMessage(text)
	case kind >= reflect.Int && kind <= reflect.Uint64:
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			return json.RawMessage(text)
		}
	}
	return quoted(text)
}

// separated are the lists of texts whose values have no commas in them, so that one
// parameter may have several. A list of numbers is one too.
var separated = []string{"by_copies", "each", "unrank"}

// listOf is a list as JSON: each value of its parameter, or what commas separate in it.
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
		panic(err) // it is made of texts
	}
	return text
}
