package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/pavage/pavage/bench/report"
)

type run struct {
	user    time.Duration
	memory  int64             // peak memory in bytes; 0 if it was not measured
	failure string            // "" if the run succeeded
	printed [sha256.Size]byte // digest of the standard output
	head    string
	lines   int
}

func (r run) answer() string {
	first, _, _ := strings.Cut(r.head, "\n")
	if r.lines > 20 {
		return fmt.Sprintf("%d lines", r.lines)
	}
	return first
}

type reader struct {
	sum   hash.Hash
	head  []byte
	lines int
}

func (r *reader) Write(b []byte) (int, error) {
	r.head = append(r.head, b[:min(len(b), 256-min(len(r.head), 256))]...)
	r.lines += bytes.Count(b, []byte("\n"))
	return r.sum.Write(b)
}

// once returns an error only if there is no such program.
func once(program string, words []string, limit time.Duration) (r run, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	out, said := &reader{sum: sha256.New()}, &bytes.Buffer{}
	c := exec.CommandContext(ctx, program, words...)
	c.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "PAVAGE_") })
	c.Env = append(c.Env, "PAVAGE_THREADS=1")
	c.Stdout, c.Stderr = out, said
	var exit *exec.ExitError
	switch err := c.Run(); {
	case ctx.Err() != nil:
		r.failure = fmt.Sprintf("over %v", limit)
	case errors.As(err, &exit):
		r.failure = fmt.Sprintf("fails (%d)", exit.ExitCode())
		fmt.Fprintf(os.Stderr, "%s: %s", strings.Join(words, " "), said)
	case err != nil:
		return r, err
	}
	r.user, r.memory = c.ProcessState.UserTime(), report.Peak(c.ProcessState)
	r.printed, r.head, r.lines = [sha256.Size]byte(out.sum.Sum(nil)), string(out.head), out.lines
	return r, nil
}
