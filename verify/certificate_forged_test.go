package verify

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// onPage is the plan of doc/certificate.md for dominoes on 2x3: the columns in order, with the
// given counters for the dominoes.
func onPage(counters ...paperCounter) *plan {
	return &plan{window: 3, steps: []uint64{0, 6, 2, 8, 4, 10}, counters: counters}
}

// Kinds of counters of the dominoes.
var (
	exact      = paperCounter{item: 6, place: 3, width: 2}
	saturating = paperCounter{item: 6, kind: 1, place: 3, width: 2}
	narrow     = paperCounter{item: 6, place: 3, width: 1}
)

// running returns the running example, also for fuzzing.
func running(t testing.TB) *cover.Problem {
	return puzzletest.Inline(t, "2x3", "domino=any").Problem
}

// with returns the running example with low to high dominoes.
func with(t testing.TB, low, high int) *cover.Problem {
	p := running(t)
	p.Items[6] = cover.Item{Min: low, Max: high}
	return p
}

// gaps returns the running example with cells that may stay uncovered.
func gaps(t testing.TB) *cover.Problem {
	p := running(t)
	for i := range 6 {
		p.Items[i].Min = 0
	}
	return p
}

// instead returns the cover with other uses for option o.
func instead(p *cover.Problem, o int, uses ...cover.Use) *cover.Problem {
	q := *p
	q.Options = slices.Clone(p.Options)
	q.Options[o] = uses
	return &q
}

// forgery is a certificate of one cover with the digest of another.
type forgery struct {
	about, of *cover.Problem
	plan      *plan
	edit      func(doc *paper)
}

func (f forgery) paper() *paper {
	if f.of == nil {
		f.of = f.about
	}
	doc := f.plan.write(f.of)
	doc.digest = coverDigest(f.about)
	if f.edit != nil {
		f.edit(doc)
	}
	return doc
}

