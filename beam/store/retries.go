package store

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"google.golang.org/api/googleapi"
)

// Calls are tried again after an error that may pass: an answer that asks for it (408, 429, 5xx), a
// broken or refused connection, and every error that is not listed here. Not tried again are this
// package's own errors, the end of a context, and any other answer of 4xx: no such bucket, no right
// to it. Some of the clients of gs:// and s3:// try again themselves, before we do. In a folder
// nothing is tried again: the system does that.

// attempts is how often something is tried, and firstWait the least time before the second attempt.
// Each wait is four times the wait before, so all waits together are some 20 s. Longer failures are
// left to Beam, which runs a failed task again.
const (
	attempts  = 5
	firstWait = 200 * time.Millisecond
)

// retries tries calls again that fail for a reason that may pass.
type retries struct {
	wait func(ctx context.Context, attempt int) error
}

// wait waits before another attempt, the longer the more there were. Machines that failed together do
// not come back together.
func wait(ctx context.Context, attempt int) error {
	least := firstWait << (2 * attempt)
	t := time.NewTimer(least + rand.N(least/2))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// do makes a call until it succeeds, fails for good, or was tried often enough.
func (r *retries) do(ctx context.Context, call func() error) error {
	for attempt := 0; ; attempt++ {
		err := call()
		if err == nil || ctx.Err() != nil || !forNow(err) || attempt == attempts-1 {
			return err
		}
		if r.wait(ctx, attempt) != nil {
			return err
		}
	}
}

// forNow reports whether an error may pass.
func forNow(err error) bool {
	for _, stays := range []error{ErrLarge, ErrName, ErrPlace, errSlow, fs.ErrClosed, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, stays) {
			return false
		}
	}
	code := status(err)
	return !gone(err) && (code < 400 || code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests)
}

// told matches the status in the text of an error, because Beam keeps only the text.
var told = regexp.MustCompile(`StatusCode: ([0-9]{3})`)

// status is the HTTP status in an error, or 0.
func status(err error) int {
	var google *googleapi.Error
	var amazon interface{ HTTPStatusCode() int }
	switch {
	case errors.As(err, &google):
		return google.Code
	case errors.As(err, &amazon):
		return amazon.HTTPStatusCode()
	}
	code := 0
	if m := told.FindStringSubmatch(err.Error()); m != nil {
		code, _ = strconv.Atoi(m[1])
	}
	return code
}

// oneLine is an error whose text is one line of moderate length: some servers answer with pages.
func oneLine(err error) error { return &lined{err} }

type lined struct{ err error }

func (l *lined) Unwrap() error { return l.err }

func (l *lined) Error() string {
	text := []rune(strings.Join(strings.Fields(l.err.Error()), " "))
	if len(text) > 400 {
		text = append(text[:400], '…')
	}
	return string(text)
}
