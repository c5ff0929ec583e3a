package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/job"
)

// checkCertificate reports a file that a certificate cannot be written to.
func (v *countVerb) checkCertificate() error {
	if !v.given("certificate") {
		return nil
	}
	switch v.certificate {
	case "":
		return usage("--certificate is empty, want a file")
	case "-":
		return usage("--certificate is -, want a file: standard output has the count")
	}
	if e := v.config.Engine; e == job.EngineSAT || e == "search" || e == "dimer" {
		return usage("engine is %s, want sweep or diagram: only these write certificates", e)
	}
	if info, err := os.Stat(v.certificate); err == nil && !info.Mode().IsRegular() {
		return usage("--certificate: %s is not a regular file, want a file to overwrite or a new name", v.certificate)
	}
	return nil
}

// runCertify counts and writes a certificate. The file is there once it is whole.
func (v *countVerb) runCertify(ctx context.Context, puzzle job.Puzzle) error {
	w := v.newWatcher(job.Counting, v.json || v.mcc)
	watch := w.watch()
	var c *job.Counted
	begun := false
	err := atomicfile.WriteDurable(v.certificate, func(out io.Writer) (err error) {
		begun = true
		watch.Output = out
		c, err = (&job.Certify{Puzzle: puzzle, Conditions: v.request.Conditions, Engine: v.config.Engine, Distinct: v.request.Distinct, Formula: v.mcc}).Run(ctx, v.limits, watch)
		return err
	})
	w.bar.done()
	if err = v.certificateError(err); err != nil && !begun {
		return fail(codeUsage, err)
	}
	if err != nil {
		return err
	}
	return v.write(c)
}

// certificateError names the file that was asked for where another one is named.
func (v *countVerb) certificateError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("--certificate %s: %w", v.certificate, path.Err)
	}
	return err
}
