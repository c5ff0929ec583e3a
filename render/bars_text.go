package render

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// BarsText writes the bars for a terminal, a line each, with the exact counts as far as they have room.
// Errors are as for Text.
//
//	dominoes                      tilings
//	       0                            1  ▎
//	       1                            7  █████▎
func BarsText(w io.Writer, b Bars, o TextOptions) error {
	b, err := b.check()
	if err != nil {
		return err
	}
	if o, err = o.checked(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if b.Title != "" {
		fmt.Fprintln(out, strings.Map(printable, b.Title))
	}
	labels, counts := b.columns(b.Axis, b.Labels), make([]string, len(b.Values))
	for k, v := range b.Values {
		counts[k] = counted(v, longCount)
	}
	numbers := b.columns(b.Of, counts)
	room := max(barColumns, o.Width-labels-numbers-5)
	head := fmt.Sprintf("%*s  %*s", labels, strings.Map(printable, b.Axis), numbers, b.Of)
	scale := b.scaleOf()
	if scale.log {
		head += "  (bars on a logarithmic scale)"
	}
	fmt.Fprintln(out, strings.TrimRight(head, " "))
	for k, v := range b.Values {
		length := scale.length(v) * float64(room)
		eighths := int(length*8 + 0.5)
		bar := strings.Repeat("█", eighths/8)
		if rest := eighths % 8; rest > 0 {
			bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
		}
		if bar == "" && v.Sign() > 0 {
			bar = "▏"
		}
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("%*s  %*s  %s", labels, strings.Map(printable, b.Labels[k]), numbers, counts[k], bar), " "))
	}
	return out.Flush()
}

// barColumns is the least length of the longest bar, in columns.
const barColumns = 20

// columns is the width of texts below their head.
func (b Bars) columns(head string, texts []string) int {
	n := utf8.RuneCountInString(head)
	for _, t := range texts {
		n = max(n, utf8.RuneCountInString(t))
	}
	return n
}
