package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"  // s3://
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// objects is a store at an address that Beam supports. Beam's file systems can read a file only
// from its beginning, so for gs:// and s3:// the field read uses another client.
type objects struct {
	where   string // address, without a slash at its end
	fs      filesystem.Interface
	read    reader
	aborts  bool // whether Close discards an upload whose context has ended
	retries *retries
	limit   time.Duration // callTime except in tests
}

// reader opens length bytes of an object, or all bytes to its end if length is negative. The
// argument from is the offset of the first byte. The string in the result is the version of the
// object. If the argument version is not empty, the object must have this version.
type reader func(ctx context.Context, address string, from, length int64, version string) (io.ReadCloser, string, error)

// callTime limits a call, since Beam's client of gs:// retries until its context ends. A list of
// 100,000 names needs about 20 s.
const callTime = 2 * time.Minute

// errSlow is the error of a call that callTime has ended. It wraps no error of a context, since the
// context of the caller has not ended.
var errSlow = errors.New("no answer")

func openObjects(ctx context.Context, where string) (*objects, error) {
	scheme, rest, _ := strings.Cut(where, "://")
	rest = strings.TrimRight(rest, "/")
	if err := CheckName(rest); err != nil {
		return nil, fmt.Errorf("%w: %s does not name a bucket, expected a bucket and perhaps a folder after ://, with only letters, digits and the characters -_./", ErrPlace, where)
	}
	o := &objects{where: scheme + "://" + rest, retries: &retries{wait: wait}, limit: callTime}
	if err := o.connect(context.WithoutCancel(ctx), scheme); err != nil { // clients outlive this call, and use the context to fetch tokens
		return nil, fmt.Errorf("%w: %s: %w", ErrPlace, where, oneLine(err))
	}
	if _, err := o.List(ctx, ""); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPlace, err)
	}
	return o, nil
}

func (o *objects) connect(ctx context.Context, scheme string) (err error) {
	switch scheme {
	case "gs":
		o.read, err = googleReader(ctx)
		o.aborts = true
	case "s3":
		o.read, err = amazonReader(ctx)
		o.aborts = true
	default:
		o.read = o.beamReader
	}
	if err == nil {
		o.fs, err = newFilesystem(ctx, o.where)
	}
	return err
}

// newFilesystem returns an error if filesystem.New panics because it cannot read the settings.
func newFilesystem(ctx context.Context, where string) (_ filesystem.Interface, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return filesystem.New(ctx, where)
}

func (o *objects) at(name string) string { return o.where + "/" + name }

func (o *objects) do(ctx context.Context, name string, call func(context.Context) error) error {
	err := o.retries.do(ctx, func() error {
		within, cancel := context.WithTimeout(ctx, o.limit)
		defer cancel()
		err := call(within)
		if err != nil && within.Err() != nil && ctx.Err() == nil {
			return fmt.Errorf("%w within %v", errSlow, o.limit)
		}
		return err
	})
	return o.said(ctx, name, err)
}

func (o *objects) said(ctx context.Context, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case gone(err):
		return fmt.Errorf("%w: %s", ErrMissing, o.at(name))
	}
	return fmt.Errorf("%s: %w", o.at(name), oneLine(err))
}

func gone(err error) bool {
	var head *types.NotFound
	var get *types.NoSuchKey
	return errors.Is(err, storage.ErrObjectNotExist) || errors.Is(err, fs.ErrNotExist) || errors.As(err, &head) || errors.As(err, &get)
}

func (o *objects) Read(ctx context.Context, name string, most int64) (data []byte, err error) {
	if err := check(ctx, name); err != nil {
		return nil, err
	}
	err = o.do(ctx, name, func(ctx context.Context) error {
		r, _, err := o.read(ctx, o.at(name), 0, -1, "")
		if err != nil {
			return err
		}
		defer r.Close()
		data, err = readMost(r, name, most)
		return err
	})
	return data, err
}

func (o *objects) Size(ctx context.Context, name string) (size int64, err error) {
	if err := check(ctx, name); err != nil {
		return 0, err
	}
	err = o.do(ctx, name, func(ctx context.Context) error {
		size, err = o.fs.Size(ctx, o.at(name))
		return err
	})
	return size, err
}

func (o *objects) List(ctx context.Context, folder string) (names []string, err error) {
	if err := errors.Join(ctx.Err(), checkFolder(folder)); err != nil {
		return nil, err
	}
	err = o.do(ctx, folder, func(ctx context.Context) error {
		names, err = o.fs.List(ctx, o.at(path.Join(folder, "*")))
		return err
	})
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], o.at(""))
	}
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool { return CheckName(name) != nil }), err
}

func (o *objects) Remove(ctx context.Context, name string) error {
	if err := check(ctx, name); err != nil {
		return err
	}
	remover, ok := o.fs.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("%w: Beam cannot remove files at %s", ErrPlace, o.where)
	}
	err := o.do(ctx, name, func(ctx context.Context) error { return remover.Remove(ctx, o.at(name)) })
	if errors.Is(err, ErrMissing) {
		return nil
	}
	return err
}

type upload struct {
	to   *objects
	file *os.File
}

func (o *objects) Stage(ctx context.Context) (Staged, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "pavage-staged-*")
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary file for an upload: %w", err)
	}
	_ = os.Remove(file.Name()) // the open file can still be used, and disappears when the process dies
	return &upload{o, file}, nil
}

func (u *upload) Write(p []byte) (int, error) { return u.file.Write(p) }

func (u *upload) Discard() {
	_ = u.file.Close()
	_ = os.Remove(u.file.Name()) // for systems on which Stage cannot remove the open file
}

func (u *upload) Commit(ctx context.Context, name string) error {
	if err := check(ctx, name); err != nil {
		return err
	}
	err := u.to.retries.do(ctx, func() error { return u.send(ctx, u.to.at(name)) })
	if err == nil {
		u.Discard()
	}
	return u.to.said(ctx, name, err)
}

// send commits the whole file or nothing. After an error it cancels the context of the upload. Then
// it calls Close only if the client discards a canceled upload.
func (u *upload) send(ctx context.Context, address string) error {
	if _, err := u.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := u.to.fs.OpenWrite(ctx, address)
	if err != nil {
		return err
	}
	if _, err = io.Copy(w, u.file); err == nil {
		err = ctx.Err()
	}
	if err == nil {
		return w.Close()
	}
	if cancel(); u.to.aborts {
		_ = w.Close()
	}
	return err
}
