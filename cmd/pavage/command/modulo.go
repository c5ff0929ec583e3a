package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// residueJSON is a count modulo a number. Both may pass what a JavaScript number
// holds, and are strings.
type residueJSON struct {
	Modulus string `json:"modulus"`
	Residue string `json:"residue"`
}

// residuesJSON is the object of count --modulo --json.
type residuesJSON struct {
	Title    string        `json:"title"`
	Residues []residueJSON `json:"residues"`
	Engine   string        `json:"engine"`
	Items    int           `json:"items"`
	Options  int           `json:"options"`
	Effort   effort        `json:"effort"`
	Seconds  float64       `json:"seconds"`
	Peak     int64         `json:"peak_memory_bytes"`
	Disk     int64         `json:"disk_bytes,omitempty"`
}

// moduli are those of --modulo.
func (v *countVerb) moduli() ([]uint64, error) {
	if err := v.alone("modulo", "mcc", "distinct", "explain", "checkpoint", "checkpoint-every"); err != nil {
		return nil, err
	}
	if e := v.config.Engine; v.given("engine") && e != string(count.Sweep) {
		return nil, usage("--engine is %s, want sweep: that is how residues are counted", e)
	}
	var moduli []uint64
	for _, field := range v.modulo {
		m, err := strconv.ParseUint(strings.TrimSpace(field), 10, 64)
		if err != nil || m < 2 || m > count.MaxModulus {
			return nil, usage("--modulo is %.40q, want a number from 2 to %d, or some with commas between them", field, uint64(count.MaxModulus))
		}
		moduli = append(moduli, m)
	}
	return moduli, nil
}

// residues is count --modulo: the count modulo some numbers, which is not made
// itself.
func (v *countVerb) residues(ctx context.Context, m *tiling.Model, moduli []uint64) error {
	start := time.Now()
	bar := v.newBar("counting")
	residues, r, err := count.Residues(ctx, m.Problem, moduli, nil, v.options(bar.report))
	bar.done()
	if err != nil {
		return err
	}
	if !v.json {
		for i, x := range residues {
			fmt.Fprintf(v.Out, "%d modulo %d\n", x, moduli[i])
		}
		return nil
	}
	o := residuesJSON{
		Title: m.Puzzle.Title, Engine: string(r.Engine), Items: len(m.Problem.Items), Options: len(m.Problem.Options),
		Effort: effortOf(r), Seconds: time.Since(start).Seconds(), Peak: peakMemory(), Disk: r.Disk,
	}
	for i, x := range residues {
		o.Residues = append(o.Residues, residueJSON{strconv.FormatUint(moduli[i], 10), strconv.FormatUint(x, 10)})
	}
	return writeJSON(v.Out, o)
}
