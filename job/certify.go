package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// Certify asks for a count with a certificate, from which another program sees
// that the count is right. Watch.Output takes the certificate; it is of no use if
// there is an error.
type Certify struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Engine   string   `json:"engine,omitempty" doc:"auto, sweep or diagram; auto if there is none"`
	Distinct Distinct `json:"distinct,omitempty" doc:"certify also the count up to the symmetries of the board: usual, rotations or all"`
	Formula  bool     `json:"formula,omitempty" doc:"answer with the type of the puzzle's formula too"`

	Conditions
}

// Kind implements [Request].
func (*Certify) Kind() Kind { return "certify" }

// Check implements [Request].
func (r *Certify) Check() error {
	if r.Engine != "" && !slices.Contains([]count.Engine{count.Auto, count.Sweep, count.Diagram}, count.Engine(r.Engine)) {
		return bad("engine is %.40s, want sweep or diagram: only these write certificates", r.Engine)
	}
	return cmp.Or(r.Distinct.check(), r.Conditions.check(), r.Puzzle.check())
}

// key implements keyer.
func (r Certify) key(p *sought) (any, bool) {
	r.Puzzle, r.Engine, r.Distinct = p.digest(titled), unlessAuto(r.Engine), p.upTo(r.Distinct)
	return r, true
}

// predict implements Predict: with the engine auto, a certificate is of a sweep.
func (r *Certify) predict(ctx context.Context, m *tiling.Model) Forecast {
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	e := count.Sweep
	if count.Engine(r.Engine) == count.Diagram {
		e = count.Diagram
	}
	return forecast(count.Predict(ctx, m.Problem, e), s.elements())
}

func (r *Certify) do(ctx context.Context, w *work) (*Counted, error) {
	out, err := w.output()
	if err != nil {
		return nil, err
	}
	m, s, err := w.onDisk(ctx, &r.Puzzle, &r.Conditions, r.Distinct)
	if err != nil {
		return nil, err
	}
	var answer *Counted
	e, o := count.Engine(r.Engine), w.options(Counting)
	if s == nil {
		result, err := count.Certify(ctx, m.Problem, out, e, o)
		if err != nil {
			return nil, err
		}
		answer = w.counted(m, result)
	} else {
		result, err := count.CertifyDistinct(ctx, m.Problem, s.group(), out, e, o)
		if err != nil {
			return nil, err
		}
		answer = w.counted(m, result.Total)
		answer.Distinct = s.distinct(result)
	}
	answer.Conditions = r.Puzzle.told(&r.Conditions)
	if r.Formula {
		answer.Formula, err = w.formulaType(ctx, m)
	}
	return answer, err
}

// Check asks whether a certificate proves the count of a puzzle. Watch.Input gives
// the certificate. There is an answer also where the certificate is not accepted, and where a
// limit was reached before the end.
type Check struct {
	Puzzle Puzzle `json:"puzzle"`
	Name   string `json:"name,omitempty" doc:"what errors call the certificate"`

	Distinct Distinct `json:"distinct,omitempty" doc:"the certificate has to be of the count up to these symmetries of the board: usual, rotations or all; without it also such a certificate is checked, and one of the count of all tilings"`

	Conditions
}

// Kind implements [Request].
func (*Check) Kind() Kind { return "check" }

// Check implements [Request].
func (r *Check) Check() error {
	return cmp.Or(r.Distinct.check(), r.Conditions.check(), r.Puzzle.check())
}

