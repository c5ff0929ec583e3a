package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/strict"
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
		return nil, wrong("body.options", "it is no object, want the options of the kind %s: %s", kind, listed(namesOf(optionsOf(kind))))
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

func listed(names []string) string {
	if len(names) == 0 {
		return "there is none"
	}
	return strings.Join(names, ", ")
}

// ownNames are the parameters of POST /v1/jobs itself.
var ownNames = []string{"kind", "wait"}

// queryOptions are the options and limits of a query. A parameter n is the number of
// tilings, as it is for samples.
func queryOptions(kind job.Kind, query url.Values) (options map[string]json.RawMessage, l client.Limits, err error) {
	fields, limits := optionsOf(kind), strict.FieldsOf(reflect.TypeFor[client.Limits]())
	options = map[string]json.RawMessage{}
	asked := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		value := query.Get(name)
		if slices.Contains(ownNames, name) {
			continue
		}
		if i := slices.Index(namesOf(limits), name); i >= 0 {
			asked[name] = valueOf(limits[i].Type, value)
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
		options[name] = valueOf(fields[i].Type, value)
		if isTexts(fields[i].Type) {
			options[name] = quoted(query[name])
		}
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, l, err
	}
	return options, l, place("query", strict.Decode(text, &l))
}

// noQuery refuses options in the query of a body in JSON.
func noQuery(query url.Values, instead string) error {
	for name := range query {
		if !slices.Contains(ownNames, name) {
			return wrong("query."+name, "options go into the query with the text of a puzzle alone; in JSON want them %s", instead)
		}
	}
	return nil
}

// isTexts says which options are given once for each of their texts, as these may have commas.
func isTexts(t reflect.Type) bool { return t == reflect.TypeFor[[]string]() }

// repeated are the parameters that may be given several times: what is a list of texts in
// some kind of job, and what tells the puzzle.
var repeated = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{"piece": true, "set": true}
	for _, kind := range kinds {
		for _, f := range optionsOf(kind) {
			if isTexts(f.Type) {
				names[f.Name] = true
			}
		}
	}
	return names
})

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
	case kind == reflect.Slice:
		var all []json.RawMessage
		for one := range strings.SplitSeq(text, ",") {
			all = append(all, valueOf(t.Elem(), one))
		}
		return quoted(all)
	case kind >= reflect.Int && kind <= reflect.Uint64:
		if _, err := strconv.ParseInt(text, 10, 64); err == nil {
			return json.RawMessage(text)
		}
	}
	return quoted(text)
}

func quoted(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // it is made of texts
	}
	return text
}
