//go:build !js

package queue

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

const (
	pageDefault = 100
	pageMost    = 1000
)

// List returns a page of jobs, the newest first. It omits Request and Plan. The string next is the
// cursor of the next page, or "" if there is none. A job that matches f from the first call to the
// last call is on exactly one page.
func (q *Queue) List(ctx context.Context, f Filter) (jobs []Job, next string, err error) {
	if f.Limit == 0 {
		f.Limit = pageDefault
	}
	if f.Limit < 1 || f.Limit > pageMost {
		return nil, "", fmt.Errorf("the size of a page is %d jobs, expected 1 to %d jobs", f.Limit, pageMost)
	}
	text, args, err := f.query()
	if err != nil {
		return nil, "", err
	}
	err = q.db.ask(ctx, func(s scanner) error {
		r, err := scanRow(s)
		jobs = append(jobs, r.Job)
		return err
	}, text, args...)
	if len(jobs) > f.Limit {
		jobs = jobs[:f.Limit]
		last := jobs[f.Limit-1]
		next = fmt.Sprintf("%d-%s", last.Created.UnixMicro(), last.ID)
	}
	return jobs, next, err
}

// query allows one row more than a page has. The additional row shows that there is another page.
func (f Filter) query() (text string, args []any, err error) {
	text = "SELECT " + briefly + " FROM pavage_job WHERE 1 = 1"
	where := func(condition string, value any) {
		args = append(args, value)
		text += fmt.Sprintf(" AND "+condition+" $%d", len(args))
	}
	if f.Owner != "" {
		where("owner =", f.Owner)
	}
	if f.Kind != "" {
		where("kind =", string(f.Kind))
	}
	if f.State != "" {
		where("state =", string(f.State))
	}
	if f.Cursor != "" {
		micros, id, _ := strings.Cut(f.Cursor, "-") // time and id of the last job of the previous page
		created, err := strconv.ParseInt(micros, 10, 64)
		if err != nil || !isID(id) {
			return "", nil, ErrCursor
		}
		args = append(args, created, id)
		text += fmt.Sprintf(" AND (created, id) < ($%d, $%d)", len(args)-1, len(args))
	}
	args = append(args, int64(f.Limit+1))
	return text + fmt.Sprintf(" ORDER BY created DESC, id DESC LIMIT $%d", len(args)), args, nil
}

// Stats counts the jobs. It reads an index of all jobs, which takes 10 ms for 100,000 jobs.
func (q *Queue) Stats(ctx context.Context) (Stats, error) {
	s := Stats{Jobs: map[job.Kind]map[client.State]int{}, Oldest: map[Lane]time.Duration{}}
	err := q.db.ask(ctx, func(from scanner) error {
		var kind job.Kind
		var state client.State
		var n int
		if err := from.Scan(&kind, &state, &n); err != nil {
			return err
		}
		if s.Jobs[kind] == nil {
			s.Jobs[kind] = map[client.State]int{}
		}
		s.Jobs[kind][state] = n
		return nil
	}, "SELECT kind, state, count(*) FROM pavage_job GROUP BY kind, state")
	for _, l := range []Lane{Short, Long} {
		if err != nil {
			break
		}
		var age int64
		err = askOne(ctx, q.db, into(&age),
			"SELECT coalesce({now} - min(created), 0) FROM pavage_job WHERE state = 'queued' AND lane = $1", string(l))
		s.Oldest[l] = max(0, time.Duration(age)*time.Microsecond)
	}
	return s, err
}
