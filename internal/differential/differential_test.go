package differential

import (
	"flag"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var (
	cases = flag.Uint64("cases", 2000, "random cases to check")
	seed  = flag.Uint64("seed", 0, "the first case's seed")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func harness(t testing.TB, e Engines) *Harness {
	return &Harness{Engines: e, Checks: Checks(), Temp: t.TempDir()}
}

// TestCases is the campaign: -args -cases=N -seed=S.
func TestCases(t *testing.T) {
	c := Campaign{First: *seed, Cases: *cases, Most: 5, Found: func(d *Disagreement) { t.Error(d) }}
	if testing.Short() {
		c.Cases = min(c.Cases, 200)
	}
	if testing.Verbose() {
		c.Report = func(s Summary) { t.Log(time.Now().Format(time.TimeOnly), s) }
	}
	s := harness(t, Pavage()).Run(t.Context(), c)
	for _, line := range s.Notes() {
		t.Log(line)
	}
	t.Log(s)
	if s.Cases >= 2000 && !t.Failed() {
		checkNotIdle(t, s.Tally)
	}
}

// checkNotIdle wants something of every sort in a campaign of some length.
func checkNotIdle(t *testing.T, tally Tally) {
	t.Helper()
	for _, k := range kindWeights {
		if tally["case "+string(k.what)] == 0 {
			t.Errorf("no %s case", k.what)
		}
	}
	for _, check := range Checks() {
		if tally[compared+" by "+check.Name] == 0 {
			t.Errorf("%s never compared anything", check.Name)
		}
	}
	for _, what := range []string{
		"counts beyond 64 bits", "counts beyond 128 bits", "out of memory", "sweeps resumed",
		"formulas counted", "with symmetries", "no oracle", "no solution of a flat",
	} {
		if tally[what] == 0 {
			t.Errorf("nothing of: %s", what)
		}
	}
}
