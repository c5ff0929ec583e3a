package worker

import (
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"syscall"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/tiling"
)

var problems = map[job.ErrorKind]struct {
	title  string
	status int
}{
	job.Failure:      {"the work failed", http.StatusInternalServerError},
	job.BadInput:     {"the request is wrong", http.StatusBadRequest},
	job.Limit:        {"a limit was reached", http.StatusUnprocessableEntity},
	job.Disagreement: {"a check disagreed", http.StatusInternalServerError},
	job.Interruption: {"the work was ended before its time", http.StatusServiceUnavailable},
}

// Busy returns the problem of a service without room for more work. The web page checks the title.
func Busy(detail string) *client.Problem {
	return &client.Problem{Title: "the service is busy", Status: http.StatusServiceUnavailable, Detail: detail}
}

// ProblemOf returns the problem for an error, with the place of a mistake in the text of a puzzle.
func ProblemOf(err error) *client.Problem {
	var p *client.Problem
	if errors.As(err, &p) {
		return p
	}
	kind := problems[job.KindOf(err)]
	p = &client.Problem{Title: kind.title, Status: kind.status, Detail: human.OneLine(err.Error())}
	var file *fs.PathError
	switch {
	case errors.Is(err, job.ErrNoTiling), errors.Is(err, job.ErrNoClues):
		p.Title, p.Status = "this cannot be done", http.StatusUnprocessableEntity
	case errors.Is(err, store.ErrFull):
		p.Title, p.Status = "the store is full", http.StatusInsufficientStorage
	case errors.Is(err, syscall.ENOSPC):
		p.Title, p.Status, p.Detail = "the disk is full", http.StatusInsufficientStorage, "no space is left on the disk of the service"
	case errors.As(err, &file): // callers must not see the path of the file
		p.Detail = strings.ReplaceAll(p.Detail, file.Path, "a file of the service")
	}
	var at *tiling.Error
	if errors.As(err, &at) {
		p.Errors = []client.Detail{{Message: human.OneLine(at.Text), Location: "body.puzzle", Line: at.Line, Column: at.Column}}
	}
	var e *job.Error
	if !errors.As(err, &e) {
		return p
	}
	if name, _ := e.Field(); name != "" {
		p.Errors = append(p.Errors, client.Detail{Message: p.Detail, Location: "body.options." + name})
	}
	if e.Cursor != "" {
		p.Errors = append(p.Errors, client.Detail{Message: "to go on after the last tiling that was found, set after to " + e.Cursor, Location: "body.after"})
	}
	return p
}
