package api

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/tiling"
)

//go:embed docs.html
var docsSource string

//go:embed docs.css
var docsStyle string

var docsCSP = func() string {
	digest := sha256.Sum256([]byte(docsStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// docsHost is the address of the service on the page /docs. The host of a request replaces it.
const docsHost = "http://localhost:8080"

func docsPage(o *huma.OpenAPI, order []*huma.Operation) []byte {
	page := template.Must(template.New("docs").Funcs(template.FuncMap{
		"options": func(kind string) *huma.Schema { return o.Components.Schemas.Map()[optionsName(kind)] },
	}).Parse(docsSource))
	var out bytes.Buffer
	if err := page.Execute(&out, map[string]any{
		"Style": template.CSS(docsStyle), "Document": o, "Operations": order, "Kinds": kinds,
		"Names": strings.Join(tiling.PieceNames(), ", "), "Statuses": access.Statuses,
	}); err != nil {
		panic(err) // cannot happen: the template fits these values
	}
	return out.Bytes()
}

func docsFor(page []byte, r *http.Request) []byte {
	scheme := "http://"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https://"
	}
	return bytes.ReplaceAll(page, []byte(docsHost), []byte(scheme+template.HTMLEscapeString(cmp.Or(r.Host, "localhost:8080"))))
}

const curlField = "x-codeSamples" // viewers of OpenAPI documents show this field

type codeSample struct {
	Lang   string `json:"lang" yaml:"lang"`
	Source string `json:"source" yaml:"source"`
}
