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

// A call is tried again after the status 408, 429 or 5xx, and after an error without a status, such
// as a broken connection. It is not tried again after an error of this package or of a context.
// Calls to a store in a folder are not tried again.

// Before its last attempt, a call has waited about 20 s in all. If the last attempt fails, the task
// fails, and Beam does the task again.
const (
	attempts  = 5
	firstWait = 200 * time.Millisecond
)

type retries struct {
	wait func(ctx context.Context, attempt int) error
}

// wait waits for a random time, since many machines may have failed at the same time.
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

func forNow(err error) bool {
	for _, stays := range []error{ErrLarge, ErrName, ErrPlace, errSlow, fs.ErrClosed, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, stays) {
			return false
		}
	}
	code := status(err)
	return !gone(err) && (code < 400 || code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests)
}

// told finds the status in the text of an error, since Beam keeps only the text.
var told = regexp.MustCompile(`StatusCode: ([0-9]{3})`)

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

// oneLine shortens the text of an error, since some servers answer with whole pages.
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
