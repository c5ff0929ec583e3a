package browser

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

// Journal keeps records beyond the life of the page. Its methods return at once.
type Journal interface {
	Keep(kind, key string, record []byte)
	Drop(kind, key string)
}

// Record is a record that a journal has kept.
type Record struct {
	Kind, Key string
	Bytes     []byte
}

// ofJobs is the kind of the records of jobs. The others are kinds of package store.
const ofJobs = "job"

// MostEnded is how many ended jobs are restored.
const MostEnded = 200

// Restore makes the jobs and the files of the records of a journal. Jobs that were running are queued.
// It drops the oldest ended jobs, and the files that no job has.
func Restore(records []Record, journal Journal) (*Jobs, *Files) {
	jobs := &Jobs{rows: map[string]*row{}, changes: make(chan struct{}), journal: journal, now: time.Now}
	files := &Files{files: map[name][]byte{}, journal: journal}
	var rows []*row
	for _, r := range records {
		if r.Kind != ofJobs {
			continue
		}
		of := &row{}
		if err := json.Unmarshal(r.Bytes, &of.Job); err != nil || of.ID != r.Key {
			journal.Drop(r.Kind, r.Key) // of another version of the page
			continue
		}
		if of.State == client.Running {
			of.State, of.Progress = client.Queued, nil
		}
		rows = append(rows, of)
	}
	slices.SortFunc(rows, newestFirst)
	ended, keys := 0, map[string]bool{}
	for _, r := range rows {
		if r.State.Ended() {
			ended++
		}
		if r.State.Ended() && ended > MostEnded {
			journal.Drop(ofJobs, r.ID)
			continue
		}
		jobs.rows[r.ID] = r
		keys[r.Key] = true
	}
	for _, r := range records {
		key, err := store.ParseKey(r.Key)
		switch {
		case r.Kind == ofJobs:
		case err != nil || !keys[r.Key]:
			journal.Drop(r.Kind, r.Key)
		default:
			files.files[name{store.Kind(r.Kind), key}] = r.Bytes
		}
	}
	return jobs, files
}

func newestFirst(a, b *row) int {
	if c := b.Created.Compare(a.Created); c != 0 {
		return c
	}
	if a.ID < b.ID {
		return 1
	}
	return -1
}

// keep writes a job to the journal.
func (j *Jobs) keep(of queue.Job) {
	if text, err := json.Marshal(of); err == nil { // a job is made of values that JSON has
		j.journal.Keep(ofJobs, of.ID, text)
	}
}
