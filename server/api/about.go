package api

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
)

func (s *service) getVersion(context.Context, *struct{}) (http.HandlerFunc, error) {
	return answerJSON(http.StatusOK, client.Version{Version: s.o.Version, API: "v1"}, "Cache-Control", "no-cache"), nil
}

type listExamples struct {
	Word string `query:"word" doc:"Only examples that have this word in their name or title." example:"pentominoes"`
}

func (s *service) listExamples(ctx context.Context, in *listExamples) (http.HandlerFunc, error) {
	bundled, err := job.Run(ctx, &job.Examples{Word: in.Word}, job.Limits{}, job.Watch{})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(bundled)
	if err != nil {
		return nil, err
	}
	return s.send(newPage(jsonType, append(text, '\n'))), nil
}

type getExample struct {
	Name string `path:"name" doc:"The name of the example." example:"soma"`
}

func (s *service) getExample(_ context.Context, in *getExample) (http.HandlerFunc, error) {
	text, err := examples.Open(in.Name)
	if err != nil {
		return nil, access.NewProblem(http.StatusNotFound, "%s", err)
	}
	if !examples.IsPuzzleFile(in.Name) {
		return s.send(newPage(textType, text)), nil
	}
	return s.send(newPage(yamlTypes[0], text)), nil
}

// about registers the documents and the web page. Documents are made at the first request.
func (s *service) about() {
	written := sync.OnceValue(s.written)
	for _, path := range []string{"/openapi.json", "/openapi.yaml"} {
		s.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { s.send(written()[path])(w, r) })
	}
	human := sync.OnceValue(func() []byte { return docsPage(s.document, s.order) })
	s.mux.HandleFunc("GET /docs", func(w http.ResponseWriter, r *http.Request) {
		p := newPage("text/html; charset=utf-8", docsFor(human(), r))
		p.fresh = true
		w.Header().Set("Content-Security-Policy", docsCSP)
		s.send(p)(w, r)
	})
	// These files need no token: they have no data of any caller.
	for _, pattern := range []string{"GET /{$}", "GET /assets/{name}", "GET /icon.svg"} {
		s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if !s.o.Page.Serve(w, r) {
				access.WriteProblem(w, nothingHere())
			}
		})
	}
}

func (s *service) written() map[string]page {
	text, err := json.MarshalIndent(s.document, "", "  ")
	if err != nil {
		panic(err) // cannot happen: the document can be encoded
	}
	yaml, err := s.document.YAML()
	if err != nil {
		panic(err)
	}
	pages := map[string]page{
		"/openapi.json": newPage("application/vnd.oai.openapi+json;version=3.1", append(text, '\n')),
		"/openapi.yaml": newPage("application/vnd.oai.openapi+yaml;version=3.1", yaml),
	}
	for path, p := range pages {
		p.fresh = true
		pages[path] = p
	}
	return pages
}
