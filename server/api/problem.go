package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/server/worker"
)

func wrong(location, format string, args ...any) *client.Problem {
	location = human.OneLine(location) // the caller may have sent any characters in a name
	p := access.NewProblem(http.StatusBadRequest, format, args...)
	p.Errors = []client.Detail{{Message: p.Detail, Location: location}}
	p.Detail = location + ": " + p.Detail
	return p
}

func explain(ctx context.Context, err error) *client.Problem {
	return withPlus(ctx, problemOf(ctx, err))
}

// problemOf returns the problem for an error. An unknown error is a fault of the service: it is
// logged and not described.
func problemOf(ctx context.Context, err error) *client.Problem {
	var p *client.Problem
	var many *queue.TooMany
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, queue.ErrAbsent):
		return access.NewProblem(http.StatusNotFound, "there is no such job")
	case errors.As(err, &many):
		return access.NewProblem(http.StatusTooManyRequests, "%d of your jobs wait or run, but at most %d jobs of this token may wait or run at once", many.Active, many.Most)
	case errors.Is(err, queue.ErrCursor):
		return wrong("query.cursor", "this cursor is not from this list, expected the field next of the previous page")
	case queue.IsAway(err), errors.Is(err, store.ErrGone):
		zerolog.Ctx(ctx).Error().Err(err).Msg("the database or the data folder cannot be used")
		return access.NewProblem(http.StatusServiceUnavailable, "the database or the data folder of the service cannot be used: try again in a few seconds")
	case errors.Is(err, queue.ErrStopping), errors.Is(err, context.Canceled):
		return access.NewProblem(http.StatusServiceUnavailable, "the service is shutting down: try again in a few seconds")
	}
	in := sentOf(ctx)
	var e *job.Error
	if errors.As(err, &e) && e.Kind == job.BadInput {
		if name, text := e.Field(); name != "" {
			where := in.place(name)
			if slices.Contains(puzzleFields, name) {
				where = strings.Replace(where, "body.options", "body.puzzle", 1)
			}
			return wrong(where, "%s", human.OneLine(text))
		}
	}
	p = worker.ProblemOf(err)
	if p.Status == http.StatusInternalServerError && job.KindOf(err) == job.Failure {
		zerolog.Ctx(ctx).Error().Err(err).Msg("a request failed")
		p = access.NewProblem(p.Status, "the service failed, and its log has the error")
	}
	return in.placed(p)
}

func (in *sent) placed(p *client.Problem) *client.Problem {
	also := *p
	also.Errors = slices.Clone(p.Errors)
	for i, e := range also.Errors {
		if e.Location == "body.puzzle" {
			also.Errors[i].Location = in.puzzleAt
		} else if name, ok := strings.CutPrefix(e.Location, "body.options."); ok {
			also.Errors[i].Location = in.place(name)
		}
	}
	return &also
}
