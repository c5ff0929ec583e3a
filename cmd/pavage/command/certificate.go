package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

func (v *countVerb) checkCertificate() error {
	if !v.given("certificate") {
		return nil
	}
	for _, flag := range []string{"distinct", "explain", "estimate", "modulo", "checkpoint", "checkpoint-every"} {
		if v.given(flag) {
			return usage("both --certificate and --%s given, want one or the other", flag)
		}
	}
	switch e := v.config.Engine; {
	case v.cert == "":
		return usage("--certificate is empty, want a file")
	case e == engineSAT || e == string(count.Search):
		return usage("engine is %s, whose counts have no certificates, want sweep or diagram", e)
	}
	return nil
}

// certify counts and writes a certificate. The file is there once it is whole.
func (v *countVerb) certify(ctx context.Context, m *tiling.Model, o count.Options) (*counted, error) {
	f, err := os.CreateTemp(filepath.Dir(v.cert), filepath.Base(v.cert)+".*.tmp")
	if err != nil {
		return nil, fail(codeUsage, fmt.Errorf("--certificate: %w", err))
	}
	defer os.Remove(f.Name()) // fails once it has its name
	r, err := count.Certify(ctx, m.Problem, f, o)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, err
	}
	if err := errors.Join(os.Chmod(f.Name(), 0o644), os.Rename(f.Name(), v.cert)); err != nil {
		return nil, err
	}
	return &counted{Result: r}, nil
}
