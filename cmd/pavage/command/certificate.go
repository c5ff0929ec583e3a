package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pavage/pavage/count"
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
	target := v.cert
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real // a link to a file stays one
	}
	partial := fmt.Sprintf("%s.%d.tmp", target, os.Getpid())
	f, err := os.OpenFile(partial, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, fail(codeUsage, v.certificateError(err))
	}
	defer os.Remove(partial) // fails once it has its name
	r, err := count.Certify(ctx, m.Problem, f, v.engine(), o)
	if closed := cmp.Or(f.Sync(), f.Close()); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(partial, target)
	}
	return &counted{Result: r}, v.certificateError(err)
}

// certificateError names the file that was asked for where another one is named.
func (v *countVerb) certificateError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("--certificate %s: %w", v.cert, path.Err)
	}
	return err
}