// TestCertificateForged has consistent certificates of false statements: everything that follows
// from a false statement is changed too.
func TestCertificateForged(t *testing.T) {
	b := cover.Unbounded
	forged := func(forge func(step int, child *node) *node, counters ...paperCounter) *plan {
		l := onPage(counters...)
		l.forge = forge
		return l
	}
	for _, test := range []struct {
		name string
		forgery
		want string
	}{
		{
			"a state left out, and what leads to it",
			forgery{about: gaps(t), plan: forged(func(step int, child *node) *node {
				if step == 2 && len(child.used) == 1 && child.used[4] {
					return nil
				}
				return child
			})},
			"level 2, state 0: choice 0 leads to state 1, which does not exist or has the wrong key",
		},
		{
			"an option left out",
			forgery{about: running(t), of: instead(running(t), 5, cover.Use{Item: 0, Times: 2}), plan: onPage()},
			"level 2, state 1: choice 2 leads to state 1, which does not exist or has the wrong key",
		},
		{
			"an option that does not fit",
			forgery{about: gaps(t), of: instead(gaps(t), 5, cover.Use{Item: 1, Times: 1}), plan: onPage()},
			"level 2, state 0: choice 1 leads to state 0, which does not exist or has the wrong key",
		},
		{
			"an option made smaller",
			forgery{about: running(t), of: instead(running(t), 3, cover.Use{Item: 4, Times: 1}), plan: onPage()},
			"level 3, state 1: choice 0 leads to state 1, which does not exist or has the wrong key",
		},
		{
			"two states merged",
			forgery{about: gaps(t), plan: forged(func(step int, child *node) *node {
				if step == 1 && len(child.used) == 1 {
					child.used = map[int]bool{}
				}
				return child
			})},
			"level 1, state 0: choice 0 leads to state 0, which does not exist or has the wrong key",
		},
		{
			"a domino not counted",
			forgery{about: with(t, 2, 2), plan: forged(func(step int, child *node) *node {
				child.uses[0] = min(child.uses[0], 2)
				return child
			}, exact), of: with(t, 2, b)},
			"level 4, state 1: the count of the state is 1, but 0 ways lead to the state",
		},
		{
			"a minimum that is not counted",
			forgery{about: with(t, 4, b), of: with(t, 0, b), plan: onPage()},
			"item 6 has a min, but neither a step nor a counter",
		},
		{
			"a maximum that is not counted",
			forgery{about: with(t, 0, 2), of: with(t, 0, b), plan: onPage()},
			"item 6 may be used more often than its max, expected a step or an exact counter for the item",
		},
		{
			"a maximum that saturates",
			forgery{about: with(t, 2, 2), of: with(t, 2, b), plan: onPage(saturating)},
			"item 6 may be used more often than its max, expected a step or an exact counter for the item",
		},
		{
			"a field that overflows",
			forgery{about: running(t), plan: forged(func(step int, child *node) *node {
				child.uses[0] %= 2
				return child
			}, narrow)},
			"level 1, state 1: a choice that fits uses an item more often than the item's counter can store",
		},
		{
			"a minimum not looked at",
			forgery{about: with(t, 4, b), of: with(t, 3, b), plan: onPage(exact)},
			"the count of the cover is 3, but the counts of the last level add up to 0",
		},
		{
			"all counts doubled from level 3 on",
			forgery{about: running(t), plan: onPage(), edit: func(doc *paper) {
				for _, l := range doc.levels[3:] {
					for _, n := range l.counts {
						n.Lsh(n, 1)
					}
				}
				doc.count.Lsh(doc.count, 1)
			}},
			"level 3, state 0: the count of the state is 4, but 2 ways lead to the state",
		},
		{
			"counts made smaller",
			forgery{about: running(t), plan: onPage(), edit: func(doc *paper) {
				doc.levels[6].counts[0].SetInt64(2)
				doc.count.SetInt64(2)
			}},
			"level 6, state 0: the count of the state is 2, but 3 ways lead to the state",
		},
		{
			"a state from nowhere",
			forgery{about: gaps(t), plan: onPage(), edit: func(doc *paper) {
				doc.levels[6].keys = append(doc.levels[6].keys, big.NewInt(4))
				doc.levels[6].counts = append(doc.levels[6].counts, big.NewInt(1))
				doc.count.Add(doc.count, big.NewInt(1))
			}},
			"level 6, state 1: the count of the state is 1, but 0 ways lead to the state",
		},
		{
			"a state twice",
			forgery{about: running(t), plan: onPage(), edit: func(doc *paper) {
				l := &doc.levels[1]
				l.keys[1] = l.keys[0]
			}},
			"level 1, state 1: the key of the state equals the key of the state before, expected a larger key",
		},
		{
			"a state of no field",
			forgery{about: running(t), plan: onPage(exact), edit: func(doc *paper) {
				doc.levels[1].keys[1] = big.NewInt(1 << 5)
			}},
			"level 0, state 0: choice 0 leads to state 1, which does not exist or has the wrong key",
		},
		{
			"two ways to begin",
			forgery{about: running(t), plan: onPage(), edit: func(doc *paper) {
				doc.levels[0].counts[0].SetInt64(2)
			}},
			"level 0, state 0: a number has more than 1 bits",
		},
		{
			"another beginning",
			forgery{about: running(t), plan: onPage(), edit: func(doc *paper) {
				doc.levels[0].keys[0].SetInt64(1)
			}},
			"the level has other states, expected only one state, whose key is 0",
		},
		{
			"a count of 0",
			forgery{about: running(t), plan: onPage(), edit: func(doc *paper) {
				doc.levels[2].counts[0].SetInt64(0)
			}},
			"level 2, state 0: the count of the state is 0, expected at least 1",
		},
		{
			"a count of too many digits",
			forgery{about: running(t), plan: onPage(), edit: func(doc *paper) {
				doc.levels[2].counts[0].Lsh(big.NewInt(1), 10_000)
			}},
			"level 2, state 0: a number has more than 4 bits",
		},
		{
			"a key of too many digits",
			forgery{about: running(t), plan: onPage(), edit: func(doc *paper) {
				doc.levels[2].keys[1].Lsh(big.NewInt(1), 512)
			}},
			"level 2, state 1: a number has more than 511 bits",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := check(t, test.about, test.paper().file(t))
			if !errors.Is(err, ErrCertificate) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v,\nwant %s", err, test.want)
			}
		})
	}
}

