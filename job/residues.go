package job

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/tiling"
)

// Residues asks for the count modulo some numbers. These residues can check a count, since they
// are computed in other ways: by a sweep that adds residues, or by determinants modulo primes.
type Residues struct {
	Puzzle Puzzle  `json:"puzzle"`
	Moduli []Whole `json:"moduli" doc:"at most 16 numbers, each from 2 to 2^63"`
	Engine string  `json:"engine,omitempty" words:"auto sweep dimer" why:": only these count modulo a number" doc:"auto, sweep or dimer; auto by default"`

	Conditions
}

// MaxModulus is the largest value in Residues.Moduli.
const MaxModulus = count.MaxModulus

// Kind implements [Request].
func (*Residues) Kind() Kind { return "residues" }

func (r *Residues) check() error {
	for _, m := range r.Moduli {
		if m < 2 || m > MaxModulus {
			return bad("{moduli} is %q, expected numbers from 2 to %d, with commas between them", m, uint64(MaxModulus))
		}
	}
	return nil
}

func (r *Residues) predict(ctx context.Context, m *tiling.Model) Forecast {
	return forecast(count.Predict(ctx, m.Problem, cmp.Or(count.Engine(r.Engine), count.Auto)), float64(max(1, len(r.Moduli))))
}

func (r *Residues) do(ctx context.Context, w *work) (*ResiduesCounted, error) {
	if err := w.limits.checkDisk(); err != nil {
		return nil, err
	}
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	moduli := make([]uint64, len(r.Moduli))
	for i, x := range r.Moduli {
		moduli[i] = uint64(x)
	}
	o := w.options(Counting)
	o.Engine = cmp.Or(count.Engine(r.Engine), count.Auto)
	rests, result, err := count.Residues(ctx, m.Problem, moduli, nil, o)
	if err != nil {
		return nil, err
	}
	return &ResiduesCounted{
		Title: m.Puzzle.Title, Residues: residues(moduli, rests),
		Engine: string(result.Engine),
		Items:  len(m.Problem.Items), Options: len(m.Problem.Options),
		Effort:  result.Effort,
		Seconds: w.seconds(), Peak: machine.PeakMemory(), Disk: result.Disk,
		Conditions: r.Puzzle.told(&r.Conditions),
	}, nil
}

// ResiduesCounted is the answer to [Residues].
type ResiduesCounted struct {
	Title    string    `json:"title"`
	Residues []Residue `json:"residues"`
	Engine   string    `json:"engine"`
	Items    int       `json:"items"`
	Options  int       `json:"options"`
	Effort   Effort    `json:"effort"`
	Seconds  float64   `json:"seconds"`
	Peak     int64     `json:"peak_memory_bytes"`
	Disk     int64     `json:"disk_bytes,omitempty" doc:"bytes of the levels that did not fit in memory"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request: other tilings are not counted"`
}

// Residue is a count modulo a number.
type Residue struct {
	Modulus string `json:"modulus"`
	Residue string `json:"residue"`
}

func (r Residue) String() string { return fmt.Sprintf("%s modulo %s", r.Residue, r.Modulus) }

func residues(moduli, rests []uint64) []Residue {
	var all []Residue
	for i, m := range moduli {
		all = append(all, Residue{strconv.FormatUint(m, 10), strconv.FormatUint(rests[i], 10)})
	}
	return all
}
