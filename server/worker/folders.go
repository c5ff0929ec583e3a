package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
)

const (
	sweepEvery  = 10 * time.Minute
	strangerFor = 7 * 24 * time.Hour // age at which the folder of an unknown job is removed; the job may be in another database
)

func (w *Worker) folder(id string) string { return filepath.Join(w.options.Data, checkpoints, id) }

func (w *Worker) removeFolder(id string) {
	if w.options.Data == "" {
		return
	}
	child.RemoveFolders(w.options.Child.Temp, id)
	w.remove(w.folder(id))
}

func (w *Worker) remove(folder string) {
	if err := os.RemoveAll(folder); err != nil {
		w.log.Warn().Err(err).Msg("a folder of a job could not be removed")
	}
}

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
	for dir, prefix := range map[string]string{filepath.Join(w.options.Data, checkpoints): "", w.options.Child.Temp: child.FolderPrefix} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			w.log.Warn().Err(err).Msg("a folder of jobs cannot be read")
		}
		for _, e := range entries {
			name, ours := strings.CutPrefix(e.Name(), prefix)
			if !ours {
				continue
			}
			id, _, _ := strings.Cut(name, "-")
			j, err := w.queue.Get(ctx, id, "")
			info, e2 := e.Info()
			isOld := e2 == nil && time.Since(info.ModTime()) > strangerFor
			if errors.Is(err, queue.ErrAbsent) && isOld || err == nil && j.State.Ended() {
				w.remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}
