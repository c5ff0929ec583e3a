package api

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/worker"
	"github.com/pavage/pavage/tiling"
)

type getPuzzle struct {
	Picture
	Draw string `query:"draw" doc:"For a picture: board draws only the board, the name of a piece only that piece." example:"domino"`
}

func (s *service) getPuzzle(ctx context.Context, in *getPuzzle) (http.HandlerFunc, error) {
	puzzle, err := queryPuzzle(sentOf(ctx).query)
	if err != nil {
		return nil, err
	}
	switch kind, err := in.kind(jsonType, pictureType, pixelsType); {
	case err != nil:
		return nil, err
	case isPicture(kind):
		var out bytes.Buffer
		err := s.o.Work.Look(ctx, puzzle, func(p *tiling.Puzzle) error {
			o := in.options(kind).Picture
			o.Heights = false // only tilings have heights
			switch i := slices.IndexFunc(p.Pieces, func(piece tiling.Piece) bool { return piece.Name == in.Draw }); {
			case i >= 0:
				return render.Piece(&out, p, i, o)
			case in.Draw == "board":
				return render.Picture(&out, p, nil, o)
			case in.Draw == "":
				return render.Overview(&out, p, o)
			}
			return wrong("query.draw", "the puzzle has no piece %.40q, expected board or a piece's name", in.Draw)
		})
		if err != nil {
			return nil, err
		}
		return s.send(newPage(kind, out.Bytes())), nil
	}
	answer, later, err := s.soon(ctx, &job.Show{Puzzle: puzzle})
	if answer == nil {
		return later, err
	}
	return s.send(newPage(jsonType, line(answer))), nil
}

func (s *service) checkPuzzle(ctx context.Context, _ *struct{}) (http.HandlerFunc, error) {
	var r job.Show
	var err error
	if r.Puzzle, err = quick(ctx, &r, true); err != nil {
		return nil, err
	}
	answer, later, err := s.soon(ctx, &r)
	var checked client.Checked
	switch {
	case err != nil:
		p := explain(ctx, err)
		if p.Status != http.StatusBadRequest {
			return nil, p
		}
		if checked.Errors = p.Errors; len(p.Errors) == 0 {
			checked.Errors = []client.Detail{{Message: p.Detail, Location: sentOf(ctx).puzzleAt}}
		}
	case later != nil:
		return nil, worker.Busy("a job is still checking the puzzle: try again in a few seconds")
	default:
		checked.OK, checked.Puzzle = true, new(job.Shown)
		if err := json.Unmarshal(answer, checked.Puzzle); err != nil {
			return nil, err
		}
	}
	return answerJSON(http.StatusOK, checked), nil
}

func (s *service) estimatePuzzle(ctx context.Context, _ *struct{}) (http.HandlerFunc, error) {
	r := &job.Estimate{}
	if err := s.ask(ctx, r, true); err != nil {
		return nil, err
	}
	return s.answer(ctx, r) // caches must not keep the answer, which depends on the load of the machine
}

func (s *service) clues(ctx context.Context, _ *struct{}) (http.HandlerFunc, error) {
	r := &job.Clues{Number: 1}
	if err := s.ask(ctx, r, false); err != nil {
		return nil, err
	}
	if r.Seed == nil { // a random seed, so that callers get different puzzles
		r.Seed = new(job.Whole(rand.Uint64()))
	}
	return s.answer(ctx, r)
}

func (s *service) answer(ctx context.Context, r job.Request) (http.HandlerFunc, error) {
	answer, later, err := s.soon(ctx, r)
	if answer == nil {
		return later, err
	}
	return answerJSON(http.StatusOK, json.RawMessage(answer)), nil
}
