package browser

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

// Journal keeps records after the page is closed.
type Journal interface {
	// Names returns the names of the records of earlier visits.
	Names() []Name
	// Read returns a record, or nil if it cannot be read.
	Read(Name) []byte
	// Keep and Drop return before the change is made. The changes are made in the order of the calls.
	Keep(of Name, record []byte)
	Drop(Name)
}

// Name is the name of a record of a journal.
type Name struct{ Kind, Key string }

// ofJobs is the Kind of records of jobs. The Kind of other records is a store.Kind.
const ofJobs = "job"

// mostEnded is the greatest number of ended jobs that are restored.
const mostEnded = 200

// Restore reads the jobs and the files of a journal. Jobs that were running when the program ended
// are queued again. Restore drops the oldest ended jobs, and files without a job. If the files
// together have more bytes than the parameter most, it drops the files of the oldest jobs.
func Restore(journal Journal, most int64) (*Jobs, *Files) {
	jobs := &Jobs{rows: map[string]*row{}, changes: make(chan struct{}), journal: journal, now: time.Now}
	files := &Files{files: map[Name]*file{}, journal: journal, most: most}
	var rows []*row
	left := map[Name]bool{} // the records to drop
	for _, n := range journal.Names() {
		left[n] = true
		if n.Kind != ofJobs {
			continue
		}
		r := &row{}
		if err := json.Unmarshal(journal.Read(n), &r.Job); err == nil && r.ID == n.Key { // another version of the page may have written the record
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, newestFirst)
	ended := 0
	rows = slices.DeleteFunc(rows, func(r *row) bool {
		if r.State.Ended() {
			ended++
		}
		return r.State.Ended() && ended > mostEnded
	})
	var wanted []Name
	for _, r := range rows {
		if r.State == client.Running {
			r.putBack(queue.Lapsed)
		}
		jobs.rows[r.ID] = r
		delete(left, Name{ofJobs, r.ID})
		for _, k := range store.Kinds() {
			if n := (Name{string(k), r.Key}); left[n] {
				delete(left, n)
				wanted = append(wanted, n)
			}
		}
	}
	for _, n := range slices.Backward(wanted) { // oldest jobs first, so that their files are removed first if room is needed
		if !files.restore(n) {
			left[n] = true
		}
	}
	for n := range left {
		journal.Drop(n)
	}
	return jobs, files
}

func newestFirst(a, b *row) int {
	return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID))
}
