package api_test

import (
	"context"
	"image/png"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/api"
)

// TestFarBeyond: work far beyond any machine is refused at once, with the forecast.
func TestFarBeyond(t *testing.T) {
	s := newReal(t)
	const far = `{"board":"100x100","pieces":["domino=any"]}`
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/v1/samples", `{"puzzle":` + far + `,"ranked":true}`, "years of one core, far beyond any machine"},
		{"POST", "/v1/tilings", `{"puzzle":` + far + `,"rank":"0"}`, "years of one core, far beyond any machine"},
		{"POST", "/v1/jobs", `{"kind":"query","puzzle":` + far + `,"options":{"unrank":["0"]}}`, "years of one core, far beyond any machine"},
		{"GET", "/v1/count?board=60x60&piece=trominoes=any", "", "far beyond"},
	} {
		r := s.ask(t, c.method, c.path, c.body)
		if r.StatusCode/100 < 4 { // a busy machine had no forecast in time: the job makes the forecast
			j, err := s.client.Wait(t.Context(), decode[client.Job](t, r).ID)
			if err != nil || j.State != client.Failed {
				t.Fatalf("%s: %v, %v", c.path, j, err)
			}
			r.StatusCode, r.text = j.Error.Status, j.Error.Detail
		}
		if r.status(t, 422); !strings.Contains(r.text, c.want) {
			t.Errorf("%s: %s", c.path, r.text)
		}
	}
}

// TestLargeSource: a request for tilings from a large source is redirected to a job that draws them;
// clients wait for the job, and send the request again.
func TestLargeSource(t *testing.T) {
	s := newReal(t)
	ctx := t.Context()
	p := job.Puzzle{Board: "18x18", Pieces: []string{"domino=any"}}
	seed := job.Whole(7)
	lines := 0
	for line, err := range s.client.Samples(ctx, &job.Sample{Puzzle: p, Number: 3, Seed: &seed, Ranked: true}) {
		if err != nil || !strings.HasPrefix(string(line), `{"sweep_rank":`) {
			t.Fatalf("%.100s, %v", line, err)
		}
		lines++
	}
	if line, err := s.client.Tiling(ctx, p, "5"); err != nil || !strings.Contains(string(line), `"sweep_rank":"5"`) || lines != 3 {
		t.Errorf("%d lines, %.100s, %v", lines, line, err)
	}
	if svg, err := s.client.Picture(ctx, p, 2, 7); err != nil || !strings.Contains(string(svg), "<svg") {
		t.Errorf("%.100s, %v", svg, err)
	}
}

// TestGone: if a client disconnects before it has the id of the job, the job
// ends; if a client has the id, the job goes on.
func TestGone(t *testing.T) {
	for told, patience := range map[bool]time.Duration{true: time.Millisecond, false: time.Hour} {
		s := newSite(t, func(o *api.Options) { o.Patience = patience })
		s.fake.large, s.fake.hold = true, make(chan struct{})
		if told {
			s.ask(t, "GET", "/v1/samples"+eight, "").status(t, 303)
		}
		ctx, leave := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			r, err := http.NewRequestWithContext(ctx, "GET", s.URL+"/v1/samples"+eight, nil)
			if err == nil {
				_, err = http.DefaultTransport.RoundTrip(r)
			}
			gone <- err
		}()
		state := func() client.State {
			s.fake.mu.Lock()
			defer s.fake.mu.Unlock()
			if len(s.fake.rows) == 0 {
				return ""
			}
			return s.fake.rows[0].State
		}
		testkit.Until(t, "there is a job", func() bool { return state() != "" })
		leave()
		<-gone
		if told {
			close(s.fake.hold)
			testkit.Until(t, "the job is done", func() bool { return state() == client.Done })
		} else {
			testkit.Until(t, "the job ends", func() bool { return state() == client.Canceled })
		}
	}
}

// TestLargePicture: a PNG of a board of more than 16,384 cells has the colours of kinds, and cells that
// fit the limit of pixels.
func TestLargePicture(t *testing.T) {
	s := newReal(t)
	const path = "/v1/samples?board=200x200&piece=domino=any&seed=1&format=png"
	usual, kinds := s.ask(t, "GET", path, "").status(t, 200), s.ask(t, "GET", path+"&color_by=kind", "").status(t, 200)
	if usual.text != kinds.text || usual.Header.Get("Pavage-Method") != "trees" {
		t.Errorf("%d bytes by %s, %d bytes by kind", len(usual.text), usual.Header.Get("Pavage-Method"), len(kinds.text))
	}
	picture, err := png.Decode(strings.NewReader(usual.text))
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size.X != size.Y || size.X < 2000 || size.X > 2048 {
		t.Errorf("the picture has %v pixels", size)
	}
}
