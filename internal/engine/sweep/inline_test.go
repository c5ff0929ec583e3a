package sweep

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestKeysInline asks the compiler whether the short functions of keys are inlined in the loops
// that merge, for all widths.
func TestKeysInline(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Skipf("no compiler to ask: %v: %s", err, out)
	}
	for words := 1; words <= 4; words++ {
		shape := fmt.Sprintf("[go.shape.[%d]uint64]", words)
		for _, name := range []string{"Less", "Borrow", "Sum", "Difference", "Matches", "Disjoint", "Without", "Shift", "Unshift"} {
			if want := "can inline key." + name + shape; !strings.Contains(string(out), want) {
				t.Errorf("%s cannot be inlined for %d words", name, words)
			}
		}
		for name, at := range map[string]string{"Matches": "merge", "Sum": "merge", "Disjoint": "merge", "Shift": "merge", "Borrow": "merge", "Less": "merge", "Without": "step"} {
			want := regexp.MustCompile(at + `\.go:\d+:\d+: inlining call to key\.` + name + regexp.QuoteMeta(shape))
			if !want.Match(out) {
				t.Errorf("%s.go calls %s for %d words", at, name, words)
			}
		}
	}
	for _, name := range []string{"(*sorter).set", "(*sorter).index", "equal", "parity.of"} {
		if !strings.Contains(string(out), "can inline "+name+"\n") {
			t.Errorf("%s cannot be inlined", name)
		}
	}
}
