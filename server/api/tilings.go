package api

import (
	"bytes"
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/worker"
)

type getTiling struct {
	PuzzleQuery
	Picture
	Rank string `query:"rank" required:"true" doc:"The number of the tiling, from 0 to the count minus one, or first, or last. With conditions it is the number among the tilings that keep them." example:"12"`
	ConditionQuery
}

// getTiling answers with one tiling, which the request names by its rank.
func (s *service) getTiling(ctx context.Context, in *getTiling) (*stream, error) {
	p, err := in.puzzle()
	if err != nil {
		return nil, err
	}
	return s.tiling(ctx, p, in.conditions(), in.Rank, &in.Picture, "query")
}

type postTiling struct {
	Picture
	RankQuery
}

// RankQuery goes with the text of a puzzle.
type RankQuery struct {
	Rank string `query:"rank" doc:"With the text of a puzzle: the number of the tiling, from 0 to the count minus one, or first, or last." example:"12"`
	ConditionQuery
}

// postTiling reads a TilingRequest as JSON, or the text of a puzzle with the rest in the query.
func (s *service) postTiling(ctx context.Context, in *postTiling) (*stream, error) {
	var sent client.TilingRequest
	p, isText, err := sentPuzzle(ctx, &sent, &sent.Puzzle, in.RankQuery, "rank and conditions")
	if err != nil {
		return nil, err
	}
	if isText {
		return s.tiling(ctx, p, in.conditions(), in.Rank, &in.Picture, "query")
	}
	return s.tiling(ctx, p, sent.Conditions, sent.Rank, &in.Picture, "body")
}

// tiling answers with the tiling of that rank; where is the part of the request that has the rank
// and the conditions.
func (s *service) tiling(ctx context.Context, p job.Puzzle, given job.Conditions, rank string, o *Picture, where string) (*stream, error) {
	c := access.From(ctx)
	if p := c.Need(access.Run); p != nil {
		return nil, p
	}
	kind, err := o.kind(jsonType, textType, pictureType, pixelsType, texType, stlType, gltfType)
	if err != nil {
		return nil, err
	}
	var found *worker.Found
	later, err := s.ready(ctx, func() (err error) {
		found, err = s.o.Work.Tiling(ctx, p, given, rank, queue.Limits{Memory: c.Memory, Time: c.Time})
		return err
	})
	if later != nil {
		return later, nil
	}
	if err != nil {
		if p := aboutField(where, err); p != nil {
			return nil, p
		}
		return nil, err
	}
	text, err := written(found, kind, o)
	if err != nil {
		return nil, err
	}
	answer := s.send(newPage(kind, text))
	return &stream{func(c huma.Context) {
		_, w := humago.Unwrap(c)
		describe(w.Header(), found.About)
		answer.Body(c)
	}}, nil
}

// written is a tiling in a format.
func written(found *worker.Found, kind string, o *Picture) ([]byte, error) {
	format := render.FormatOf(formatName(kind))
	if format.NeedsBoard && found.Puzzle.Board == nil {
		return nil, access.NewProblem(http.StatusNotAcceptable, "a cover has no board to be drawn, want %s", jsonType)
	}
	if slices.Contains([]string{texType, stlType, gltfType}, kind) && len(found.Puzzle.Board.Cells) > maxFileCells {
		return nil, wrong("query.format", "the board has %d cells, and the service writes %s of at most %d: want svg or png, or the command line",
			len(found.Puzzle.Board.Cells), format.Name, maxFileCells)
	}
	options := o.options(kind)
	if err := checkHeights(found.Puzzle, options); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	writer := format.Begin(&out, found.Puzzle, options)
	if err := writer.Add(found.Tiling); err != nil {
		return nil, err
	}
	return out.Bytes(), writer.Close()
}
