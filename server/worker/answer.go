package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

// Answer returns the answer of a job that is done, with the title of its request.
func (w *Worker) Answer(ctx context.Context, j queue.Job) (json.RawMessage, error) {
	key, err := keyOfDone(j)
	if err != nil {
		return nil, err
	}
	text, err := w.store.Get(store.Answer, key)
	if err != nil {
		return nil, w.lost(j, store.Answer, err)
	}
	r, err := job.Decode(j.Kind, j.Request)
	if err != nil {
		return nil, err
	}
	return w.entitle(ctx, text, r)
}

// Output returns the tilings or the file of a job. If the file is damaged, reading fails.
func (w *Worker) Output(_ context.Context, j queue.Job) (from io.ReadCloser, kind string, err error) {
	if !HasOutput(j.Kind) {
		return nil, "", &client.Problem{
			Title: "there is no output", Status: http.StatusNotFound,
			Detail: fmt.Sprintf("a job of the kind %s has no output besides its answer", j.Kind),
		}
	}
	key, err := keyOfDone(j)
	if err != nil {
		return nil, "", err
	}
	r, err := w.store.Open(store.Output, key)
	if err != nil {
		return nil, "", w.lost(j, store.Output, err)
	}
	kind = outputs[j.Kind]
	if r, err := job.Decode(j.Kind, j.Request); err == nil {
		if c, ok := r.(*job.Convert); ok && converted[c.To] != "" {
			kind = converted[c.To]
		}
	}
	return &output{r, w, j}, kind, nil
}

var converted = map[string]string{"xmpuzzle": "application/octet-stream", "json": "application/json"}

type output struct {
	store.Reader
	worker *Worker
	job    queue.Job
}

func (o *output) Read(p []byte) (int, error) {
	n, err := o.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = o.worker.lost(o.job, store.Output, err)
	}
	return n, err
}

func keyOfDone(j queue.Job) (store.Key, error) {
	if j.State != client.Done {
		return store.Key{}, &client.Problem{
			Title: "there is no answer", Status: http.StatusConflict,
			Detail: fmt.Sprintf("the job is %s, expected a job that is done", j.State),
		}
	}
	return store.ParseKey(j.Key)
}

// lost returns a problem with advice for a damaged or removed file. Other errors stay unchanged.
func (w *Worker) lost(j queue.Job, k store.Kind, err error) error {
	p := &client.Problem{Title: "the " + string(k) + " is lost", Status: http.StatusInternalServerError}
	switch {
	case errors.Is(err, store.ErrAbsent):
		p.Status = http.StatusGone
		p.Detail = fmt.Sprintf("the %s of this job is not in the store any more: submit the request again", k)
	case errors.Is(err, store.ErrDamaged):
		p.Detail = fmt.Sprintf("the %s of this job is damaged in the store: submit the request again", k)
		if key, e := store.ParseKey(j.Key); e == nil && k == store.Output {
			w.damaged.Store(key, true)
		}
	default:
		return err
	}
	w.log.Error().Err(err).Str("job", j.ID).Str("kind", string(j.Kind)).Msg(p.Title)
	return p
}

// entitle gives an answer the title of the request, since requests with different titles share an
// answer. The field Reasons has names of pieces, so it is computed again in a slot for quick work.
func (w *Worker) entitle(ctx context.Context, text json.RawMessage, r job.Request) (entitled json.RawMessage, err error) {
	err = w.reading.read(ctx, r, func() error {
		answer, err := job.DecodeAnswer(r.Kind(), text)
		if err != nil {
			return fmt.Errorf("an answer in the store cannot be read: %w", err)
		}
		if c, ok := answer.(*job.Counted); ok && len(c.Reasons) > 0 {
			leave, err := w.quick.seat(ctx)
			if err != nil {
				return err
			}
			defer leave()
		}
		if p := job.PuzzleOf(r); p != nil {
			if err := job.Retitle(ctx, answer, p); err != nil {
				return err
			}
		}
		entitled, err = marshal(answer)
		return err
	})
	return entitled, err
}

func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
