package worker

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// TestProblemsOfFiles: a full disk has a problem of its own, and no problem names a file of the service.
func TestProblemsOfFiles(t *testing.T) {
	for cause, status := range map[error]int{syscall.ENOSPC: 507, syscall.EIO: 500, fs.ErrPermission: 500} {
		p := ProblemOf(errors.Join(&fs.PathError{Op: "write", Path: "/srv/secret/answer", Err: cause}))
		if p.Status != status || strings.Contains(p.Detail, "secret") || p.Detail == "" {
			t.Errorf("%v: %d %q", cause, p.Status, p.Detail)
		}
	}
}
