package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/server/access"
)

type doc struct {
	id, tag, summary string
	role             access.Role // lowest role that may call the operation
	text             string      // description in CommonMark
	curl             string      // example of a shell command

	puzzle     bool   // whether the query may have the parameters of a puzzle
	asks       any    // a request such as &job.Count{}, whose options may be in the query; may be nil
	body       any    // value of the type of the body; nil if there is no body
	example    string // example of the body, in JSON
	options    bool   // whether the query may have the options of a kind of job
	puzzleText bool   // whether the body may also be the text of a puzzle

	good []answer
}

type answer struct {
	status      int
	contentType string // "" if there is no body
	of          any    // value of the type of the body; a string for text and bytes
	example     string
	words       string // description of the status; "" if an earlier answer with this status has it
}

// ref is the name of a schema that describeBodies adds. doc.body is a ref or a value of a Go type.
type ref string

func document(version string) *huma.OpenAPI {
	c := huma.DefaultConfig("Pavage", version).OpenAPI
	c.Info.Description = "Counts tilings and exact covers without listing them, draws fair ones, and proves counts. " +
		"Numbers that may be large are strings. An error is JSON of the type application/problem+json (RFC 9457): it says what is wrong, what is wanted, and where."
	c.Info.License = &huma.License{Name: "See LICENSE"}
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A token of the service, made with pavage token new. A service without tokens needs none."},
	}
	c.Security = []map[string][]string{{"token": {}}, {}}
	c.Tags = []*huma.Tag{
		{Name: countsTag, Description: "How many tilings there are."},
		{Name: samplesTag, Description: "Fair random tilings, and tilings by their number."},
		{Name: puzzlesTag, Description: "How a puzzle is understood, what its count would cost, and puzzles with clues."},
		{Name: jobsTag, Description: "Work that takes longer than a request."},
		{Name: aboutTag, Description: "Bundled puzzles and the version of the program."},
	}
	return c
}

// operation describes an operation. The argument own has the parameters that only this operation
// has. The names of all query parameters of the operation are added to the argument known.
func (d doc) operation(registry huma.Registry, method, path string, own []strict.Field, known *parameters) *huma.Operation {
	op := &huma.Operation{
		OperationID: d.id, Method: method, Path: path, Summary: d.summary, Description: d.text, Tags: []string{d.tag},
		Extensions: map[string]any{curlField: []codeSample{{"Shell", d.curl}}},
		Responses: map[string]*huma.Response{"default": {
			Description: "A problem: /docs lists the statuses of problems.",
			Content:     map[string]*huma.MediaType{access.ProblemType: {Schema: schemaOf(registry, client.Problem{})}},
		}},
	}
	for _, a := range d.good {
		status := strconv.Itoa(a.status)
		if op.Responses[status] == nil {
			op.Responses[status] = &huma.Response{Description: cmp.Or(a.words, "OK"), Content: map[string]*huma.MediaType{}}
		}
		if _, isJob := a.of.(client.Job); isJob {
			op.Responses[status].Headers = jobHeaders
		}
		if a.contentType != "" {
			m := &huma.MediaType{Schema: schemaOf(registry, a.of), Example: json.RawMessage(a.example)}
			if _, isText := a.of.(string); isText {
				m.Example = a.example
			}
			op.Responses[status].Content[a.contentType] = m
		}
	}
	if d.puzzle {
		own = slices.Concat(strict.FieldsOf(reflect.TypeFor[PuzzleQuery]()), own)
	}
	if d.asks != nil {
		own = slices.Concat(own, fieldsOf(d.asks))
	}
	for _, f := range own {
		if p := parameterOf(registry, f, method); p != nil {
			op.Parameters = append(op.Parameters, p)
			if p.In == "query" {
				known.add(p.Name, f)
			}
		}
	}
	if d.options {
		explode := true
		op.Parameters = append(op.Parameters, &huma.Param{ // in OpenAPI, this stands for parameters with any names
			Name: "options", In: "query", Style: "form", Explode: &explode,
			Description: "Where the body is the text of a puzzle: the options of the kind and the limits, each a parameter of its own, such as distinct=usual and memory=512MiB. An option that is a list may be given more than once.",
			Schema:      &huma.Schema{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Type: huma.TypeString}},
		})
	}
	if d.body != nil {
		if d.asks != nil {
			op.Description += " With a body of JSON the options are its fields; the query has them only with the text of a puzzle as the body."
		}
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			jsonType: {Schema: schemaOf(registry, d.body), Example: json.RawMessage(d.example)},
		}}
		if d.puzzleText {
			op.RequestBody.Content[yamlTypes[0]] = &huma.MediaType{Schema: &huma.Schema{Type: "string"}, Example: examplePuzzleFile}
		}
	}
	return op
}

