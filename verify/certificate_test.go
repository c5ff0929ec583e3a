package verify

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// check checks a file without limits.
func check(t testing.TB, p *cover.Problem, file []byte) (*Certified, error) {
	t.Helper()
	return CheckCertificate(t.Context(), p, bytes.NewReader(file), CertificateOptions{})
}

// TestCertificateRandomCovers has certificates for random plans that satisfy the conditions. All
// are accepted, with the oracle's count.
func TestCertificateRandomCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 1500 {
		p, plan := randomCertificate(rng)
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := check(t, p, plan.write(p).file(t))
		if err != nil || got.Count.Int64() != int64(want) {
			t.Fatalf("%v, %v, want %d of\n%+v\nby %+v", got, err, want, p, plan)
		}
		plan.note(p, want, seen)
	}
	t.Log(seen)
	for _, kind := range []string{"exact", "saturating", "free", "lone", "optional", "field", "colours without field", "unsolvable", "solvable"} {
		if seen[kind] < 100 {
			t.Errorf("%s came up %d times, want 100 or more", kind, seen[kind])
		}
	}
}

// note counts the kinds of counters, steps and fields of a plan.
func (p *plan) note(c *cover.Problem, count int, seen map[string]int) {
	for _, n := range p.counters {
		seen[[]string{"exact", "saturating"}[n.kind]]++
	}
	for i, it := range c.Items {
		switch step, counted := p.stepOf(i) >= 0, p.counterOf(i) >= 0; {
		case step && it.Min == 0:
			seen["optional"]++
		case p.asks[i] != nil && !step:
			seen["colours without field"]++
		case !step && !counted:
			seen["free"]++
		}
	}
	for _, step := range p.steps {
		if step%2 == 1 {
			seen["lone"]++
		}
		if p.isField(step) {
			seen["field"]++
		}
	}
	seen[[]string{"unsolvable", "solvable"}[min(count, 1)]]++
}

var update = flag.Bool("update", false, "write the certificates in testdata")

// TestCertificateVersion1 has a stored certificate of version 1, so that checker and writer cannot
// both change unnoticed.
func TestCertificateVersion1(t *testing.T) {
	keepCertificate(t, "testdata/dominoes-2x3.certificate", dominoes(t), onPage(), 3)
}

// TestCertificateVersion3 has a stored certificate of version 3.
func TestCertificateVersion3(t *testing.T) {
	keepCertificate(t, "testdata/colours.certificate", colouredRow(), onRow(), 4)
}

func keepCertificate(t *testing.T, name string, p *cover.Problem, plan *plan, count int64) {
	t.Helper()
	doc := plan.write(p)
	if *update {
		if err := os.WriteFile(name, doc.file(t), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := unpack(t, file); !bytes.Equal(got, seal(doc.body())) {
		t.Errorf("the writer of the tests writes\n%x, want\n%x", seal(doc.body()), got)
	}
	if got, err := check(t, p, file); err != nil || got.Count.Int64() != count {
		t.Errorf("%v, %v, want %d", got, err, count)
	}
}

// TestCertificateWide has windows over three words of a key and a counter over the next two words:
// options use items at both ends of a long row.
func TestCertificateWide(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 8 {
		p, l := &cover.Problem{}, &plan{window: 130 + rng.IntN(57)}
		for i := range l.window {
			p.Items = append(p.Items, cover.Item{Max: 1})
			l.steps = append(l.steps, uint64(2*i))
		}
		p.Items = append(p.Items, cover.Item{Min: rng.IntN(5), Max: 5 + rng.IntN(30)})
		for at := range 5 {
			option := cover.Option{{Item: at, Times: 1}}
			for item := at + 1 + rng.IntN(60); item < l.window; item += 1 + rng.IntN(90) {
				option = append(option, cover.Use{Item: item, Times: 1})
			}
			p.Options = append(p.Options, append(option, cover.Use{Item: l.window, Times: int32(1 + rng.IntN(9))}))
		}
		l.counters = []paperCounter{{uint64(l.window), 0, uint64(187 + rng.IntN(5)), 6}}
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := check(t, p, l.write(p).file(t)); err != nil || got.Count.Int64() != int64(want) {
			t.Fatalf("%v, %v, want %d of\n%+v", got, err, want, p)
		}
	}
}
