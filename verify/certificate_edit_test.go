package verify

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// edit changes one thing in a certificate, and reports whether this was possible.
type edit struct {
	name string
	do   func(rng *rand.Rand, doc *paper) bool
}

// edits are the edits of the content of a certificate.
var edits = []edit{
	{"count of a state", func(rng *rand.Rand, doc *paper) bool {
		l := doc.anyLevel(rng)
		if len(l.counts) == 0 {
			return false
		}
		return change(rng, &l.counts[rng.IntN(len(l.counts))])
	}},
	{"key", func(rng *rand.Rand, doc *paper) bool {
		l := doc.anyLevel(rng)
		if len(l.keys) == 0 {
			return false
		}
		change(rng, &l.keys[rng.IntN(len(l.keys))])
		return slices.IsSortedFunc(l.keys, (*big.Int).Cmp)
	}},
	{"added state", addState},
	{"dropped state", dropState},
	{"redirected child", func(rng *rand.Rand, doc *paper) bool {
		arcs, i := doc.anyArcs(rng)
		if arcs == nil || len(*arcs) == 0 {
			return false
		}
		a := &(*arcs)[rng.IntN(len(*arcs))]
		before := a.child
		a.child = rng.IntN(len(doc.levels[i+1].keys) + 1)
		return a.child != before
	}},
	{"dropped child", func(rng *rand.Rand, doc *paper) bool {
		arcs, _ := doc.anyArcs(rng)
		if arcs == nil || len(*arcs) == 0 {
			return false
		}
		x := rng.IntN(len(*arcs))
		*arcs = slices.Delete(*arcs, x, x+1)
		return true
	}},
	{"added child", func(rng *rand.Rand, doc *paper) bool {
		arcs, i := doc.anyArcs(rng)
		if arcs == nil {
			return false
		}
		added := arc{rng.IntN(5), rng.IntN(len(doc.levels[i+1].keys) + 1)}
		*arcs = slices.Insert(*arcs, rng.IntN(len(*arcs)+1), added)
		return true
	}},
	{"order of steps", func(rng *rand.Rand, doc *paper) bool {
		if len(doc.steps) < 2 {
			return false
		}
		i, k := rng.IntN(len(doc.steps)), rng.IntN(len(doc.steps))
		doc.steps[i], doc.steps[k] = doc.steps[k], doc.steps[i]
		return i != k
	}},
	{"step", func(rng *rand.Rand, doc *paper) bool {
		return len(doc.steps) > 0 && nudge(rng, &doc.steps[rng.IntN(len(doc.steps))])
	}},
	{"added step", func(rng *rand.Rand, doc *paper) bool {
		doc.steps = slices.Insert(doc.steps, rng.IntN(len(doc.steps)+1), rng.Uint64N(20))
		return true
	}},
	{"dropped step", func(rng *rand.Rand, doc *paper) bool {
		if len(doc.steps) == 0 {
			return false
		}
		i := rng.IntN(len(doc.steps))
		doc.steps = slices.Delete(doc.steps, i, i+1)
		return true
	}},
	{"window", func(rng *rand.Rand, doc *paper) bool {
		window := uint64(doc.window)
		changed := nudge(rng, &window)
		doc.window = int(window)
		return changed
	}},
	{"counter's item", counterEdit(func(c *paperCounter) *uint64 { return &c.item })},
	{"counter's kind", counterEdit(func(c *paperCounter) *uint64 { return &c.kind })},
	{"counter's place", counterEdit(func(c *paperCounter) *uint64 { return &c.place })},
	{"counter's width", counterEdit(func(c *paperCounter) *uint64 { return &c.width })},
	{"dropped counter", func(rng *rand.Rand, doc *paper) bool {
		if len(doc.counters) == 0 {
			return false
		}
		k := rng.IntN(len(doc.counters))
		doc.counters = slices.Delete(doc.counters, k, k+1)
		return true
	}},
	{"added counter", func(rng *rand.Rand, doc *paper) bool {
		k, place := rng.IntN(len(doc.counters)+1), uint64(doc.window)
		if k > 0 {
			place = doc.counters[k-1].place + doc.counters[k-1].width
		}
		doc.counters = slices.Insert(doc.counters, k, paperCounter{rng.Uint64N(9), rng.Uint64N(2), place, 1 + rng.Uint64N(4)})
		return true
	}},
	{"count of the cover", func(rng *rand.Rand, doc *paper) bool { return change(rng, &doc.count) }},
	{"digest", func(rng *rand.Rand, doc *paper) bool {
		doc.digest[rng.IntN(32)] ^= 1 << rng.IntN(8)
		return true
	}},
}

