package verify

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// fuzzed are covers that need every part of a header: the running example with its dominoes free,
// counted, with a maximum and with a minimum; cells that may stay empty; an option of its own;
// random ones.
func fuzzed(t testing.TB) (covers []*cover.Problem, plans []*plan) {
	add := func(p *cover.Problem, l *plan) {
		covers, plans = append(covers, p), append(plans, l)
	}
	add(running(t), onPage())
	add(with(t, 0, 3), onPage(exact))
	add(with(t, 3, cover.Unbounded), onPage(saturating))
	add(gaps(t), onPage(saturating))
	lone := onPage()
	lone.steps = slices.Insert(lone.steps, 2, 13)
	lone.window = 4
	add(instead(gaps(t), 6, cover.Use{Item: 6, Times: 2}), lone)
	add(colouredRow(), onRow())
	rng := rand.New(rand.NewPCG(9, 10))
	for range 11 {
		p, l := randomCertificate(rng)
		add(p, l)
	}
	return covers, plans
}

// FuzzCertificate gives any body, with the right digest and SHA-256, to the checker and its twin,
// and anything after the first line to the checker. Neither panics, they agree, and no wrong count
// is certified.
func FuzzCertificate(f *testing.F) {
	covers, plans := fuzzed(f)
	for k, p := range covers {
		doc := plans[k].write(p)
		f.Add(uint8(k), false, doc.body()[32:])
		f.Add(uint8(k), true, doc.file(f)[len(magic):])
	}
	f.Fuzz(func(t *testing.T, which uint8, packed bool, data []byte) {
		p := covers[int(which)%len(covers)]
		body := slices.Concat(coverDigest(p), data)
		file := pack(t, magicOf(p), seal(body))
		if packed {
			file = slices.Concat([]byte(magicOf(p)), data)
		}
		got, err := check(t, p, file)
		switch {
		case err != nil && !errors.Is(err, ErrCertificate) && !errors.Is(err, cover.ErrMemory):
			t.Fatal(err)
		case err == nil:
			if n, err := oracle.Count(p); err != nil || got.Count.Cmp(big.NewInt(int64(n))) != 0 {
				t.Fatalf("the count %d is certified, want %d, %v", got.Count, n, err)
			}
		}
		if _, want := countOf(p, body); !packed && want != (err == nil) {
			t.Fatalf("%v, but %v by the twin, of\n%+v\n%x", err, want, p, body)
		}
	})
}
