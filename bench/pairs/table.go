package main

import (
	"fmt"
	"slices"
	"strings"
)

type pairs struct {
	all  [][2]run
	last [2]run
}

func (p *pairs) text(r row) string {
	cells := []string{r.name, p.answer()}
	seconds := func(x run) float64 { return x.user.Seconds() }
	megabytes := func(x run) float64 { return float64(x.memory) / 1e6 }
	cells = append(cells, p.figures(seconds, func(v float64) string { return fmt.Sprintf("%.*f", decimals(v), v) })...)
	cells = append(cells, p.figures(megabytes, func(v float64) string { return fmt.Sprintf("%.0f", v) })...)
	return "| " + strings.Join(append(cells, fmt.Sprint(len(p.all))), " | ") + " |"
}

func decimals(v float64) int {
	if v < 1 {
		return 3
	}
	return 2
}

func (p *pairs) answer() string {
	for _, x := range []run{p.last[1], p.last[0]} {
		if x.failure == "" {
			return x.answer()
		}
	}
	return ""
}

func (p *pairs) figures(of func(run) float64, text func(float64) string) []string {
	var cells []string
	for i := range p.last {
		if f := p.last[i].failure; f != "" {
			cells = append(cells, f)
			continue
		}
		cells = append(cells, text(median(p.all, func(pair [2]run) float64 { return of(pair[i]) })))
	}
	if p.last[0].failure != "" || p.last[1].failure != "" {
		return append(cells, "")
	}
	const least = 1e-3 // avoids a division by 0: the system may report 0 s for a short process
	return append(cells, fmt.Sprintf("%.2f", median(p.all, func(pair [2]run) float64 {
		return max(least, of(pair[1])) / max(least, of(pair[0]))
	})))
}

func median(all [][2]run, of func([2]run) float64) float64 {
	var values []float64
	for _, pair := range all {
		values = append(values, of(pair))
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
