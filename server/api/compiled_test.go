package api_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// TestDerivedFile: a derived family is refused at its place, and the answer has the conditions of a file.
func TestDerivedFile(t *testing.T) {
	s, folder := newSite(t, nil), t.TempDir()
	compiled := func(name string, r *job.Compile) (data []byte, as job.Puzzle) {
		var out bytes.Buffer
		_, err := job.Do(t.Context(), r, job.Limits{}, job.Watch{Output: &out})
		path := filepath.Join(folder, name)
		if err == nil {
			err = os.WriteFile(path, out.Bytes(), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if as, err = job.ReadPuzzle(path, f); err != nil {
			t.Fatal(err)
		}
		return out.Bytes(), as
	}
	p := job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
	some, b := compiled("b.pavage", &job.Compile{Puzzle: p, Conditions: job.Conditions{With: []string{"0,0=domino:2"}}})
	rest, _ := compiled("c.pavage", &job.Compile{Puzzle: p, Operations: []job.Operation{{Do: "minus", With: b}}})
	body := func(data []byte) string {
		text, _ := json.Marshal(map[string]any{"kind": "count", "puzzle": map[string]any{"data": data}})
		return string(text)
	}
	refused := decode[client.Problem](t, s.ask(t, "POST", "/v1/jobs?wait=60s", body(rest)).status(t, 400))
	if len(refused.Errors) != 1 || refused.Errors[0].Location != "body.puzzle.data" {
		t.Errorf("%+v", refused)
	}
	done := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs?wait=60s", body(some)).status(t, 200))
	counted, err := client.AnswerOf[job.Counted](&done)
	if err != nil || counted.Count != "2" || counted.Conditions == nil || len(counted.Conditions.With) != 1 {
		t.Errorf("%+v, %v", counted, err)
	}
}
