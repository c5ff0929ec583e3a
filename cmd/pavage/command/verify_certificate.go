package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

type certificateJSON struct {
	Digest  string  `json:"digest"` // of the exact cover, SHA-256
	Levels  int     `json:"levels"`
	States  int64   `json:"states"`
	Arcs    int64   `json:"arcs"`
	Bytes   int64   `json:"bytes"` // uncompressed
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"states_per_second"`
}

// checkCertificate is verify --certificate.
func (v *verifyVerb) checkCertificate(ctx context.Context, m *tiling.Model) error {
	file, err := os.Open(v.certificate)
	if err != nil {
		return fail(codeUsage, fmt.Errorf("--certificate: %w", err))
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return usage("--certificate: %s is a directory, want a file", v.certificate)
	}
	bar := v.newBar("checking")
	from := &counting{from: file}
	o := verify.CertificateOptions{Memory: v.options(nil).Memory, Progress: func(c verify.Certified) {
		bar.report(count.Progress{Fraction: min(1, float64(from.read)/float64(max(1, info.Size()))), Done: c.States, Unit: count.States})
	}}
	c, err := verify.CheckCertificate(ctx, m.Problem, from, o)
	bar.done()
	if err != nil && !errors.Is(err, verify.ErrCertificate) {
		err = v.coded(err)
	} else if err != nil {
		err = fmt.Errorf("%s: %w", v.certificate, err)
	}
	if written := v.writeCertified(m, c, err); written != nil {
		return written
	}
	return err
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

const (
	certified = "The certificate proves the count: of %d states on %d levels each choice leads where it has to, none is missing, and all sums are right (%d arcs)."
	certifies = "What is certified is the count of the exact cover, which this program has made of the puzzle: see pavage convert --to cover."
)

// writeCertified writes what was found; err is why the certificate is not accepted,
// nil if it is.
func (v *verifyVerb) writeCertified(m *tiling.Model, c *verify.Certified, err error) error {
	agrees := err == nil
	o := verifyJSON{Title: m.Puzzle.Title, Method: "certificate", Agrees: &agrees, Established: []string{}, Open: []string{}}
	if agrees {
		seconds := c.Elapsed.Seconds()
		o.Count, o.Seconds = c.Count.String(), seconds
		o.Established = append(o.Established, fmt.Sprintf(certified, c.States, c.Levels, c.Arcs))
		o.Open = append(o.Open, certifies)
		o.Certificate = &certificateJSON{c.Digest, c.Levels, c.States, c.Arcs, c.Bytes, seconds, float64(c.States) / max(seconds, 1e-9)}
	} else if errors.Is(err, verify.ErrCertificate) {
		o.Disagreement = oneLine(err.Error())
	} else {
		o.Agrees, o.Undecided = nil, oneLine(err.Error())
	}
	switch {
	case v.json:
		return writeJSON(v.Out, o)
	case agrees:
		return writeFindings(v.Out, c.Count.String()+"\nagrees\n", o.Established, o.Open)
	}
	return nil
}
