package api

import (
	"bytes"
	"context"
	"net/http"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/worker"
)

func (s *service) tiling(ctx context.Context, in *Picture) (http.HandlerFunc, error) {
	var r client.TilingRequest
	puzzle, err := quick(ctx, &r, false)
	if err != nil {
		return nil, err
	}
	if r.Rank == "" {
		return nil, wrong(sentOf(ctx).place("rank"), "the rank is missing, expected a number from 0, first or last")
	}
	c := access.From(ctx)
	kind, err := in.kind(append([]string{jsonType, textType}, drawings...)...)
	if err != nil {
		return nil, err
	}
	var found *worker.Found
	later, err := s.ready(ctx, func() (err error) {
		found, err = s.o.Work.Tiling(ctx, puzzle, r.Conditions, r.Rank, queue.Limits{Memory: c.Memory, Time: c.Time})
		return err
	})
	if later != nil {
		return later, nil
	}
	if err != nil {
		return nil, err
	}
	format := render.FormatOf(formatName(kind))
	if format.NeedsBoard && found.Puzzle.Board == nil {
		return nil, access.NewProblem(http.StatusNotAcceptable, "an exact cover has no board to draw, expected the format %s", jsonType)
	}
	if format.Most == 1 && !isPicture(kind) && len(found.Puzzle.Board.Cells) > maxFileCells {
		return nil, wrong("query.format", "the board has %d cells, and the service writes %s of at most %d: use svg or png, or the command line",
			len(found.Puzzle.Board.Cells), format.Name, maxFileCells)
	}
	options := in.options(kind)
	if err := checkHeights(found.Puzzle, options); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	writer := format.Begin(&out, found.Puzzle, options)
	if err := writer.Add(found.Tiling); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	answer := s.send(newPage(kind, out.Bytes()))
	return func(w http.ResponseWriter, r *http.Request) {
		describe(w.Header(), found.About)
		answer(w, r)
	}, nil
}