func (p *paper) anyLevel(rng *rand.Rand) *paperLevel { return &p.levels[rng.IntN(len(p.levels))] }

// anyArcs returns the arcs of a state before the step, or nil if there is no state.
func (p *paper) anyArcs(rng *rand.Rand) (arcs *[]arc, step int) {
	if len(p.children) == 0 {
		return nil, 0
	}
	i := rng.IntN(len(p.children))
	if len(p.children[i]) == 0 {
		return nil, 0
	}
	return &p.children[i][rng.IntN(len(p.children[i]))], i
}

// change replaces a number by another number, 0 or more.
func change(rng *rand.Rand, n **big.Int) bool {
	d := big.NewInt(1)
	if rng.IntN(2) == 0 {
		d.Lsh(d, uint(rng.IntN(260)))
	}
	if rng.IntN(2) == 0 && d.Cmp(*n) <= 0 {
		d.Neg(d)
	}
	*n = new(big.Int).Add(*n, d)
	return true
}

func nudge(rng *rand.Rand, n *uint64) bool {
	before := *n
	switch rng.IntN(8) {
	case 0:
		*n ^= 1 << rng.IntN(64)
	case 1, 2:
		*n ^= 1
	default:
		*n = max(*n+rng.Uint64N(7), 3) - 3
	}
	return *n != before
}

func counterEdit(field func(*paperCounter) *uint64) func(rng *rand.Rand, doc *paper) bool {
	return func(rng *rand.Rand, doc *paper) bool {
		return len(doc.counters) > 0 && nudge(rng, field(&doc.counters[rng.IntN(len(doc.counters))]))
	}
}

// addState adds a state. Usually it hides the state: children elsewhere keep their states, and the
// new state has the children of another state.
func addState(rng *rand.Rand, doc *paper) bool {
	i := rng.IntN(len(doc.levels))
	l := &doc.levels[i]
	added := big.NewInt(rng.Int64N(1 << 12))
	s, _ := slices.BinarySearchFunc(l.keys, added, (*big.Int).Cmp)
	l.keys, l.counts = slices.Insert(l.keys, s, added), slices.Insert(l.counts, s, big.NewInt(1))
	if rng.IntN(4) > 0 && i > 0 {
		eachArc(doc.children[i-1], func(a *arc) {
			if a.child >= s {
				a.child++
			}
		})
	}
	if rng.IntN(4) > 0 && i < len(doc.children) {
		var arcs []arc
		if n := len(doc.children[i]); n > 0 {
			arcs = slices.Clone(doc.children[i][rng.IntN(n)])
		}
		doc.children[i] = slices.Insert(doc.children[i], s, arcs)
	}
	return true
}

// dropState drops a state, its children and, usually, the arcs that lead to the state.
func dropState(rng *rand.Rand, doc *paper) bool {
	i := rng.IntN(len(doc.levels))
	l := &doc.levels[i]
	if len(l.keys) == 0 {
		return false
	}
	s := rng.IntN(len(l.keys))
	l.keys, l.counts = slices.Delete(l.keys, s, s+1), slices.Delete(l.counts, s, s+1)
	if i < len(doc.children) {
		doc.children[i] = slices.Delete(doc.children[i], s, s+1)
	}
	if rng.IntN(4) == 0 || i == 0 {
		return true
	}
	for k := range doc.children[i-1] {
		doc.children[i-1][k] = slices.DeleteFunc(doc.children[i-1][k], func(a arc) bool { return a.child == s })
	}
	eachArc(doc.children[i-1], func(a *arc) {
		if a.child > s {
			a.child--
		}
	})
	return true
}

func eachArc(states [][]arc, do func(*arc)) {
	for _, arcs := range states {
		for x := range arcs {
			do(&arcs[x])
		}
	}
}

