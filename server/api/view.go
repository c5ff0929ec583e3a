package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/worker"
)

func jobPath(id string) string { return "/v1/jobs/" + id }

func row(j queue.Job) (client.Job, error) {
	v := client.Job{
		ID: j.ID, URL: jobPath(j.ID), Kind: j.Kind, State: j.State, Created: j.Created,
		Started: j.Started, Ended: j.Ended,
		Version: j.Version, Attempts: j.Attempts,
	}
	if j.State == client.Done && worker.HasOutput(j.Kind) {
		v.Output = jobPath(j.ID) + "/output"
	}
	if j.State.Ended() { // nobody needs the progress of a job that has ended
		return v, optional(j.Failure, &v.Error)
	}
	return v, optional(j.Progress, &v.Progress)
}

func (s *service) view(ctx context.Context, j queue.Job) (client.Job, error) {
	v, err := row(j)
	if err != nil {
		return v, err
	}
	if err := optional(j.Plan, &v.Plan); err != nil || j.State != client.Done {
		return v, err
	}
	v.Answer, err = s.o.Work.Answer(ctx, j)
	return v, err
}

func optional[T any](raw json.RawMessage, into **T) error {
	if len(raw) == 0 {
		return nil
	}
	return json.Unmarshal(raw, into)
}

func failure(j queue.Job) error {
	var p *client.Problem
	if err := optional(j.Failure, &p); err != nil {
		return err
	}
	switch {
	case j.State == client.Canceled:
		return access.NewProblem(http.StatusConflict, "the job %s was canceled", j.ID)
	case p == nil || p.Status < 400:
		return access.NewProblem(http.StatusInternalServerError, "the job %s failed", j.ID)
	}
	return p
}

func (s *service) await(ctx context.Context, j queue.Job, patience time.Duration) (queue.Job, error) {
	if patience <= 0 {
		return j, nil
	}
	waiting, cancel := s.untilStop(ctx, patience)
	defer cancel()
	for !j.State.Ended() {
		next, err := s.o.Jobs.Watch(waiting, j.ID, j.Version)
		switch {
		case waiting.Err() != nil:
			return j, ctx.Err()
		case err != nil:
			return j, err
		}
		j = next
	}
	return j, nil
}

func (s *service) untilStop(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, d)
	forget := context.AfterFunc(s.o.Stop, cancel)
	return ctx, func() {
		forget()
		cancel()
	}
}

// find returns a job that the caller may see. It does not look up texts that cannot be ids.
func (s *service) find(ctx context.Context, id string) (queue.Job, error) {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
	if id == "" || len(id) > 64 || strings.Trim(id, letters) != "" {
		return queue.Job{}, queue.ErrAbsent
	}
	return s.o.Jobs.Get(ctx, id, access.From(ctx).Sees())
}
