package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/atomicfile"
	"github.com/pavage/pavage/tiling"
)

func (v *countVerb) checkCertificate() error {
	if !v.given("certificate") {
		return nil
	}
	if err := v.alone("certificate", "distinct", "explain", "estimate", "modulo", "checkpoint", "checkpoint-every"); err != nil {
		return err
	}
	switch e := v.config.Engine; {
	case v.cert == "":
		return usage("--certificate is empty, want a file")
	case v.cert == "-":
		return usage("--certificate is -, want a file: standard output has the count")
	case e == engineSAT || e == string(count.Search):
		return usage("engine is %s, whose counts have no certificates, want sweep or diagram", e)
	}
	if info, err := os.Stat(v.cert); err == nil && !info.Mode().IsRegular() {
		return usage("--certificate: %s is no regular file, want one to write or a new name", v.cert)
	}
	return nil
}

// certify counts and writes a certificate. The file is there once it is whole.
func (v *countVerb) certify(ctx context.Context, m *tiling.Model, o count.Options) (*counted, error) {
	var r *count.Result
	begun := false
	err := atomicfile.WriteDurable(v.cert, func(w io.Writer) (err error) {
		begun = true
		r, err = count.Certify(ctx, m.Problem, w, v.engine(), o)
		return err
	})
	if err = v.certificateError(err); err != nil && !begun {
		err = fail(codeUsage, err)
	}
	return &counted{Result: r}, err
}

// certificateError names the file that was asked for where another one is named.
func (v *countVerb) certificateError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("--certificate %s: %w", v.cert, path.Err)
	}
	return err
}
