package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/worker"
)

// soon waits for the answer of a request. After Options.Patience, it redirects to the job instead.
// If all clients disconnect before one of them knows the id of the job, soon cancels the job.
func (s *service) soon(ctx context.Context, r job.Request) (answer []byte, later http.HandlerFunc, err error) {
	answer, _, ok, err := s.o.Work.Count(ctx, r)
	if ok || err != nil {
		return answer, nil, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, nil, err
	}
	c, digest := access.From(ctx), sha256.Sum256(text)
	key := c.Name + "\n" + string(r.Kind()) + "\n" + string(digest[:])
	s.mu.Lock()
	t := s.tasks[key]
	if t == nil {
		if len(s.tasks) >= maxTasks { // a removed task is added again by the next equal request
			clear(s.tasks)
		}
		t = &task{}
		s.tasks[key] = t
	}
	t.waiting++
	s.mu.Unlock()
	j, err := s.jobOf(context.WithoutCancel(ctx), key, t, r) // other clients may wait for the job
	if err == nil {
		j, err = s.await(ctx, j, s.o.Patience)
	}
	s.mu.Lock()
	t.waiting--
	t.told = t.told || err == nil
	abandoned := !t.told && t.waiting == 0
	if abandoned && s.tasks[key] == t {
		delete(s.tasks, key) // later requests must not wait for the job that is canceled below
	}
	s.mu.Unlock()
	if abandoned && t.id != "" {
		_, cancelErr := s.o.Jobs.Cancel(context.WithoutCancel(ctx), t.id, c.Sees())
		err = errors.Join(err, cancelErr)
	}
	if err != nil {
		return nil, nil, err
	}
	switch {
	case j.State == client.Done:
		answer, err = s.o.Work.Answer(ctx, j)
	case j.State.Ended():
		var p *client.Problem
		if err = failure(j); errors.As(err, &p) {
			err = sentOf(ctx).placed(p)
		}
	default:
		later = seeJob(j.ID)
	}
	return answer, later, err
}

type task struct {
	id      string // "" until the job is accepted
	waiting int    // number of clients
	told    bool   // whether a client knows the id
}

const maxTasks = 2000 // these tasks together need less than 1 MiB

// jobOf returns the job of a task. Equal requests share the job. If the job has ended, jobOf
// submits a new job: the caller has found no answer in the store.
func (s *service) jobOf(ctx context.Context, key string, t *task, r job.Request) (queue.Job, error) {
	j, err, _ := s.submits.Do(key, func() (any, error) { // a forecast may take a second, so s.mu is not held
		s.mu.Lock()
		id := t.id
		s.mu.Unlock()
		if j, err := s.o.Jobs.Get(ctx, id, access.From(ctx).Name); err == nil && !j.State.Ended() {
			return j, nil
		}
		j, err := s.submit(ctx, r, client.Limits{})
		if err == nil {
			s.mu.Lock()
			t.id, t.told = j.ID, false
			s.mu.Unlock()
		}
		return j, err
	})
	return j.(queue.Job), err
}

func (s *service) ready(ctx context.Context, draw func() error) (later http.HandlerFunc, err error) {
	for jobs := 0; ; jobs++ {
		err = draw()
		var large *worker.Large
		if !errors.As(err, &large) {
			return nil, err
		}
		if jobs == 2 {
			return nil, worker.Busy("the tilings were removed from the store before they could be sent: try again later")
		}
		if made, later, err := s.soon(ctx, large.Request); made == nil {
			return later, err
		}
	}
}

type page struct {
	contentType string
	tag         string // a strong ETag of the bytes
	bytes       []byte
	fresh       bool // whether caches must revalidate the page for each request
}

func newPage(contentType string, content []byte) page {
	digest := sha256.Sum256(content)
	return page{contentType: contentType, tag: `"` + hex.EncodeToString(digest[:16]) + `"`, bytes: content}
}

// line returns a copy of the answer, since other goroutines may use its bytes.
func line(answer []byte) []byte {
	return slices.Concat(bytes.TrimRight(answer, "\n"), []byte{'\n'})
}

func (s *service) send(p page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("ETag", p.tag)
		h.Add("Vary", "Accept") // Add and not Set, since package access may have set Vary
		h.Set("Cache-Control", s.keep())
		if p.fresh {
			h.Set("Cache-Control", "no-cache")
		}
		if matches(r.Header.Get("If-None-Match"), p.tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", p.contentType)
		if p.contentType == pictureType {
			h.Set("Content-Security-Policy", pictureCSP)
		}
		h.Set("Content-Length", strconv.Itoa(len(p.bytes)))
		_, _ = w.Write(p.bytes) // an error means that the client has disconnected
	}
}

// answerJSON sends JSON. The list headers has names and values in turn; empty values are left out.
func answerJSON(status int, value any, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			if headers[i+1] != "" {
				w.Header().Set(headers[i], headers[i+1])
			}
		}
		if value == nil {
			w.WriteHeader(status)
			return
		}
		w.Header().Set("Content-Type", jsonType)
		w.WriteHeader(status)
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		_ = e.Encode(value) // an error means that the client has disconnected
	}
}

// keep returns the header Cache-Control for an answer. Caches may keep the answer for a day, and no
// longer, since a later version of the program may correct a count.
func (s *service) keep() string {
	if s.o.Private {
		return "private, max-age=86400"
	}
	return "public, max-age=86400"
}

// seeJob redirects to a job. The body is for clients that do not follow redirections.
func seeJob(id string) http.HandlerFunc {
	return answerJSON(http.StatusSeeOther, client.JobLink{ID: id, URL: jobPath(id)}, "Location", jobPath(id))
}

func matches(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == "*" || one == tag {
			return true
		}
	}
	return false
}

// quality returns the quality (0 to 1) that a header Accept gives to a media type. The most
// specific range of the header decides.
func quality(header, offer string) (q float64) {
	offered, _, _ := mime.ParseMediaType(offer)
	family, _, _ := strings.Cut(offered, "/")
	names := map[string]int{offered: 3, family + "/*": 2, "*/*": 1}
	if offered == linesType { // lines also go to clients that accept x-ndjson, or JSON (curl --json)
		names[jsonType], names["application/x-ndjson"] = 3, 3
	}
	special := 0
	for part := range strings.SplitSeq(header, ",") {
		given, params, err := mime.ParseMediaType(part)
		rank := names[given]
		if err != nil || rank <= special {
			continue
		}
		special, q = rank, 1
		if text, ok := params["q"]; ok {
			q, _ = strconv.ParseFloat(text, 64)
		}
	}
	return q
}
