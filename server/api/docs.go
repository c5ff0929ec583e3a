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
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
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

// docsView is what the page shows: the document, for people.
type docsView struct {
	Style   template.CSS
	Info    *huma.Info
	Chapter []docsChapter
}

type docsChapter struct {
	*huma.Tag
	Operations []docsOperation
}

type docsOperation struct {
	*huma.Operation
	Curl    string
	Bodies  []docsExample
	Answers []docsAnswer
}

type docsAnswer struct {
	Status, Words string
	Examples      []docsExample
}

type docsExample struct{ Type, Text string }

// docsPage renders the document.
func docsPage(o *huma.OpenAPI, order []*huma.Operation) []byte {
	view := docsView{Style: template.CSS(docsStyle), Info: o.Info}
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

func docsOf(op *huma.Operation) docsOperation {
	d := docsOperation{Operation: op, Curl: curlOf(op)}
	if op.RequestBody != nil {
		d.Bodies = docsExamples(op.RequestBody.Content)
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		a := docsAnswer{Status: status, Words: r.Description}
		if status < "300" {
			a.Examples = docsExamples(r.Content)
		}
		d.Answers = append(d.Answers, a)
	}
	return d
}

func docsExamples(content map[string]*huma.MediaType) (all []docsExample) {
	for _, name := range slices.Sorted(maps.Keys(content)) {
		all = append(all, docsExample{name, pretty(content[name].Example)})
	}
	return all
}

// pretty is an example for people: JSON with line breaks, the rest as it is.
func pretty(example any) string {
	raw, ok := example.(json.RawMessage)
	if !ok {
		return strings.TrimRight(fmt.Sprint(example), "\n")
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil || out.Len() < 100 {
		return string(raw)
	}
	return out.String()
}

// curlField is where the document has the line for curl: programs that show documents
// know it.
const curlField = "x-codeSamples"

type codeSample struct {
	Lang   string `json:"lang" yaml:"lang"`
	Source string `json:"source" yaml:"source"`
}

func curlOf(op *huma.Operation) string {
	samples, _ := op.Extensions[curlField].([]codeSample)
	if len(samples) == 0 {
		return ""
	}
	return samples[0].Source
}
