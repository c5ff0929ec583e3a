package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const page = `# Page

<!-- figures -->
Measured long ago.

| task | command | answer | seconds | MB |
|---|---|---:|---:|---:|
| dominoes, 2x3 | ` + "`pavage count --board 2x3 --piece a\\|b`" + ` | 3 | 9 | 9 |
| | ` + "`pavage count --board 2x3 --piece a\\|b`" + ` | ? | 0 | 0 |
<!-- end of figures -->

The end.
`

func TestMeasured(t *testing.T) {
	got, err := measured(page, "abc", func(words []string) (result, error) {
		if strings.Join(words, " ") != "count --board 2x3 --piece a|b" {
			t.Errorf("words %q", words)
		}
		return result{"3", 0.0123, 29_600_000}, nil
	})
	if err != nil || strings.Count(got, " | 3 | 0.012 | 30 |\n") != 2 || !strings.Contains(got, "` | 3 | 0.012 | 30 |\n<!-- end") || !strings.Contains(got, ", commit abc; ") || strings.Contains(got, "long ago") || !strings.HasSuffix(got, "The end.\n") {
		t.Errorf("%v: %s", err, got)
	}
	if _, err := measured(page, "abc", func([]string) (result, error) { return result{answer: "4"}, nil }); err == nil {
		t.Error("a wrong answer is accepted")
	}
	if _, err := measured(page, "abc", func([]string) (result, error) { return result{}, errors.New("no") }); err == nil {
		t.Error("a failure is accepted")
	}
}

func TestBrief(t *testing.T) {
	for printed, want := range map[string]string{
		"9356\n":                                 "9356",
		"a\nb\n":                                 "2 lines",
		"1239567890123456\n":                     "1.24·10^15",
		"{}\n":                                   "1 line",
		"1000000000000000000 tilings, 4 up to\n": "1.00·10^18 tilings, 4 up to",
		strings.Repeat("1", 1<<18) + "\nb\n":     "2 lines",
	} {
		var o output
		for part := range strings.SplitAfterSeq(printed, "\n") {
			fmt.Fprint(&o, part)
		}
		if got := o.brief(); got != want {
			t.Errorf("%q: %q, expected %q", printed, got, want)
		}
	}
}

func TestDigits(t *testing.T) {
	for seconds, want := range map[float64]string{0.0042: "0.004", 0.123: "0.12", 2.34: "2.3", 26.7: "27"} {
		if got := digits(seconds); got != want {
			t.Errorf("%v: %s, expected %s", seconds, got, want)
		}
	}
}
