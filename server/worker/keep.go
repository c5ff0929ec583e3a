package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/store"
)

var outputs = map[job.Kind]string{
	"sample":  "application/jsonl",
	"list":    "application/jsonl",
	"query":   "application/jsonl",
	"certify": "application/octet-stream",
	"convert": "text/plain; charset=utf-8",
}

// HasOutput reports whether jobs of this kind make tilings or a file besides the answer.
func HasOutput(kind job.Kind) bool { return outputs[kind] != "" }

// keep stores the output before the answer. So if the store has the answer, it also has the output.
func (w *Worker) keep(ctx context.Context, kind job.Kind, key store.Key, work func(out io.Writer) (answer json.RawMessage, err error)) error {
	var answer json.RawMessage
	do := func(out io.Writer) (err error) { answer, err = work(out); return err }
	if !HasOutput(kind) {
		if err := do(io.Discard); err != nil {
			return err
		}
	} else {
		if err := w.store.Put(ctx, store.Output, key, do); err != nil {
			return err
		}
		w.damaged.Delete(key)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return w.store.Put(ctx, store.Answer, key, func(out io.Writer) error {
		_, err := out.Write(answer)
		return err
	})
}

func (w *Worker) knows(kind job.Kind, key store.Key) bool {
	if _, damaged := w.damaged.Load(key); HasOutput(kind) && (damaged || !w.store.Has(store.Output, key)) {
		return false
	}
	_, err := w.store.Get(store.Answer, key)
	if err != nil && !errors.Is(err, store.ErrAbsent) {
		w.log.Warn().Err(err).Str("kind", string(kind)).Msg("an answer in the store cannot be used, and is made again")
	}
	return err == nil
}
