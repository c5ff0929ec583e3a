package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/pavage/pavage/job"
)

type getCount struct {
	Format string `query:"format" doc:"json, or text for only the number: for links, in place of the header Accept." example:"text"`
	Accept string `header:"Accept" doc:"application/json, or text/plain for only the number." example:"application/json"`
}

func (s *service) getCount(ctx context.Context, in *getCount) (http.HandlerFunc, error) {
	kind, err := (&Picture{Accept: in.Accept, Format: in.Format}).kind(jsonType, textType)
	if err != nil {
		return nil, err
	}
	query := sentOf(ctx).raw + "\n" + kind
	if p, ok := s.known.get(query); ok {
		return s.send(p), nil
	}
	r := &job.Count{}
	if err := s.ask(ctx, r, false); err != nil {
		return nil, err
	}
	answer, later, err := s.soon(ctx, r)
	if answer == nil {
		return later, err
	}
	if kind == textType { // the first line has the count, the second line the count up to symmetry
		var counted job.Counted
		if err := json.Unmarshal(answer, &counted); err != nil {
			return nil, err
		}
		answer = []byte(counted.Count + "\n")
		if counted.More {
			answer = []byte(counted.Count + " or more\n")
		}
		if counted.Distinct != nil {
			answer = append(answer, counted.Distinct.Count+"\n"...)
		}
	}
	p := newPage(kind, line(answer))
	s.known.put(query, p)
	return s.send(p), nil
}
