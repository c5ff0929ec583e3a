package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/worker"
)

// jobReply is a job, and where it is.
type jobReply struct {
	Status   int
	Location string `header:"Location" doc:"The path of the job."`
	ETag     string `header:"ETag" doc:"Changes with the job."`
	Cache    string `header:"Cache-Control"`
	Applied  string `header:"Preference-Applied"`
	Body     client.Job
}

// reply is the whole job as an answer.
func (s *service) reply(ctx context.Context, status int, j queue.Job) (*jobReply, error) {
	v, err := s.view(ctx, j)
	return &jobReply{Status: status, Location: jobPath(j.ID), ETag: versionTag(j), Cache: "no-cache", Body: v}, err
}

func versionTag(j queue.Job) string { return `"` + strconv.FormatInt(j.Version, 10) + `"` }

type postJob struct {
	Wait   string `query:"wait" doc:"How long to wait for the end of the job, 0s to 60s." example:"10s"`
	Kind   string `query:"kind" doc:"The kind of work, if the body is the text of a puzzle." example:"count"`
	Prefer string `header:"Prefer" doc:"wait=10 is the same as the parameter wait (RFC 7240)." example:"wait=10"`
}

func (s *service) postJob(ctx context.Context, in *postJob) (*jobReply, error) {
	wait, err := patience(in.Wait, in.Prefer)
	if err != nil {
		return nil, err
	}
	sent := sentOf(ctx)
	r, limits, err := s.submission(sent.body, in.Kind, sent.query)
	if err != nil {
		return nil, err
	}
	j, err := s.submit(ctx, r, limits)
	var p *client.Problem
	if sent.yaml && errors.As(err, &p) && len(p.Errors) > 0 {
		if name, ok := strings.CutPrefix(p.Errors[0].Location, "body.limits."); ok { // limits are in the query
			return nil, wrong("query."+name, "%s", p.Errors[0].Message)
		}
	}
	if err != nil {
		return nil, err
	}
	if j, err = s.await(ctx, j, wait); err != nil {
		return nil, err
	}
	status := http.StatusAccepted
	if j.State.Ended() {
		status = http.StatusOK
	}
	reply, err := s.reply(ctx, status, j)
	if in.Wait == "" && wait > 0 && err == nil {
		reply.Applied = fmt.Sprintf("wait=%.0f", wait.Seconds())
	}
	return reply, err
}

// JobID is the id of a job in a path.
type JobID struct {
	ID string `path:"id" doc:"The id of the job." example:"qgjzihso2b44q47hz6m5k6zye4"`
}

type getJob struct {
	JobID
	Wait    string `query:"wait" doc:"How long to wait for the end of the job, 0s to 60s." example:"10s"`
	Request bool   `query:"request" doc:"Tell also what was asked for, in a form that can be submitted again."`
	Match   string `header:"If-None-Match" doc:"The ETag that you have: the answer is 304 if the job has not changed."`
}

func (s *service) getJob(ctx context.Context, in *getJob) (*jobReply, error) {
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
	if matches(in.Match, versionTag(j)) {
		return &jobReply{Status: http.StatusNotModified, ETag: versionTag(j), Cache: "no-cache"}, nil
	}
	r, err := s.reply(ctx, http.StatusOK, j)
	if err == nil && in.Request {
		var request job.Request
		if request, err = job.Decode(j.Kind, j.Request); err == nil {
			r.Body.Request, err = client.SubmissionOf(request)
		}
	}
	return r, err
}

func (s *service) deleteJob(ctx context.Context, in *JobID) (*jobReply, error) {
	c := access.From(ctx)
	if p := c.Need(access.Run); p != nil {
		return nil, p
	}
	if !isID(in.ID) {
		return nil, queue.ErrAbsent
	}
	j, err := s.o.Jobs.Cancel(ctx, in.ID, c.Sees())
	if err != nil {
		return nil, err
	}
	if !j.State.Ended() {
		return s.reply(ctx, http.StatusAccepted, j)
	}
	return s.reply(ctx, http.StatusOK, j)
}

type listJobs struct {
	State  string `query:"state" doc:"Only jobs in this state: queued, running, done, failed or canceled." example:"running"`
	Kind   string `query:"kind" doc:"Only jobs of this kind." example:"count"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many jobs at most."`
	Cursor string `query:"cursor" doc:"The field next of the page before."`
}

type jobsReply struct {
	Cache string `header:"Cache-Control"`
	Body  client.Jobs
}

func (s *service) listJobs(ctx context.Context, in *listJobs) (*jobsReply, error) {
	state := client.State(in.State)
	switch {
	case in.State != "" && state != client.Queued && state != client.Running && !state.Ended():
		return nil, wrong("query.state", "it is %.40q, want queued, running, done, failed or canceled", in.State)
	case in.Kind != "" && !slices.Contains(kinds, job.Kind(in.Kind)):
		return nil, wrong("query.kind", "it is %.40q, want one of %s", in.Kind, strings.Join(kindNames(), ", "))
	}
	jobs, next, err := s.o.Jobs.List(ctx, queue.Filter{
		Owner: access.From(ctx).Sees(), Kind: job.Kind(in.Kind), State: state,
		Limit: in.Limit, Cursor: in.Cursor,
	})
	if err != nil {
		return nil, err
	}
	reply := &jobsReply{Cache: "no-store", Body: client.Jobs{Jobs: make([]client.Job, len(jobs)), Next: next}}
	for i, j := range jobs {
		if reply.Body.Jobs[i], err = row(j); err != nil {
			return nil, err
		}
	}
	return reply, nil
}

func (s *service) getOutput(ctx context.Context, in *JobID) (http.HandlerFunc, error) {
	j, err := s.find(ctx, in.ID)
	switch {
	case err != nil:
		return nil, err
	case !worker.HasOutput(j.Kind):
		return nil, access.NewProblem(http.StatusNotFound, "a job of the kind %s has no output beside its answer", j.Kind)
	case j.State != client.Done && j.State.Ended():
		return nil, failure(j)
	case j.State != client.Done:
		return nil, access.NewProblem(http.StatusNotFound, "the job is %s, and has its output only when it is done", j.State)
	}
	from, contentType, err := s.o.Work.Output(ctx, j)
	if err != nil {
		return nil, err
	}
	ahead := bufio.NewReaderSize(from, flowBytes)
	if _, err := ahead.Peek(1); err != nil && err != io.EOF { // damage at the beginning can still be a problem
		_ = from.Close() // it was only read
		return nil, err
	}
	return func(w http.ResponseWriter, r *http.Request) {
		defer func() { _ = from.Close() }() // it was only read
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Cache-Control", "private, max-age=86400")
		if r.Method == http.MethodHead {
			return
		}
		if _, err := ahead.WriteTo(w); err != nil {
			s.cut(r.Context(), err)
		}
	}, nil
}