func (r *Check) do(ctx context.Context, w *work) (*Verified, error) {
	if w.watch.Input == nil {
		return nil, errors.New("there is no certificate to check")
	}
	m, s, err := w.onDisk(ctx, &r.Puzzle, &r.Conditions, r.Distinct)
	if err != nil {
		return nil, err
	}
	from := &counting{from: w.watch.Input}
	o := verify.CertificateOptions{Memory: w.limits.Memory, Disk: w.limits.Disk, Progress: func(c verify.Certified) {
		if w.watch.Progress != nil {
			w.watch.Progress(Progress{
				Doing: CheckingCertificate, Fraction: min(1, float64(from.read)/float64(max(1, w.watch.InputBytes))), Done: c.States, Unit: "states",
			})
		}
	}}
	o.Group = func(order int) []cover.Symmetry {
		if r.Distinct == "" {
			s = symmetryOf(ctx, m, order)
		}
		return s.group()
	}
	c, err := verify.CheckCertificate(ctx, m.Problem, from, o)
	if err == nil && r.Distinct != "" && c.Distinct == nil {
		err = fmt.Errorf("%w: it is of the count of all tilings, want one of the count up to symmetry", verify.ErrCertificate)
	}
	if err != nil && errors.Is(err, verify.ErrCertificate) && r.Name != "" {
		err = fmt.Errorf("%s: %w", r.Name, err)
	}
	err = explained(ctx, err)
	agrees := err == nil
	answer := &Verified{
		Title: m.Puzzle.Title, Method: "certificate", Agrees: &agrees, Established: []string{}, Open: []string{}, Conditions: r.Puzzle.told(&r.Conditions),
	}
	switch {
	case agrees:
		seconds := c.Elapsed.Seconds()
		answer.Count, answer.Seconds = c.Count.String(), seconds
		if d := c.Distinct; d != nil {
			answer.Distinct = s.count(d.Count)
			for _, k := range d.Classes {
				answer.Distinct.Fix = append(answer.Distinct.Fix, Fix{Motion: s.Elements[k.Element].Motion, Elements: k.Elements, Count: k.Fixed.String()})
			}
			answer.Established = append(answer.Established,
				fmt.Sprintf(provesAll, len(d.Classes), c.States, c.Levels, c.Arcs, d.Order),
				fmt.Sprintf(group, s.Name, d.Order))
		} else if u := c.Unmet; u != nil {
			answer.Established = append(answer.Established, fmt.Sprintf(unmet, m.Problem.Items[u.Item].Name, u.Min))
		} else {
			answer.Established = append(answer.Established, fmt.Sprintf(proves, c.States, c.Levels, c.Arcs))
		}
		answer.Open = append(answer.Open, certifies)
		answer.Certificate = &Certificate{c.Digest, c.Levels, c.States, c.Arcs, c.Bytes, seconds, float64(c.States) / max(seconds, 1e-9)}
	case errors.Is(err, verify.ErrCertificate):
		answer.Disagreement = human.OneLine(err.Error())
	default:
		answer.Agrees, answer.Undecided = nil, human.OneLine(err.Error())
	}
	return answer, err
}

// symmetryOf is the one whose group has so many elements, that of rotations if both have; if
// neither has, the usual one, and nil of a cover.
func symmetryOf(ctx context.Context, m *tiling.Model, order int) *symmetry {
	for _, d := range []Distinct{DistinctRotations, DistinctAll} {
		if s, err := d.symmetry(ctx, m); err == nil && len(s.Elements) == order {
			return s
		}
	}
	s, _ := DistinctUsual.symmetry(ctx, m)
	return s
}

// counting counts the bytes read.
type counting struct {
	from io.Reader
	read int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	c.read += int64(n)
	return n, err
}

// Certificate is what was seen of a certificate that proves the count.
type Certificate struct {
	Digest  string  `json:"digest" doc:"of the exact cover, SHA-256"`
	Levels  int     `json:"levels"`
	States  int64   `json:"states"`
	Arcs    int64   `json:"arcs"`
	Bytes   int64   `json:"bytes" doc:"uncompressed"`
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"states_per_second"`
}

const (
	provesAll = "The certificate proves how many tilings each motion of the board leaves as they are. It has a certificate for each of the %d classes of motions; in all of them each choice leads where it has to, none is missing, and all sums are right (%d states on %d levels, %d arcs). The mean of these %d numbers is the count up to symmetry."
	group     = "The motions are those of the board, found anew: the group %s of order %d. They take placements to placements, two one after the other are a third, and each is in one of the classes."
	proves    = "The certificate proves the count: of %d states on %d levels each choice leads where it has to, none is missing, and all sums are right (%d arcs)."
	unmet     = "The certificate proves that there is no tiling: %q has to be used %d times or more, and no choice of placements uses it so often."
	certifies = "What is certified is the count of the exact cover, which this program has made of the puzzle: see pavage convert --to cover."
)
