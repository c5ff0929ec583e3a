package api

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/tiling"
)

//go:embed docs.html
var docsSource string

//go:embed docs.css
var docsStyle string

// docsCSP lets the page use its own style and nothing else: no script, no other site.
var docsCSP = func() string {
	digest := sha256.Sum256([]byte(docsStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// docsView is the content of the page: the document, for people.
type docsView struct {
	Style    template.CSS
	Info     *huma.Info
	Chapter  []docsChapter
	Kinds    []docsKind
	Names    string // of pieces and sets
	Statuses []docsAnswer
}

type docsChapter struct {
	*huma.Tag
	Operations []docsOperation
}

type docsKind struct {
	Kind    string
	Options []docsOption
}

type docsOption struct{ Name, Type, Words string }

type docsOperation struct {
	*huma.Operation
	Curl    string
	Asked   []docsParameter
	Bodies  []docsExample
	Answers []docsAnswer
}

type docsParameter struct{ Name, In, Words string }

type docsAnswer struct {
	Status, Words string
	Examples      []docsExample
}

type docsExample struct{ Type, Text string }

// docsHost is what the page calls the service, until somebody asks for it by a name.
const docsHost = "http://localhost:8080"

// docsPage renders the document.
func docsPage(o *huma.OpenAPI, order []*huma.Operation) []byte {
	view := docsView{Style: template.CSS(docsStyle), Info: o.Info, Names: strings.Join(tiling.PieceNames(), ", ")}
	for _, status := range slices.Sorted(maps.Keys(badWords)) { // once for all operations
		view.Statuses = append(view.Statuses, docsAnswer{Status: strconv.Itoa(status), Words: badWords[status]})
	}
	for _, k := range kinds {
		view.Kinds = append(view.Kinds, docsKind{string(k), docsOptions(o.Components.Schemas.Map()[optionsName(k)], optionsOf(k))})
	}
	for _, tag := range o.Tags {
		chapter := docsChapter{Tag: tag}
		for _, op := range order {
			if slices.Contains(op.Tags, tag.Name) {
				chapter.Operations = append(chapter.Operations, docsOf(op))
			}
		}
		view.Chapter = append(view.Chapter, chapter)
	}
	var out bytes.Buffer
	page := template.Must(template.New("docs").Parse(docsSource))
	if err := page.Execute(&out, view); err != nil {
		panic(err) // the document is made of our own types
	}
	return out.Bytes()
}

// docsFor is the page with the address by which it was asked for, if that is a plain one.
func docsFor(page []byte, r *http.Request) []byte {
	const plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.:[]"
	if r.Host == "" || len(r.Host) > 255 || strings.Trim(r.Host, plain) != "" {
		return page
	}
	scheme := "http://"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https://"
	}
	return bytes.ReplaceAll(page, []byte(docsHost), []byte(scheme+r.Host))
}

// docsOptions are the options of a kind, in the order of the type.
func docsOptions(schema *huma.Schema, fields []strict.Field) (all []docsOption) {
	for _, f := range fields {
		s := schema.Properties[f.Name]
		o := docsOption{Name: f.Name, Type: map[string]string{"string": "text", "integer": "number", "boolean": "true or false", "array": "list"}[s.Type], Words: s.Description}
		if f.Type == reflect.TypeFor[job.Whole]() || f.Type == reflect.TypeFor[*job.Whole]() {
			o.Type = "number, or its digits as text"
		}
		all = append(all, o)
	}
	return all
}

func docsOf(op *huma.Operation) docsOperation {
	d := docsOperation{Operation: op}
	if samples, _ := op.Extensions[curlField].([]codeSample); len(samples) > 0 {
		d.Curl = samples[0].Source
	}
	for _, p := range op.Parameters {
		words := p.Description
		if p.Required {
			words = "Needed. " + words
		}
		if p.Schema != nil && p.Schema.Default != nil {
			words += fmt.Sprintf(" %v if it is not given.", p.Schema.Default)
		}
		d.Asked = append(d.Asked, docsParameter{p.Name, p.In, words})
	}
	if op.RequestBody != nil {
		d.Bodies = docsExamples(op.RequestBody.Content)
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		a := docsAnswer{Status: status, Words: r.Description}
		switch {
		case status < "300":
			a.Examples = docsExamples(r.Content)
		case status >= "400" && status != "409" && status != "410" && status != "422":
			continue // it is told once for all
		}
		d.Answers = append(d.Answers, a)
	}
	return d
}

func docsExamples(content map[string]*huma.MediaType) (all []docsExample) {
	for _, name := range slices.Sorted(maps.Keys(content)) {
		text := strings.TrimRight(fmt.Sprint(content[name].Example), "\n")
		if raw, ok := content[name].Example.(json.RawMessage); ok {
			text = string(raw)
			if name != linesType {
				text = layout(raw, "")
			}
		}
		all = append(all, docsExample{name, text})
	}
	return all
}

// layoutWidth is how wide a value may be that stands on one line.
const layoutWidth = 96

// layout is JSON for people: what fits stands on one line.
func layout(raw json.RawMessage, indent string) string {
	var open, end string
	switch {
	case len(indent)+len(raw) <= layoutWidth:
		return string(raw)
	case raw[0] == '{':
		open, end = "{", "}"
	case raw[0] == '[':
		open, end = "[", "]"
	default:
		return string(raw)
	}
	inner := indent + "  "
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token() // the document's examples are JSON: a test reads them
	var lines []string
	for d.More() {
		var key, value json.RawMessage
		line := inner
		if open == "{" {
			name, _ := d.Token()
			key = quoted(name)
			line += string(key) + ": "
		}
		_ = d.Decode(&value)
		lines = append(lines, line+layout(value, inner))
	}
	return open + "\n" + strings.Join(lines, ",\n") + "\n" + indent + end
}

// curlField is the field of the document with the line for curl. Programs that show
// OpenAPI documents know it.
const curlField = "x-codeSamples"

type codeSample struct {
	Lang   string `json:"lang" yaml:"lang"`
	Source string `json:"source" yaml:"source"`
}
