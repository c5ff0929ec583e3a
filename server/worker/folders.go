package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/pavage/pavage/server/queue"
)

const (
	// sweepEvery is the time between two looks for folders that nobody needs.
	sweepEvery = 10 * time.Minute
	// strangerFor is how long a folder stays whose job is not in the database: it may be a
	// job of another database.
	strangerFor = 7 * 24 * time.Hour
)

// folder is where a job has its checkpoints.
func (w *Worker) folder(id string) string { return filepath.Join(w.options.Data, checkpoints, id) }

func (w *Worker) removeFolder(id string) {
	if err := os.RemoveAll(w.folder(id)); err != nil {
		w.log.Warn().Err(err).Str("job", id).Msg("the checkpoints of a job could not be removed")
	}
}

// sweep removes the folders of jobs that have ended, and old ones of jobs that are not
// there, now and from time to time, until ctx ends.
func (w *Worker) sweep(ctx context.Context) {
	again := time.NewTicker(sweepEvery)
	defer again.Stop()
	for {
		w.sweepOnce(ctx)
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
	}
}

func (w *Worker) sweepOnce(ctx context.Context) {
	entries, err := os.ReadDir(filepath.Join(w.options.Data, checkpoints))
	if err != nil {
		w.log.Warn().Err(err).Msg("the folder of checkpoints cannot be read")
	}
	for _, e := range entries {
		j, err := w.queue.Get(ctx, e.Name(), "")
		info, e2 := e.Info()
		isOld := e2 == nil && time.Since(info.ModTime()) > strangerFor
		if errors.Is(err, queue.ErrAbsent) && isOld || err == nil && j.State.Ended() {
			w.removeFolder(e.Name())
		}
	}
}
