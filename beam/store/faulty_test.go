package store_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pavage/pavage/beam/store"
)

// with lets a server spoil its answers from now on.
func (m *meddler) with(spoil func(w http.ResponseWriter, r *http.Request) http.ResponseWriter) {
	m.spoil.Store(&spoil)
}

// inClouds runs a test on every store of objects that is opened and has the file "a" of a megabyte.
func inClouds(t *testing.T, test func(t *testing.T, s store.Store, m *meddler, data []byte)) {
	for _, cloud := range clouds {
		t.Run(cloud.where, func(t *testing.T) {
			m := cloud.start(t)
			s := open(t, cloud.where)
			data := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
			if err := store.Write(t.Context(), s, "a", data); err != nil {
				t.Fatal(err)
			}
			test(t, s, m, data)
		})
	}
}

// TestTriedAgain: a call with an error that may pass is tried again, and other calls are not.
func TestTriedAgain(t *testing.T) {
	inClouds(t, func(t *testing.T, s store.Store, m *meddler, data []byte) {
		waits := store.CountWaits(s)
		for _, status := range []int{http.StatusServiceUnavailable, http.StatusTooManyRequests, http.StatusForbidden} {
			for name, call := range map[string]func() error{
				"read":   func() error { _, err := s.Read(t.Context(), "a", 1<<20); return err },
				"range":  func() error { _, err := readRange(t, s, "a", 100, 1000); return err },
				"commit": func() error { return store.Write(t.Context(), s, "b", data) },
				"remove": func() error { return s.Remove(t.Context(), "c") },
			} {
				var once sync.Once
				m.with(func(w http.ResponseWriter, _ *http.Request) http.ResponseWriter {
					once.Do(func() {
						http.Error(w, "<page>\n<of the server>\n</page>", status)
						w = nil
					})
					return w
				})
				before := waits.Load()
				err := call()
				waited := waits.Load() - before
				if stays := status == http.StatusForbidden; stays != (err != nil) || stays && waited != 0 || !stays && waited != 1 {
					t.Errorf("%s, status %d: error %v after %d waits", name, status, err, waited)
				}
				if err != nil && strings.Contains(err.Error(), "\n") {
					t.Errorf("an error of several lines: %v", err)
				}
			}
		}
	})
}

