package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/server/worker"
)

// problem is a [client.Problem] that huma can write as an error.
type problem client.Problem

func (p *problem) Error() string { return p.Detail }

// GetStatus implements [huma.StatusError].
func (p *problem) GetStatus() int { return p.Status }

// ContentType implements [huma.ContentTypeFilter].
func (p *problem) ContentType(string) string { return access.ProblemType }

// The errors of huma itself, such as a parameter that is not a number, become problems
// of ours: with status 400 for all mistakes in a request.
func init() { //nolint:gochecknoinits // huma has one such function for a process
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		if status == http.StatusUnprocessableEntity {
			status = http.StatusBadRequest
		}
		p := access.NewProblem(status, "%s", message)
		for _, err := range errs {
			detail := client.Detail{Message: err.Error()}
			if d := huma.ErrorDetailer(nil); errors.As(err, &d) {
				found := d.ErrorDetail()
				detail = client.Detail{Message: plain(found), Location: found.Location}
			}
			p.Errors = append(p.Errors, detail)
		}
		if len(p.Errors) > 0 {
			p.Detail = strings.TrimPrefix(p.Errors[0].Location+": "+p.Errors[0].Message, ": ")
		}
		return (*problem)(p)
	}
}

// plain says in our words what huma has found.
func plain(d *huma.ErrorDetail) string {
	it := fmt.Sprintf("it is %.40q, want ", fmt.Sprint(d.Value))
	if least, ok := strings.CutPrefix(d.Message, "expected number >= "); ok {
		return it + least + " or more"
	}
	if most, ok := strings.CutPrefix(d.Message, "expected number <= "); ok {
		return it + most + " or less"
	}
	switch d.Message {
	case "invalid boolean":
		return it + "true or false"
	case "invalid integer":
		return it + "a whole number"
	case "required query parameter is missing":
		return "this parameter is needed"
	}
	return d.Message
}

// wrong is the problem about a mistake in a request, at a place such as query.wait.
func wrong(location, format string, args ...any) *client.Problem {
	location = human.OneLine(location) // names in it may be anything
	p := access.NewProblem(http.StatusBadRequest, format, args...)
	p.Errors = []client.Detail{{Message: p.Detail, Location: location}}
	p.Detail = location + ": " + p.Detail
	return p
}

// explain makes a problem of any error; no other function does. An error that is not
// known here is a fault of the service: it is logged, and the problem does not describe
// it.
func (s *service) explain(ctx context.Context, err error) *client.Problem {
	var p *client.Problem
	var q *problem
	var many *queue.TooMany
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &q):
		return (*client.Problem)(q)
	case errors.Is(err, queue.ErrAbsent):
		return access.NewProblem(http.StatusNotFound, "there is no such job")
	case errors.As(err, &many):
		return access.NewProblem(http.StatusTooManyRequests, "%d of your jobs have not ended, and this token may have %d at once", many.Active, many.Most)
	case errors.Is(err, queue.ErrCursor):
		return wrong("query.cursor", "this is not a cursor of this list, want the field next of the page before")
	case errors.Is(err, job.ErrNoTiling):
		return access.NewProblem(http.StatusUnprocessableEntity, "%s", human.OneLine(err.Error()))
	case queue.IsAway(err), errors.Is(err, store.ErrGone):
		s.log(ctx).Error().Err(err).Msg("the database or the data folder cannot be used")
		return access.NewProblem(http.StatusServiceUnavailable, "the database or the data folder of the service cannot be used: try again in a few seconds")
	case errors.Is(err, queue.ErrStopping), errors.Is(err, context.Canceled):
		return access.NewProblem(http.StatusServiceUnavailable, "the service is shutting down: try again in a few seconds")
	}
	where := "query" // of the fields of a request of package job
	if b := sentOf(ctx).body; b.text != nil && !b.yaml {
		where = "body.options"
	}
	if p := aboutField(where, err); p != nil {
		return p
	}
	p = worker.ProblemOf(err)
	if p.Status == http.StatusInternalServerError && job.KindOf(err) == job.Failure {
		s.log(ctx).Error().Err(err).Msg("a request failed")
		p = access.NewProblem(p.Status, "something is wrong with the service, and its log says what")
	}
	return placed(p, puzzlePlace(ctx))
}

// puzzlePlace is the place of the puzzle in a request.
func puzzlePlace(ctx context.Context) string {
	switch b := sentOf(ctx).body; {
	case b.text == nil:
		return "query"
	case b.yaml:
		return "body"
	}
	return "body.puzzle"
}

// placed adds to a problem of package tiling the part of the request that it is about.
func placed(p *client.Problem, location string) *client.Problem {
	placed := *p
	placed.Errors = slices.Clone(p.Errors)
	for i, e := range placed.Errors {
		if e.Location == "body.puzzle" {
			placed.Errors[i].Location = location
		}
	}
	return &placed
}

// headersOf are the headers that go with a problem. ServeHTTP sets the header that
// forbids caches to keep it.
func headersOf(p *client.Problem) http.Header {
	h := http.Header{}
	if p.Status == http.StatusServiceUnavailable || p.Status == http.StatusTooManyRequests {
		h.Set("Retry-After", "5")
	}
	return h
}

// fail is the answer of an operation that failed, as huma takes it.
func (s *service) fail(ctx context.Context, err error) error {
	p := withPlus(ctx, s.explain(ctx, err))
	return huma.ErrorWithHeaders((*problem)(p), headersOf(p))
}

// refuse answers with a problem, without huma.
func refuse(w http.ResponseWriter, p *client.Problem) {
	for name, values := range headersOf(p) {
		w.Header()[name] = values
	}
	access.WriteProblem(w, p)
}
