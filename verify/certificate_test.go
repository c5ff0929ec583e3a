package verify

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/oracle"
)

// check checks a file without limits.
func check(t testing.TB, p *cover.Problem, file []byte) (*Certified, error) {
	t.Helper()
	return CheckCertificate(t.Context(), p, bytes.NewReader(file), CertificateOptions{})
}

func TestCertificateRandomCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for round := range 1500 {
		p := oracle.Random(rng)
		if round%3 == 0 {
			p = oracle.RandomGrid(rng)
		}
		plan := randomPlan(rng, p)
		if n := len(plan.counters); n > 0 && plan.counters[n-1].place+plan.counters[n-1].width > 255 || plan.window > 255 {
			seen["too wide"]++
			continue
		}
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		doc := plan.write(p)
		got, err := check(t, p, doc.file(t))
		if err != nil || got.Count.Int64() != int64(want) {
			t.Fatalf("round %d: %v, %v, want %d of\n%+v\nby %+v", round, got, err, want, p, plan)
		}
		seen["accepted"]++
		_ = doc
	}
	t.Log(seen)
}
