// Package human writes numbers in the usual words and units: 150 million, 27 s, 840 MB.
//
// # Purpose
//
// Forecasts are accurate to two digits at best, so they are rounded to two digits. Exact numbers
// are written with all their digits, in groups of three.
//
//	Number(1.54e6)     1.5 million        Grouped(5077918)       5,077,918
//	Time(7300)         2 hours            Count("1", "try")      1 try
//	Bytes(8.4e8)       840 MB             Count("36", "try")     36 tries
//
// ParseBytes reads a size that a person has written. Size writes a size exactly: 1536MiB.
//
// # Non-goals
//
// One language, one notation: programs read JSON.
package human

import (
	"fmt"
	"math"
	"strings"
)

// Count returns n and unit, in the plural unless n is 1.
func Count(n, unit string) string {
	switch {
	case n == "1":
	case unit == "try":
		unit = "tries"
	default:
		unit += "s"
	}
	return n + " " + unit
}

// Grouped returns n with commas between groups of three digits.
func Grouped(n int64) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Number returns a number x ≥ 0, rounded to two digits, in words: 150 million, 39,000, 7.2e+16.
func Number(x float64) string {
	x = twoDigits(x)
	switch {
	case x < 1e6:
		return Grouped(int64(math.Round(x)))
	case x >= 1e15:
		return fmt.Sprintf("%.2g", x)
	}
	for _, n := range []struct {
		size float64
		name string
	}{{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}} {
		if x >= n.size {
			return fmt.Sprintf("%s %s", plain(x/n.size), n.name)
		}
	}
	return ""
}

// Time returns a number of seconds, rounded to two digits, in a suitable unit.
func Time(s float64) string {
	s = twoDigits(s)
	switch {
	case s < 1:
		return plain(twoDigits(1000*s)) + " ms"
	case s < 120:
		return plain(s) + " s"
	case s < 2*3600:
		return plain(twoDigits(s/60)) + " minutes"
	case s < 48*3600:
		return plain(twoDigits(s/3600)) + " hours"
	case s < 365.25*24*3600:
		return plain(twoDigits(s/3600/24)) + " days"
	}
	return Number(s/3600/24/365.25) + " years"
}

func twoDigits(x float64) float64 {
	if x <= 0 || x > 1e300 { // rounding would reach infinity
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}

func plain(x float64) string {
	text := fmt.Sprintf("%.3f", x)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// Bytes returns a number of bytes, rounded to two digits, in a suitable unit.
func Bytes(b float64) string {
	for _, unit := range []string{"bytes", "kB", "MB", "GB", "TB"} {
		if b = twoDigits(b); b < 1000 {
			return plain(b) + " " + unit
		}
		b /= 1000
	}
	if b = twoDigits(b); b > 100 {
		return "more memory than any computer has"
	}
	return plain(b) + " PB"
}

// OneLine joins lines and replaces control characters. It is for errors, which may quote any input.
func OneLine(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	s = strings.Join(lines, "; ")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}