// TestCertificateHeaders breaks each condition on a header once.
func TestCertificateHeaders(t *testing.T) {
	plain := running(t)
	lone := instead(plain, 6, cover.Use{Item: 6, Times: 2})
	twice := instead(plain, 6, cover.Use{Item: 2, Times: 2})
	for _, test := range []struct {
		about *cover.Problem
		edit  func(l *plan)
		want  string
	}{
		{plain, func(l *plan) { l.window = 0 }, "the window is 0, expected 1..511"},
		{plain, func(l *plan) { l.window = 512 }, "the window is 512, expected 1..511"},
		{plain, func(l *plan) { l.window = 1 }, "option 0 uses items of steps 0 to 2, too far apart for the window"},
		{plain, func(l *plan) { l.window = 2 }, "option 0 uses items of steps 0 to 2, too far apart for the window"},
		{plain, func(l *plan) { l.counters = make([]paperCounter, 509) }, "the number of counters is 509, expected 0..508"},
		{plain, func(l *plan) { l.counters[0].item = 7 }, "the counter's item is 7, expected 0..6"},
		{plain, func(l *plan) { l.counters[0].item = 5 }, "step 5 is 10, expected 2 · item (an item with max 1 and no counter), or 2 · option + 1"},
		{plain, func(l *plan) { l.counters[0].kind = 2 }, "the counter's kind is 2, expected 0..1"},
		{plain, func(l *plan) { l.counters[0].place = 2 }, "the counter's place is 2, expected 3..510"},
		{plain, func(l *plan) { l.counters[0].width = 0 }, "the counter's width is 0, expected 1..508"},
		{plain, func(l *plan) { l.counters[0].width = 509 }, "the counter's width is 509, expected 1..508"},
		{plain, func(l *plan) { l.counters = append(l.counters, paperCounter{6, 0, 5, 2}) }, "item 6 has two counters"},
		{plain, func(l *plan) { l.counters = append(l.counters, paperCounter{6, 0, 4, 2}) }, "the counter's place is 4, expected 5..510"},
		{plain, func(l *plan) { l.steps = make([]uint64, 15) }, "the number of steps is 15, expected 0..14"},
		{plain, func(l *plan) { l.steps[3] = 16 }, "the step is 16, expected 0..14"},
		{plain, func(l *plan) { l.steps[3] = 14 }, "step 3 is 14, expected 2 · item (an item with max 1 and no counter), or 2 · option + 1"},
		{plain, func(l *plan) { l.steps[3] = 6 }, "step 3 repeats step 1"},
		{plain, func(l *plan) { l.steps[3] = 12 }, "step 3 is 12, expected 2 · item (an item with max 1 and no counter), or 2 · option + 1"},
		{with(t, 0, 0), func(l *plan) { l.steps[3] = 12 }, "step 3 is 12, expected 2 · item (an item with max 1 and no counter), or 2 · option + 1"},
		{plain, func(l *plan) { l.steps = append(l.steps, 1) }, "option 0 has its own step (true), expected a step only if the option is possible (true) and uses no item of a step (it uses 2)"},
		{plain, func(l *plan) { l.steps = l.steps[:5] }, "item 5 may be used more often than its max, expected a step or an exact counter for the item"},
		{lone, func(l *plan) {}, "option 6 has its own step (false), expected a step only if the option is possible (true) and uses no item of a step (it uses 0)"},
		{lone, func(l *plan) { l.steps = append(l.steps, 13, 13) }, "step 7 repeats step 6"},
		{twice, func(l *plan) { l.steps = append(l.steps, 13) }, "option 6 has its own step (true), expected a step only if the option is possible (false) and uses no item of a step (it uses 1)"},
	} {
		l := onPage(exact)
		test.edit(l)
		body := slices.Concat(coverDigest(test.about), l.header())
		_, err := check(t, test.about, pack(t, "pavage certificate 1\n", seal(body)))
		if !errors.Is(err, ErrCertificate) || !strings.HasSuffix(err.Error(), "rejected: header: "+test.want) {
			t.Errorf("%v,\nwant %s", err, test.want)
		}
	}
}
