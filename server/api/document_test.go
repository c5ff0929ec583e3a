package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "write testdata/openapi.json instead of comparing with it")

const golden = "testdata/openapi.json"

// TestDocument: the document of the interface is equal to the copy in testdata. To change it, write the
// copy again, and check that old programs can still use the interface.
func TestDocument(t *testing.T) {
	text := newSite(t, nil).ask(t, "GET", "/openapi.json", "").status(t, 200).text
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != text {
		t.Errorf("the document has changed (%v): go test ./server/api -run TestDocument -update", err)
	}
}

// TestDocumentIsOpenAPI: the document fits the schema of OpenAPI 3.1.
func TestDocumentIsOpenAPI(t *testing.T) {
	text := newSite(t, nil).ask(t, "GET", "/openapi.json", "").text
	document := read(t, []byte(text))
	schema, err := os.ReadFile("testdata/openapi-3.1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi.json", read(t, schema)); err != nil {
		t.Fatal(err)
	}
	fits, err := c.Compile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := fits.Validate(document); err != nil {
		t.Errorf("%#v", err)
	}
	document["info"].(map[string]any)["title"] = 7
	if fits.Validate(document) == nil {
		t.Error("a title that is a number fits too")
	}
}

func read(t *testing.T, text []byte) map[string]any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

// operations returns the operations of the document, by method and path.
func operations(document map[string]any) map[string]map[string]any {
	all := map[string]map[string]any{}
	for path, item := range document["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			all[strings.ToUpper(method)+" "+path] = op.(map[string]any)
		}
	}
	return all
}

// TestOperationsAreExplained: each operation has a description, a line for curl, and examples of its
// bodies that satisfy their schemas.
func TestOperationsAreExplained(t *testing.T) {
	document := read(t, []byte(newSite(t, nil).ask(t, "GET", "/openapi.json", "").text))
	c := jsonschema.NewCompiler()
	if err := c.AddResource("doc.json", document); err != nil {
		t.Fatal(err)
	}
	for name, op := range operations(document) {
		for _, field := range []string{"summary", "description", "operationId", "x-codeSamples"} {
			if op[field] == nil || op[field] == "" {
				t.Errorf("%s has no %s", name, field)
			}
		}
		method, path, _ := strings.Cut(name, " ")
		at := "doc.json#/paths/" + pointer(path) + "/" + strings.ToLower(method)
		if body, ok := op["requestBody"].(map[string]any); ok {
			checkExamples(t, c, at+"/requestBody", body)
		}
		for status, answer := range op["responses"].(map[string]any) {
			if answer.(map[string]any)["description"] == "" {
				t.Errorf("%s has no words for %s", name, status)
			}
			if status < "400" {
				checkExamples(t, c, at+"/responses/"+status, answer.(map[string]any))
			}
		}
	}
}

// pointer escapes a name for a JSON pointer in the fragment of a URL.
func pointer(name string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}

func checkExamples(t *testing.T, c *jsonschema.Compiler, at string, of map[string]any) {
	t.Helper()
	content, _ := of["content"].(map[string]any)
	for name, media := range content {
		example, ok := media.(map[string]any)["example"]
		if !ok {
			t.Errorf("%s has no example as %s", at, name)
			continue
		}
		schema, err := c.Compile(at + "/content/" + pointer(name) + "/schema")
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if err := schema.Validate(example); err != nil {
			t.Errorf("%s: the example as %s: %v", at, name, err)
		}
	}
}

// TestAnswersFit: the answers to the lines for curl satisfy the schemas, and have the fields of the
// examples.
func TestAnswersFit(t *testing.T) {
	s := newSite(t, nil)
	document := read(t, []byte(s.ask(t, "GET", "/openapi.json", "").text))
	c := jsonschema.NewCompiler()
	if err := c.AddResource("doc.json", document); err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct{ method, path, query, body, status string }{
		{"GET", "/v1/count", "?board=8x8&piece=domino=any&distinct=usual", "", "200"},
		{"GET", "/v1/tilings", "?board=2x3&piece=domino=any&rank=1", "", "200"},
		{"POST", "/v1/tilings", "", `{"puzzle":"name:soma","rank":"last","with":["soma-T@0,0,0"]}`, "200"},
		{"GET", "/v1/puzzle", "?puzzle=name:soma", "", "200"},
		{"GET", "/v1/examples", "", "", "200"},
		{"GET", "/v1/version", "", "", "200"},
		{"GET", "/v1/jobs", "", "", "200"},
		{"POST", "/v1/puzzles:check", "", `{"board":"2x3","pieces":["domino=any"]}`, "200"},
		{"POST", "/v1/puzzles:check", "", `{"board":"2x3"}`, "200"},
		{"POST", "/v1/puzzles:estimate", "", `{"board":"2x3","pieces":["domino=any"]}`, "200"},
		{"POST", "/v1/jobs", "?wait=60s", `{"kind":"count","puzzle":"name:soma"}`, "200"},
		{"POST", "/v1/jobs", "", `{"kind":"count","puzzle":"name:soma"}`, "202"},
		{"GET", "/v1/count", "", "", "400"},
	} {
		r := s.ask(t, one.method, one.path+one.query, one.body)
		kind := "application/json"
		if one.status >= "400" {
			kind = "application/problem+json"
		}
		if one.status >= "400" {
			one.status = "default"
		}
		at := "doc.json#/paths/" + pointer(one.path) + "/" + strings.ToLower(one.method) + "/responses/" + one.status
		schema, err := c.Compile(at + "/content/" + pointer(kind) + "/schema")
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal([]byte(r.text), &value); err != nil || schema.Validate(value) != nil {
			t.Errorf("%s %s: %v, %v:\n%s", one.method, one.path, err, schema.Validate(value), r.text)
		}
	}
}

// TestDocsPage: the page for people names each operation, and loads nothing from other sites.
func TestDocsPage(t *testing.T) {
	s := newSite(t, nil)
	page := s.ask(t, "GET", "/docs", "").status(t, 200)
	for name := range operations(read(t, []byte(s.ask(t, "GET", "/openapi.json", "").text))) {
		method, path, _ := strings.Cut(name, " ")
		if !strings.Contains(page.text, ">"+method+"</span> "+path+"</code>") {
			t.Errorf("the page has no %s", name)
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href|action|url)\s*[=(]\s*"?([^"\s>)]*)`).FindAllStringSubmatch(page.text, -1) {
		if m[1] != "/" && !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "/openapi.") {
			t.Errorf("the page refers to %s", m[1])
		}
	}
	if host := strings.TrimPrefix(s.URL, "http://"); !strings.Contains(page.text, "http://"+host+"/v1/") || strings.Contains(page.text, "localhost:8080") {
		t.Error("the examples are not for the service by which the page was asked for")
	}
	for _, want := range []string{"domino", "pentominoes", "copies:", ">507<", "Needed. The number of the tiling", "100 if it is not given", "Answer 202 as"} {
		if !strings.Contains(page.text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(page.text, "<script") || !strings.Contains(page.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Error("the page may run scripts")
	}
	s.ask(t, "GET", "/openapi.yaml", "").status(t, 200)
}
