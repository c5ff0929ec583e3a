package tiling

import (
	"strconv"
	"strings"
	"testing"
)

// TestRange: values stand for themselves before they are numbers of values.
func TestRange(t *testing.T) {
	p := Parameter{Name: "n", Values: []string{"5", "6", "2", "x"}}
	for text, want := range map[string]string{
		"5": "5", "2": "2", "1": "5", "4": "x", "1..2": "5 6 2", "6..x": "6 2 x", "5..4": "5 6 2 x",
	} {
		got, err := p.Range(text)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"2..5": `values "2..5" of parameter n run backwards, expected 5..2`,
		"0":    `parameter n has no value "0", expected 5, 6, 2 or x`,
		"7":    `parameter n has no value "7", expected 5, 6, 2 or x`,
		"":     `parameter n has no value "", expected 5, 6, 2 or x`,
	} {
		if got, err := p.Range(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
	var days []string
	for day := 1; day <= 31; day++ {
		days = append(days, strconv.Itoa(day))
	}
	p = Parameter{Name: "day", Values: days}
	if _, err := p.Find("40"); err == nil || err.Error() != `parameter day has no value "40", expected 1, 2, … or 31` {
		t.Error(err)
	}
}
