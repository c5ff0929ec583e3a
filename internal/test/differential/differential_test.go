package differential

import (
	"cmp"
	"flag"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/pavage/pavage/internal/test/testkit"
)

var (
	cases = flag.Uint64("cases", 0, "random cases to check; 0: 1000, in the long run 2000")
	seed  = flag.Uint64("seed", 0, "the first case's seed")
	hues  = flag.Uint64("coloured", 0, "random coloured cases to check; 0: 500, in the long run 2000")
	check = flag.String("check", "", "the only check; by default all; -NAME: all but it")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func harness(t testing.TB, e Engines) *Harness {
	return &Harness{Engines: e, Checks: Checks(), Temp: t.TempDir()}
}

// chosen is a harness of all checks, or of the one that the flag names.
func chosen(t *testing.T) *Harness {
	h := harness(t, Pavage())
	if *check != "" {
		name, not := strings.CutPrefix(*check, "-")
		all := len(h.Checks)
		h.Checks = slices.DeleteFunc(h.Checks, func(k Check) bool { return (k.Name == name) == not })
		if len(h.Checks) == 0 || len(h.Checks) == all {
			t.Fatalf("no check is called %q", *check)
		}
	}
	return h
}

// TestCases is the campaign: -args -cases=N -seed=S -check=NAME.
func TestCases(t *testing.T) {
	n := cmp.Or(*cases, uint64(testkit.Size(1000, 2000)))
	c := Campaign{First: *seed, Cases: n}
	campaign(t, c, checkNotIdle)
}

// TestColoured is the campaign of covers with colours: -args -coloured=N -seed=S -check=NAME.
func TestColoured(t *testing.T) {
	n := cmp.Or(*hues, uint64(testkit.Size(500, 2000)))
	c := Campaign{First: *seed, Cases: n, Make: ColouredFromSeed}
	campaign(t, c, checkColouredNotIdle)
}

// campaign runs one; a long one must not be idle.
func campaign(t *testing.T, c Campaign, notIdle func(*testing.T, Tally)) {
	c.Most, c.Found = 5, func(d *Disagreement) { t.Error(d) }
	if testing.Short() {
		c.Cases = min(c.Cases, 200)
	}
	if testing.Verbose() {
		c.Report = func(s Summary) { t.Log(s) }
	}
	h := chosen(t)
	s := h.Run(t.Context(), c)
	for _, line := range s.Notes() {
		t.Log(line)
	}
	t.Log(s)
	if s.Cases >= 2000 && *check == "" && !t.Failed() {
		notIdle(t, s.Tally)
	}
}

// checkColouredNotIdle wants something of every check that covers with colours have.
func checkColouredNotIdle(t *testing.T, tally Tally) {
	t.Helper()
	for _, check := range Checks() {
		if check.Scope.has(&Case{Kind: Coloured}) && tally[compared+" by "+check.Name] == 0 {
			t.Errorf("%s never compared anything", check.Name)
		}
	}
	for _, what := range []string{"out of memory", "sweeps resumed", "formulas counted", "with symmetries", "no oracle"} {
		if tally[what] == 0 {
			t.Errorf("nothing of: %s", what)
		}
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
		// Covers without colours have nothing for some checks: checkColouredNotIdle wants these.
		ofColours := slices.Contains([]string{"hues", "uncoloured", "pairs"}, check.Name)
		if tally[compared+" by "+check.Name] == 0 && !ofColours {
			t.Errorf("%s never compared anything", check.Name)
		}
	}
	for _, what := range []string{
		"counts beyond 64 bits", "counts beyond 128 bits", "states beyond 64 bits", "states beyond 128 bits", "out of memory", "sweeps resumed",
		"formulas counted", "certificates accepted", "with symmetries", "no oracle", "no solution of a flat",
	} {
		if tally[what] == 0 {
			t.Errorf("nothing of: %s", what)
		}
	}
}