var jobHeaders = map[string]*huma.Param{
	"Location":           {Schema: &huma.Schema{Type: huma.TypeString, Description: "The path of the job."}},
	"ETag":               {Schema: &huma.Schema{Type: huma.TypeString, Description: "Changes with the job."}},
	"Preference-Applied": {Schema: &huma.Schema{Type: huma.TypeString}},
}

// parameterOf returns nil for an option with the tag query:"-", which only jobs may have.
func parameterOf(registry huma.Registry, f strict.Field, method string) *huma.Param {
	schema, list := huma.SchemaFromField(registry, f.Field, ""), f.Type.Kind() == reflect.Slice
	if words := schema.Description; !strings.HasSuffix(words, ".") { // descriptions of options in package job have no period
		if schema.Description = strings.ToUpper(words[:1]) + words[1:] + "."; list {
			schema.Description += " It may be given more than once."
		}
	}
	p := &huma.Param{Description: schema.Description, Schema: schema}
	tag := f.Field.Tag
	switch {
	case tag.Get("query") == "-":
		return nil
	case tag.Get("path") != "":
		p.In, p.Name, p.Required = "path", tag.Get("path"), true
	case tag.Get("header") != "":
		p.In, p.Name = "header", tag.Get("header")
	default:
		p.In, p.Name, p.Explode = "query", shortName(f), &list
		p.Required = method == http.MethodGet && tag.Get("required") == "true"
	}
	return p
}

// describeBodies adds what Go types cannot express: the forms of a puzzle, and the kinds of jobs.
func describeBodies(registry huma.Registry) {
	schemas := registry.Map()
	schemas["Puzzle"] = &huma.Schema{OneOf: []*huma.Schema{ // the forms that jsonPuzzle reads
		{Type: "string", Description: "name: and the name of a bundled example, or the text of a puzzle file in YAML or JSON, or of an exact cover."},
		{
			Type: "object", AdditionalProperties: true,
			Description: "A puzzle file as an object; or {\"example\": NAME}; or a board with pieces as text, as the command line has them.",
		},
	}}
	schemas["SampleRequest"] = optionsSchema(registry, "sample", "What to draw, and how.")
	schemas["CluesRequest"] = optionsSchema(registry, "clues", "Which puzzles with clues to make.")
	for _, name := range []string{"Submission", "SampleRequest", "CluesRequest", "TilingRequest"} {
		schemas[name].Properties["puzzle"] = schemaOf(registry, ref("Puzzle"))
	}
	kind := *schemas["Submission"].Properties["kind"]
	for _, k := range kinds {
		kind.Enum = append(kind.Enum, k)
	}
	schemas["Submission"].Properties["kind"] = &kind
	options := schemas["Submission"].Properties["options"]
	options.Type, options.AdditionalProperties = huma.TypeObject, nil
	for _, k := range kinds {
		name := optionsName(k)
		schemas[name] = optionsSchema(registry, k, "The options of a job of the kind "+k+".")
		options.AnyOf = append(options.AnyOf, schemaOf(registry, ref(name)))
	}
}

func optionsSchema(registry huma.Registry, kind, description string) *huma.Schema {
	s := &huma.Schema{
		Type: huma.TypeObject, Description: description,
		Properties: map[string]*huma.Schema{}, AdditionalProperties: false,
	}
	for _, f := range optionsOf(kind) {
		s.Properties[f.Name] = huma.SchemaFromField(registry, f.Field, "")
	}
	return s
}

func optionsName(kind string) string {
	return strings.ToUpper(kind[:1]) + kind[1:] + "Options"
}

func schemaOf(registry huma.Registry, of any) *huma.Schema {
	switch of := of.(type) {
	case string:
		return &huma.Schema{Type: "string"}
	case ref:
		return &huma.Schema{Ref: "#/components/schemas/" + string(of)}
	}
	return registry.Schema(reflect.TypeOf(of), true, "")
}
