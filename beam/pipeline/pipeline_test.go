package pipeline

import (
	"os"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/job"
)

func TestMain(m *testing.M) {
	log.LogLevel = "error"
	beam.Init()
	os.Exit(m.Run())
}

// TestFirst is a try.
func TestFirst(t *testing.T) {
	r := &job.Count{Puzzle: job.Puzzle{Board: "10x10", Pieces: []string{"tetrominoes=any"}}}
	p, err := r.Prepare(t.Context(), job.Limits{}, job.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	where := t.TempDir()
	s, err := store.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	run, err := band.Create(t.Context(), s, p.Problem, band.Options{Tasks: 16, Band: 10})
	if err != nil {
		t.Fatal(err)
	}
	d := &Driver{Engine: "prism", Store: s, Where: where, Run: run, Level: func(l *band.Level) { t.Log(l.At, l.States, l.Stage.Tasks, l.Stage.Seconds) }}
	a, err := d.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Stages {
		t.Logf("%+v", s)
	}
	t.Log(a.Count)
}
