package evidence

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/verify"
)

// TestCertificates: package verify accepts the certificates of random covers that
// package count writes; they share no code.
func TestCertificates(t *testing.T) {
	accepted := 0
	for seed := range uint64(testkit.Size(1000, 3000)) {
		rng := rand.New(rand.NewPCG(seed, 8))
		p := oracle.Random(rng)
		if seed%3 == 0 {
			p = oracle.RandomGrid(rng)
		}
		if seed%4 == 1 {
			p = oracle.Paint(rng, p)
		}
		solutions, err := oracle.Within(p, 1<<14)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := len(solutions)
		var file bytes.Buffer
		_, err = count.Certify(context.Background(), p, &file, count.Auto, count.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		c, err := verify.CheckCertificate(context.Background(), p, &file, verify.CertificateOptions{})
		if err != nil || c.Count.Int64() != int64(want) {
			t.Fatalf("seed %d: %v, %+v, oracle %d", seed, err, c, want)
		}
		accepted++
	}
	if accepted < testkit.Size(500, 1500) {
		t.Errorf("only %d certificates", accepted)
	}
}

// certifiedStates and certifiedOptions bound the facts that are certified: the first in states of
// a count. (Of nonominoes on 6x6 every state tries thousands of options, and a certificate costs
// minutes.)
const (
	certifiedStates  = 1_000_000
	certifiedOptions = 10_000
)

// TestCertificatesOfFacts certifies every known count whose sweep has at most a million states, in
// the short run a tenth of a million, and has few options; a certificate has more states.
func TestCertificatesOfFacts(t *testing.T) {
	checked, states, arcs, seconds := 0, int64(0), int64(0), 0.0
	for _, row := range facts.Counts() {
		if row.Count == nil {
			continue
		}
		p := puzzletest.Parse(t, row.Puzzle).Problem
		if len(p.Options) > certifiedOptions || !sweptWithin(t, p, int64(testkit.Size(certifiedStates/40, certifiedStates))) {
			continue
		}
		var file bytes.Buffer
		_, err := count.Certify(context.Background(), p, &file, count.Auto, count.Options{})
		if err != nil {
			t.Errorf("%s: %v", row.ID, err)
			continue
		}
		size := file.Len()
		c, err := verify.CheckCertificate(context.Background(), p, &file, verify.CertificateOptions{})
		if err != nil || c.Count.Cmp(row.Count) != 0 {
			t.Errorf("%s: %v, %+v, want %v", row.ID, err, c, row.Count)
			continue
		}
		t.Logf("%s: %d states, %d arcs, %d bytes, %d compressed, checked in %v", row.ID, c.States, c.Arcs, c.Bytes, size, c.Elapsed)
		checked++
		states, arcs, seconds = states+c.States, arcs+c.Arcs, seconds+c.Elapsed.Seconds()
	}
	t.Logf("%d certificates: %d states, %d arcs, checked %.0f states/s", checked, states, arcs, float64(states)/seconds)
	if checked < 20 {
		t.Errorf("only %d certificates", checked)
	}
}

// TestCertificateCheckedOnDisk: levels that do not fit in memory are checked in files, and a wrong
// certificate is rejected there too. Without room for the pages of a step the error has their
// size.
func TestCertificateCheckedOnDisk(t *testing.T) {
	p := puzzletest.Inline(t, "9x10", "trominoes=any").Problem
	var file bytes.Buffer
	r, err := count.Certify(context.Background(), p, &file, count.Auto, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		memory int64
		disk   bool
		want   string // of the error; "" for none
	}{
		{0, false, ""},
		{600 << 10, true, ""},
		{600 << 10, false, "memory limit reached: two levels of states need more than 614400 bytes, expected more memory, or a folder for temporary files"},
		{1 << 18, true, "memory limit reached: the states have 262144 bytes of memory, expected at least 524288 bytes"},
	} {
		o := verify.CertificateOptions{Memory: c.memory}
		if c.disk {
			o.Disk = t.TempDir()
		}
		got, err := verify.CheckCertificate(context.Background(), p, bytes.NewReader(file.Bytes()), o)
		switch {
		case c.want == "" && (err != nil || got.Count.Cmp(r.Count) != 0):
			t.Errorf("%+v: %v, %v, want %v", c, got, err, r.Count)
		case c.want != "" && (!errors.Is(err, cover.ErrMemory) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// sweptWithin reports whether the sweep of a count has at most this number of states.
func sweptWithin(t *testing.T, p *cover.Problem, states int64) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := count.Count(ctx, p, count.Sweep, count.Options{Watch: count.Watch{Progress: func(p count.Progress) {
		if p.Done > states {
			cancel()
		}
	}}})
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, count.ErrTooWide):
		return false
	case err != nil:
		t.Fatal(err)
	}
	return r.States <= states
}