func readRange(t *testing.T, s store.Store, name string, from, length int64) ([]byte, error) {
	r, err := s.Range(t.Context(), name, from, length)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// cut is an answer that breaks after some bytes.
type cut struct {
	http.ResponseWriter
	left int
}

func (c *cut) Write(p []byte) (int, error) {
	if c.left < len(p) {
		_, _ = c.ResponseWriter.Write(p[:c.left])
		panic(http.ErrAbortHandler)
	}
	n, err := c.ResponseWriter.Write(p)
	c.left -= n
	return n, err
}

// TestLineBreaks: a range is read over connections that break. The read fails if several bring no byte.
func TestLineBreaks(t *testing.T) {
	inClouds(t, func(t *testing.T, s store.Store, m *meddler, data []byte) {
		waits := store.CountWaits(s)
		var lines atomic.Int64
		m.with(func(w http.ResponseWriter, _ *http.Request) http.ResponseWriter {
			lines.Add(1)
			return &cut{w, 100_000}
		})
		got, err := readRange(t, s, "a", 5, 1_000_000)
		if err != nil || !bytes.Equal(got, data[5:1_000_005]) || lines.Load() < 10 {
			t.Errorf("%d bytes over %d connections, %v", len(got), lines.Load(), err)
		}
		m.with(func(w http.ResponseWriter, _ *http.Request) http.ResponseWriter { return &cut{w, 0} })
		before := waits.Load()
		if got, err := readRange(t, s, "a", 5, 1_000_000); err == nil {
			t.Errorf("%d bytes, %d waits", len(got), waits.Load()-before)
		}
	})
}

// TestReplacedMeanwhile: a range whose connection breaks does not continue in another file.
func TestReplacedMeanwhile(t *testing.T) {
	inClouds(t, func(t *testing.T, s store.Store, m *meddler, data []byte) {
		store.CountWaits(s)
		m.with(func(w http.ResponseWriter, _ *http.Request) http.ResponseWriter { return &cut{w, 100_000} })
		r, err := s.Range(t.Context(), "a", 0, 1_000_000)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		m.with(func(w http.ResponseWriter, _ *http.Request) http.ResponseWriter { return w })
		if err := store.Write(t.Context(), s, "a", bytes.ToUpper(data)); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err == nil {
			t.Errorf("%d bytes of two files", len(got))
		}
	})
}

// TestUploadBreaks: an upload that breaks in the middle, or whose context ends there, leaves no file.
func TestUploadBreaks(t *testing.T) {
	inClouds(t, func(t *testing.T, s store.Store, m *meddler, data []byte) {
		waits := store.CountWaits(s)
		breaks := func(_ http.ResponseWriter, r *http.Request) http.ResponseWriter {
			_, _ = io.CopyN(io.Discard, r.Body, 1000)
			panic(http.ErrAbortHandler)
		}
		m.with(breaks)
		if err := store.Write(t.Context(), s, "b", data); err == nil || waits.Load() != store.Attempts-1 {
			t.Errorf("error %v after %d waits", err, waits.Load())
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m.with(func(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
			cancel()
			return breaks(w, r)
		})
		f, err := s.Stage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer f.Discard()
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := f.Commit(ctx, "b"); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want context.Canceled", err)
		}
		m.with(func(w http.ResponseWriter, _ *http.Request) http.ResponseWriter { return w })
		if _, err := s.Size(t.Context(), "b"); !errors.Is(err, store.ErrMissing) {
			t.Errorf("a broken upload left something: %v", err)
		}
		if err := f.Commit(t.Context(), "b"); err != nil {
			t.Errorf("committed later: %v", err)
		}
		if got, err := s.Read(t.Context(), "b", 1<<20); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}

// TestAnswerLost: a call that had its effect, and whose answer is lost, is repeated and succeeds.
func TestAnswerLost(t *testing.T) {
	inClouds(t, func(t *testing.T, s store.Store, m *meddler, data []byte) {
		waits := store.CountWaits(s)
		for name, call := range map[string]func() error{
			"commit": func() error { return store.Write(t.Context(), s, "b", data) },
			"remove": func() error { return s.Remove(t.Context(), "a") },
		} {
			var once sync.Once
			m.with(func(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
				once.Do(func() {
					m.server.ServeHTTP(httptest.NewRecorder(), r)
					panic(http.ErrAbortHandler)
				})
				return w
			})
			before := waits.Load()
			if err := call(); err != nil || waits.Load() != before+1 {
				t.Errorf("%s: error %v after %d waits", name, err, waits.Load()-before)
			}
		}
		if got, err := s.Read(t.Context(), "b", 1<<20); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}

// TestWaitEnds: a call that waits for another attempt stops when its context ends.
func TestWaitEnds(t *testing.T) {
	inClouds(t, func(t *testing.T, s store.Store, m *meddler, _ []byte) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var asked atomic.Int64
		m.with(func(w http.ResponseWriter, _ *http.Request) http.ResponseWriter {
			asked.Add(1)
			http.Error(w, "later", http.StatusServiceUnavailable)
			defer cancel()
			return nil
		})
		if _, err := s.Read(ctx, "a", 1<<20); !errors.Is(err, context.Canceled) || asked.Load() != 1 {
			t.Errorf("%v after %d attempts", err, asked.Load())
		}
	})
}

// TestNoAnswer: a call without an answer in time is an error of the store, and not the end of the
// caller's context.
func TestNoAnswer(t *testing.T) {
	inClouds(t, func(t *testing.T, s store.Store, m *meddler, _ []byte) {
		m.with(func(_ http.ResponseWriter, r *http.Request) http.ResponseWriter {
			<-r.Context().Done()
			return nil
		})
		waits := store.CountWaits(s)
		store.LimitCalls(s, 10*time.Millisecond)
		for name, call := range map[string]func() error{
			"read":   func() error { _, err := s.Read(t.Context(), "a", 1<<20); return err },
			"list":   func() error { _, err := s.List(t.Context(), ""); return err },
			"remove": func() error { return s.Remove(t.Context(), "a") },
		} {
			err := call()
			if err == nil || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no answer within 10ms") || waits.Load() != 0 {
				t.Errorf("%s: %v, after %d waits", name, err, waits.Load())
			}
		}
	})
}
