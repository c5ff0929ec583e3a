package api

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
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

type docsOption struct{ Name, Type, Words string }

// docsHost is what the page calls the service, until somebody asks for it by a name.
const docsHost = "http://localhost:8080"

// docsPage renders the document, with the operations in their order.
func docsPage(o *huma.OpenAPI, order []*huma.Operation) []byte {
	page := template.Must(template.New("docs").Funcs(template.FuncMap{
		"example": docsExample,
		"options": func(k string) []docsOption {
			return docsOptions(o.Components.Schemas.Map()[optionsName(k)], optionsOf(k))
		},
	}).Parse(docsSource))
	var out bytes.Buffer
	if err := page.Execute(&out, map[string]any{
		"Style": template.CSS(docsStyle), "Document": o, "Operations": order, "Kinds": kinds,
		"Names": strings.Join(tiling.PieceNames(), ", "), "Statuses": access.Statuses,
	}); err != nil {
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

// docsExample is the example of a body, for people.
func docsExample(contentType string, body *huma.MediaType) string {
	raw, isJSON := body.Example.(json.RawMessage)
	switch {
	case !isJSON:
		return strings.TrimRight(fmt.Sprint(body.Example), "\n")
	case contentType == linesType, len(raw) <= lineWidth:
		return string(raw)
	}
	var lines bytes.Buffer
	_ = json.Indent(&lines, raw, "", "  ") // the document's examples are JSON: a test reads them
	return lines.String()
}

// lineWidth is how many bytes an example on one line may have.
const lineWidth = 96

// curlField is the field of the document with the line for curl. Programs that show
// OpenAPI documents know it.
const curlField = "x-codeSamples"

type codeSample struct {
	Lang   string `json:"lang" yaml:"lang"`
	Source string `json:"source" yaml:"source"`
}
