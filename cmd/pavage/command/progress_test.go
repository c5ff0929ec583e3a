package command

import (
	"testing"

	"github.com/pavage/pavage/job"
)

// TestEffort: large numbers of a bar are written in groups of three digits.
func TestEffort(t *testing.T) {
	b := &bar{}
	for want, p := range map[string]job.Progress{
		" 35/100 levels, 13,980,550 states, ": {Step: 35, Steps: 100, Done: 13980550, Unit: "states"},
		" 1,234 tries, ":                      {Done: 1234, Unit: "tries"},
	} {
		if b.latest.Store(&p); b.effort() != want {
			t.Errorf("%q, want %q", b.effort(), want)
		}
	}
}
