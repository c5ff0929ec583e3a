package api

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/worker"
)

func jobAnswer(status int, v client.Job, applied string) http.HandlerFunc {
	return answerJSON(status, v, "Location", v.URL, "ETag", versionTag(v.Version), "Cache-Control", "no-cache", "Preference-Applied", applied)
}

func (s *service) changed(ctx context.Context, j queue.Job, applied string) (http.HandlerFunc, error) {
	status := http.StatusAccepted
	if j.State.Ended() {
		status = http.StatusOK
	}
	v, err := s.view(ctx, j)
	return jobAnswer(status, v, applied), err
}

func versionTag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

type postJob struct {
	Wait   string `query:"wait" doc:"How long to wait for the end of the job, 0s to 60s." example:"10s"`
	Kind   string `query:"kind" doc:"The kind of work, if the body is the text of a puzzle." example:"count"`
	Prefer string `header:"Prefer" doc:"wait=10 means the same as the parameter wait=10s (RFC 7240)." example:"wait=10"`
}

func (s *service) postJob(ctx context.Context, in *postJob) (http.HandlerFunc, error) {
	wait, err := patience(in.Wait, in.Prefer)
	if err != nil {
		return nil, err
	}
	r, limits, err := s.submission(ctx, in.Kind)
	if err != nil {
		return nil, err
	}
	j, err := s.submit(ctx, r, limits)
	if err != nil {
		return nil, err
	}
	if j, err = s.await(ctx, j, wait); err != nil {
		return nil, err
	}
	applied := ""
	if in.Wait == "" && wait > 0 {
		applied = fmt.Sprintf("wait=%.0f", wait.Seconds())
	}
	return s.changed(ctx, j, applied)
}

// JobID is the id of a job in a path.
type JobID struct {
	ID string `path:"id" doc:"The id of the job." example:"qgjzihso2b44q47hz6m5k6zye4"`
}

type getJob struct {
	JobID
	Wait    string `query:"wait" doc:"How long to wait for the end of the job, 0s to 60s." example:"10s"`
	Request bool   `query:"request" doc:"Return also the request, in a form that can be submitted again."`
	Match   string `header:"If-None-Match" doc:"The ETag that you have: the answer is 304 if the job has not changed."`
}

func (s *service) getJob(ctx context.Context, in *getJob) (http.HandlerFunc, error) {
	wait, err := patience(in.Wait, "")
	if err != nil {
		return nil, err
	}
	j, err := s.find(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if j, err = s.await(ctx, j, wait); err != nil {
		return nil, err
	}
	if tag := versionTag(j.Version); matches(in.Match, tag) {
		return answerJSON(http.StatusNotModified, nil, "ETag", tag, "Cache-Control", "no-cache"), nil
	}
	v, err := s.view(ctx, j)
	if err != nil {
		return nil, err
	}
	if in.Request {
		request, err := job.Decode(j.Kind, j.Request)
		if err != nil {
			return nil, err
		}
		if v.Request, err = client.SubmissionOf(request); err != nil {
			return nil, err
		}
	}
	return jobAnswer(http.StatusOK, v, ""), nil
}

func (s *service) deleteJob(ctx context.Context, in *JobID) (http.HandlerFunc, error) {
	if _, err := s.find(ctx, in.ID); err != nil {
		return nil, err
	}
	j, err := s.o.Jobs.Cancel(ctx, in.ID, access.From(ctx).Sees())
	if err != nil {
		return nil, err
	}
	return s.changed(ctx, j, "")
}

type listJobs struct {
	State  string `query:"state" enum:"queued,running,done,failed,canceled" doc:"Only jobs in this state: queued, running, done, failed or canceled." example:"running"`
	Kind   string `query:"kind" doc:"Only jobs of this kind." example:"count"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many jobs at most."`
	Cursor string `query:"cursor" doc:"The field next of the previous page."`
}

func (s *service) listJobs(ctx context.Context, in *listJobs) (http.HandlerFunc, error) {
	if in.Kind != "" && !slices.Contains(kinds, in.Kind) {
		return nil, wrong("query.kind", "the value is %.40q, expected %s", in.Kind, wording.List(kinds))
	}
	jobs, next, err := s.o.Jobs.List(ctx, queue.Filter{
		Owner: access.From(ctx).Sees(), Kind: job.Kind(in.Kind), State: client.State(in.State),
		Limit: cmp.Or(in.Limit, 100), Cursor: in.Cursor,
	})
	if err != nil {
		return nil, err
	}
	page := client.Jobs{Jobs: make([]client.Job, len(jobs)), Next: next}
	for i, j := range jobs {
		if page.Jobs[i], err = row(j); err != nil {
			return nil, err
		}
	}
	return answerJSON(http.StatusOK, page), nil
}

func (s *service) getOutput(ctx context.Context, in *JobID) (http.HandlerFunc, error) {
	j, err := s.find(ctx, in.ID)
	switch {
	case err != nil:
		return nil, err
	case !worker.HasOutput(j.Kind):
		return nil, access.NewProblem(http.StatusNotFound, "a job of the kind %s has no output besides its answer", j.Kind)
	case j.State != client.Done && j.State.Ended():
		return nil, failure(j)
	case j.State != client.Done:
		return nil, access.NewProblem(http.StatusNotFound, "the job is %s, but only a job that is done has an output", j.State)
	}
	from, contentType, err := s.o.Work.Output(ctx, j)
	if err != nil {
		return nil, err
	}
	ahead := bufio.NewReaderSize(from, flowBytes)
	if _, err := ahead.Peek(1); err != nil && err != io.EOF { // nothing was sent, so the answer can still be a problem
		_ = from.Close() // the file was only read
		return nil, err
	}
	return func(w http.ResponseWriter, r *http.Request) {
		defer func() { _ = from.Close() }() // the file was only read
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Cache-Control", "private, max-age=86400")
		if r.Method == http.MethodHead {
			return
		}
		if _, err := ahead.WriteTo(w); err != nil {
			cut(r.Context(), err)
		}
	}, nil
}