// TestCertificateEdits makes one edit in a certificate, with the SHA-256 corrected. It must be
// rejected, unless the twin finds that the result is another valid certificate, such as one with a
// wider field, another place of a counter that is always 0, or two equal steps exchanged. The count
// must be right then.
func TestCertificateEdits(t *testing.T) {
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(3, uint64(len(e.name))))
			rejected, harmless := 0, 0
			for rejected < 300 {
				p, plan := randomCertificate(rng)
				doc := plan.write(p)
				if !e.do(rng, doc) {
					continue
				}
				if wantTwin(t, p, doc.body()) {
					harmless++
				} else {
					rejected++
				}
			}
			t.Logf("%d rejected, %d harmless", rejected, harmless)
		})
	}
}

// randomCertificate draws a cover and a plan for it.
func randomCertificate(rng *rand.Rand) (*cover.Problem, *plan) {
	for {
		p := oracle.Random(rng)
		if rng.IntN(3) == 0 {
			p = oracle.RandomGrid(rng)
		}
		if rng.IntN(3) == 0 {
			if p = oracle.Paint(rng, p); tooBig(p) {
				continue
			}
		}
		if plan := randomPlan(rng, p); plan.keepsConditions(p) {
			return p, plan
		}
	}
}

func tooBig(p *cover.Problem) bool {
	_, err := oracle.Within(p, 1<<10)
	return err != nil
}

// wantTwin checks that a sealed body is accepted or rejected as by the twin, with the same count.
// It reports whether the body is accepted.
func wantTwin(t *testing.T, p *cover.Problem, body []byte) (accepted bool) {
	t.Helper()
	want, accepted := countOf(p, body)
	got, err := check(t, p, pack(t, magicOf(p), seal(body)))
	switch {
	case accepted && (err != nil || got.Count.Cmp(want) != 0):
		t.Fatalf("%v, %v, want %v of\n%+v\n%x", got, err, want, p, body)
	case !accepted && !errors.Is(err, ErrCertificate) && !errors.Is(err, cover.ErrMemory): // of absurd numbers
		t.Fatalf("%v, %v, want a rejection of\n%+v\n%x", got, err, p, body)
	case accepted:
		if n, err := oracle.Count(p); err != nil || want.Cmp(big.NewInt(int64(n))) != 0 {
			t.Fatalf("the count %d is certified, want %d, %v", want, n, err)
		}
	}
	return accepted
}

// TestCertificateBytes flips, drops and adds bytes of the body.
func TestCertificateBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	harmless := 0
	for range 2000 {
		p, plan := randomCertificate(rng)
		body := plan.write(p).body()
		at := 32 + rng.IntN(len(body)-32)
		switch rng.IntN(4) {
		case 0:
			body = slices.Delete(body, at, at+1)
		case 1:
			body = slices.Insert(body, at, byte(rng.IntN(256)))
		case 2:
			body[at] += byte(1 + rng.IntN(255))
		case 3:
			body[at] ^= 1 << rng.IntN(8)
		}
		if wantTwin(t, p, body) {
			harmless++
		}
	}
	t.Logf("%d of 2000 harmless", harmless)
}

// TestCertificateFile edits the file. The SHA-256 and the checksum of zstd detect every change
// except another compression of the same body.
func TestCertificateFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	repacked := 0
	for range 2000 {
		p, plan := randomCertificate(rng)
		file := plan.write(p).file(t)
		edited := slices.Clone(file)
		switch at := rng.IntN(len(file)); rng.IntN(4) {
		case 0:
			edited = edited[:at]
		case 1:
			edited = slices.Delete(edited, at, at+1)
		case 2:
			edited[at] += byte(1 + rng.IntN(255))
		case 3:
			edited[at] ^= 1 << rng.IntN(8)
		}
		got, err := check(t, p, edited)
		switch {
		case err == nil && bytes.Equal(unpack(t, edited), unpack(t, file)):
			repacked++
		case !errors.Is(err, ErrCertificate):
			t.Fatalf("%v, %v, want a rejection of\n%x, which was\n%x", got, err, edited, file)
		}
	}
	t.Logf("%d of 2000 have the same body", repacked)
}

func unpack(t *testing.T, file []byte) []byte {
	t.Helper()
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	body, err := d.DecodeAll(file[len("pavage certificate 1\n"):], nil)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
