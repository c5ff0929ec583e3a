package store

import (
	"context"
	"errors"
	"io"
	"net/http"
)

type steady struct {
	o         *objects
	ctx       context.Context
	name      string
	from      int64
	left      int64
	body      io.ReadCloser
	version   string
	fruitless int // number of consecutive connections that returned no byte
}

func (o *objects) Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error) {
	if err := errors.Join(checkRange(from, length), check(ctx, name)); err != nil {
		return nil, err
	}
	if length == 0 { // HTTP has no empty range
		_, err := o.Size(ctx, name)
		return http.NoBody, err
	}
	s := &steady{o: o, ctx: ctx, name: name, from: from, left: length}
	if err := s.connect(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *steady) connect() error {
	err := s.o.retries.do(s.ctx, func() (err error) {
		s.body, s.version, err = s.o.read(s.ctx, s.o.at(s.name), s.from, s.left, s.version)
		return err
	})
	if err != nil && status(err) == http.StatusRequestedRangeNotSatisfiable {
		err = io.ErrUnexpectedEOF
	}
	return s.o.said(s.ctx, s.name, err)
}

func (s *steady) Read(p []byte) (int, error) {
	for s.left > 0 {
		n, err := s.body.Read(p[:min(int64(len(p)), s.left)])
		s.from, s.left = s.from+int64(n), s.left-int64(n)
		switch {
		case n > 0 || err == nil:
			s.fruitless = 0
			return n, nil
		case err == io.EOF: // the file ends within the range; after a broken connection, err is not io.EOF
			return 0, s.o.said(s.ctx, s.name, io.ErrUnexpectedEOF)
		}
		if s.fruitless++; s.fruitless == attempts || s.ctx.Err() != nil || !forNow(err) {
			return 0, s.o.said(s.ctx, s.name, err)
		}
		_ = s.body.Close()
		if err := s.connect(); err != nil {
			s.body = http.NoBody
			return 0, err
		}
	}
	return 0, io.EOF
}

func (s *steady) Close() error { return s.body.Close() }
