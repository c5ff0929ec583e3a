package human

import (
	"math"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 7: "7", 36: "36", 999: "1,000", 1234: "1,200", 39_400: "39,000", 994_000: "990,000",
		999_900: "1 million", 1.54e6: "1.5 million", 1.5e8: "150 million", 9.96e8: "1 billion", 2.5e12: "2.5 trillion",
		9.96e14: "1e+15", 7.27e16: "7.3e+16", 1.7e43: "1.7e+43", math.MaxFloat64: "1.8e+308",
	} {
		if got := Number(x); got != want {
			t.Errorf("Number(%g) = %q, want %q", x, got, want)
		}
	}
}

func TestTime(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0 ms", 0.0000034: "0.003 ms", 0.00074: "0.74 ms", 0.0217: "22 ms", 0.832: "830 ms", 0.999: "1 s", 1.14: "1.1 s",
		99.9: "100 s", 150: "2.5 minutes", 7300: "2 hours", 200_000: "2.3 days", 3.2e7: "1 years", 1.5e36: "4.8e+28 years",
		math.MaxFloat64: "5.7e+300 years",
	} {
		if got := Time(s); got != want {
			t.Errorf("Time(%g) = %q, want %q", s, got, want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", 5_077_918: "5,077,918", math.MaxInt64: "9,223,372,036,854,775,807",
	} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	if got := OneLine("a\n\n\tb \x1b[31mred\x07\u0085c\u009bd"); got != "a; b ?[31mred? c?d" {
		t.Errorf("got %q", got)
	}
	if got := OneLine(strings.Repeat("é", 3)); got != "ééé" {
		t.Errorf("got %q", got)
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "1B": 1, "1k": 1 << 10, "8G": 8 << 30, "8g": 8 << 30, "1.5M": 3 << 19, "2T": 2 << 40, "8Gi": -1, "G": -1, "8GiB": 8 << 30, "8 gib": 8 << 30, "512MiB": 512 << 20, "1.5kB": 1500,
		"2TB": 2e12, "1TiB": 1 << 40, "": -1, "B": -1, "-1": -1, "1e3": -1, "inf": -1, "nan": -1, "1.2.3": -1, "9223372036854775808": -1, "8GiBs": -1,
	} {
		got, err := ParseBytes(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: got %d, %v, want %d", text, got, err, want)
		}
	}
	for b, want := range map[int64]string{0: "0B", 1000: "1000B", 1 << 20: "1MiB", 3 << 29: "1536MiB", 1 << 43: "8TiB"} {
		if got := Size(b); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if back, err := ParseBytes(Size(b)); err != nil || back != b {
			t.Errorf("%d reads as %d, %v", b, back, err)
		}
	}
}

func TestBytes(t *testing.T) {
	for b, want := range map[float64]string{999: "1 kB", 1.44e9: "1.4 GB", 9.9e16: "99 PB", 6.3e40: "more memory than any computer has"} {
		if got := Bytes(b); got != want {
			t.Errorf("%g bytes: %q, want %q", b, got, want)
		}
	}
}
