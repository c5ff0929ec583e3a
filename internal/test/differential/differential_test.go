// Package differential tests the engines on random covers and puzzles: everything that
// counts must come to the same answer.
//
// Random numbers choose the board, the pieces and their copies, the engine, its threads and its
// memory. The right answer need not be given, because there are two ways to find that an answer is
// wrong:
//
//   - differential: engines that share little must agree with each other and, on a small
//     case, with internal/test/oracle;
//   - metamorphic: a case is changed in a way with a proved effect on the count N. This
//     also finds mistakes that all engines share, and works where the oracle is too slow.
//
// A case is a cover, or a puzzle and its cover. A check compares one answer about a case
// with another: [Checks] lists all of them with what must hold. A law is a puzzle with a
// formula for its count ([Laws]): counts beyond 64 and 128 bits, where there is no oracle.
//
// The seed decides everything: the case and what its checks draw. A case that fails is made
// smaller by cutting, and reported with the line that runs it again:
//
//	go test ./internal/test/differential -run TestCases -args -seed=16 -cases=1
//
// The flag -check=sweep runs only one check, -check=-sweep all but one. Covers with colours
// have a campaign of their own, TestColoured with -coloured=N. The fuzzer makes a case of
// bytes, one for each choice (FuzzCover, FuzzPuzzle).
//
// Nine cases in ten are small, up to 16 cells and 20,000 steps of the oracle; padded ones have
// states of several words and counts of several limbs, which the oracle still solves; large ones
// have up to 225 cells, wide ones, 1 in 200, a million states. 2,000 cases make 44,000 comparisons
// in some 15 s of CPU; 100,000 make 2.2 million in 22 minutes.
//
// References: W. M. McKeeman, "Differential testing for software", Digital Technical
// Journal 10 (1998). T. Y. Chen, S. C. Cheung, S. M. Yiu, "Metamorphic testing: a new
// approach for generating next test cases" (1998).
package differential

import (
	"cmp"
	"flag"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/pavage/pavage/internal/test/testkit"
)

var (
	cases = flag.Uint64("cases", 0, "random cases to check; 0: 400, in the long run 2000")
	seed  = flag.Uint64("seed", 0, "the first case's seed")
	hues  = flag.Uint64("coloured", 0, "random coloured cases to check; 0: 200, in the long run 2000")
	check = flag.String("check", "", "the only check; by default all; -NAME: all but it")
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestCases is the campaign: -args -cases=N -seed=S -check=NAME.
func TestCases(t *testing.T) {
	tally := campaign(t, cmp.Or(*cases, uint64(testkit.Size(400, 2000))), FromSeed)
	if tally == nil {
		return
	}
	for _, k := range kindWeights {
		if tally["case "+string(k.what)] == 0 {
			t.Errorf("no %s case", k.what)
		}
	}
	for _, check := range Checks() {
		// Covers without colours have nothing for some checks: TestColoured wants these.
		ofColours := slices.Contains([]string{"hues", "uncoloured", "pairs"}, check.Name)
		if tally[compared+" by "+check.Name] == 0 && !ofColours {
			t.Errorf("%s never compared anything", check.Name)
		}
	}
	wantNotes(t, tally,
		"counts beyond 64 bits", "counts beyond 128 bits", "states beyond 64 bits", "states beyond 128 bits", "out of memory", "sweeps resumed",
		"formulas counted", "certificates accepted", "with symmetries", "no oracle", "no solution of a flat")
}

// TestColoured is the campaign of covers with colours: -args -coloured=N -seed=S -check=NAME.
func TestColoured(t *testing.T) {
	tally := campaign(t, cmp.Or(*hues, uint64(testkit.Size(200, 2000))), ColouredFromSeed)
	if tally == nil {
		return
	}
	for _, check := range Checks() {
		if check.Scope.has(&Case{Kind: Coloured}) && tally[compared+" by "+check.Name] == 0 {
			t.Errorf("%s never compared anything", check.Name)
		}
	}
	wantNotes(t, tally, "out of memory", "sweeps resumed", "formulas counted", "with symmetries", "no oracle")
}

func wantNotes(t *testing.T, tally Tally, notes ...string) {
	t.Helper()
	for _, what := range notes {
		if tally[what] == 0 {
			t.Errorf("nothing of: %s", what)
		}
	}
}

// campaign checks the cases of n seeds from the flag -seed on, until five disagree. It
// returns the tally if the campaign was long enough to have something of every sort.
func campaign(t *testing.T, n uint64, of func(seed uint64) (*Case, error)) Tally {
	t.Helper()
	const mostDisagreements = 5
	if testing.Short() {
		n = min(n, 200)
	}
	h := &Harness{Checks: Checks(), Temp: t.TempDir()}
	if *check != "" {
		name, not := strings.CutPrefix(*check, "-")
		all := len(h.Checks)
		h.Checks = slices.DeleteFunc(h.Checks, func(k Check) bool { return (k.Name == name) == not })
		if len(h.Checks) == 0 || len(h.Checks) == all {
			t.Fatalf("no check is called %q", *check)
		}
	}
	var (
		mu            sync.Mutex
		workers       sync.WaitGroup
		begun, done   uint64
		disagreements int
		all           = Tally{}
	)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for begun < n && disagreements < mostDisagreements {
				seed := *seed + begun
				begun++
				mu.Unlock()
				one := Tally{}
				c, err := of(seed)
				found := h.Case(t.Context(), c, err, one)
				mu.Lock()
				if done++; done%5000 == 0 {
					t.Logf("%d cases, %d comparisons", done, all[compared])
				}
				all.add(one)
				disagreements += len(found)
				for _, d := range found {
					t.Error(d)
				}
			}
		})
	}
	workers.Wait()
	for _, what := range slices.Sorted(maps.Keys(all)) {
		t.Logf("%8d %s", all[what], what)
	}
	t.Logf("%d cases, %d comparisons, %d disagreements", done, all[compared], disagreements)
	if done < 2000 || *check != "" || t.Failed() {
		return nil
	}
	return all
}
