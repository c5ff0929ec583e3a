package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/pavage/pavage/internal/human"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// Check asks whether a certificate proves the count of a puzzle. Watch.Input gives
// the certificate.
type Check struct {
	Puzzle Puzzle `json:"puzzle"`
	Name   string `json:"name,omitempty" doc:"what errors call the certificate"`

	Conditions
}

// Kind implements [Request].
func (*Check) Kind() Kind { return CheckKind }

// Check implements [Request].
func (r *Check) Check() error { return cmp.Or(r.Conditions.check(), r.Puzzle.check()) }

// Run does the work. There is an answer also where the certificate is not accepted,
// and where a limit was reached before the end.
func (r *Check) Run(ctx context.Context, l Limits, w Watch) (*Verified, error) {
	return run[Verified](ctx, r, l, w)
}

func (r *Check) do(ctx context.Context, w *work) (Answer, error) {
	if w.watch.Input == nil {
		return nil, errors.New("there is no certificate to check")
	}
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	from := &counting{from: w.watch.Input}
	o := verify.CertificateOptions{Memory: w.limits.Memory, Progress: func(c verify.Certified) {
		if w.watch.Progress != nil {
			w.watch.Progress(Progress{
				Doing: CheckingCertificate, Fraction: min(1, float64(from.read)/float64(max(1, w.watch.InputBytes))), Done: c.States, Unit: "states",
			})
		}
	}}
	c, err := verify.CheckCertificate(ctx, m.Problem, from, o)
	if err != nil && errors.Is(err, verify.ErrCertificate) && r.Name != "" {
		err = fmt.Errorf("%s: %w", r.Name, err)
	}
	err = explained(ctx, err)
	answer := certified(m, c, err)
	answer.Conditions = r.Puzzle.told(&r.Conditions)
	return answer, err
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
	proves    = "The certificate proves the count: of %d states on %d levels each choice leads where it has to, none is missing, and all sums are right (%d arcs)."
	unmet     = "The certificate proves that there is no tiling: %q has to be used %d times or more, and no choice of placements uses it so often."
	certifies = "What is certified is the count of the exact cover, which this program has made of the puzzle: see pavage convert --to cover."
)

// certified is what was found; err is why the certificate is not accepted, nil if
// it is.
func certified(m *tiling.Model, c *verify.Certified, err error) *Verified {
	agrees := err == nil
	o := &Verified{Title: m.Puzzle.Title, Method: "certificate", Agrees: &agrees, Established: []string{}, Open: []string{}}
	switch {
	case agrees:
		seconds := c.Elapsed.Seconds()
		o.Count, o.Seconds = c.Count.String(), seconds
		if u := c.Unmet; u != nil {
			o.Established = append(o.Established, fmt.Sprintf(unmet, m.Problem.Items[u.Item].Name, u.Min))
		} else {
			o.Established = append(o.Established, fmt.Sprintf(proves, c.States, c.Levels, c.Arcs))
		}
		o.Open = append(o.Open, certifies)
		o.Certificate = &Certificate{c.Digest, c.Levels, c.States, c.Arcs, c.Bytes, seconds, float64(c.States) / max(seconds, 1e-9)}
	case errors.Is(err, verify.ErrCertificate):
		o.Disagreement = human.OneLine(err.Error())
	default:
		o.Agrees, o.Undecided = nil, human.OneLine(err.Error())
	}
	return o
}
