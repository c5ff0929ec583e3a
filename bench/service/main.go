// Service measures a service as its clients see it, and writes the table of
// bench/service.md.
//
//	go build -o pavage ./cmd/pavage
//	go run ./bench/service -pavage ./pavage
//
// It starts the service in a temporary folder and connects over loopback, so clients and service
// share one machine. The table describes each figure. A figure is from a single run.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pavage/pavage/bench/report"
	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

type bench struct {
	program, data, url string
	process            *exec.Cmd
	http               *http.Client
	client             *client.Client
}

func main() {
	program := flag.String("pavage", "pavage", "the program that is measured")
	flag.Parse()
	if err := run(*program); err != nil {
		fmt.Fprintln(os.Stderr, "service:", err)
		os.Exit(1)
	}
}

func run(program string) error {
	folder, err := os.MkdirTemp("", "pavage-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	b := &bench{program: program, data: filepath.Join(folder, "data")}
	b.http = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	if _, err := b.start(); err != nil {
		return err
	}
	defer func() { _ = b.stop() }()
	fmt.Printf("# The service: what clients wait for\n\nMade by `make bench-service` on %s; %s.\n"+
		"Clients and service share the machine.\n\n| what | figures |\n|---|---|\n",
		report.Today(), report.Machine())
	for _, part := range []struct {
		what string
		do   func(context.Context) (string, error)
	}{
		{"200 small jobs one after another, with wait: time beyond the engine's own", b.smallJobs},
		{"100 clients with 1,000 GET /v1/count each of a known count", b.cached},
		{"10^6 samples of 8x8 dominoes: streamed, and by the command line", b.samples},
		{"500 long jobs canceled, by 20 clients: from the request to the end of the job", b.cancels},
		{"1,000 connections that send half an HTTP header: GET /healthz meanwhile; time until all are closed", b.slow},
		{"10,000 more jobs that end at once, by 20 clients; then a restart", b.restart},
	} {
		figures, err := part.do(context.Background())
		if err != nil {
			return fmt.Errorf("%s: %w", part.what, err)
		}
		fmt.Printf("| %s | %s |\n", part.what, figures)
	}
	return nil
}

func (b *bench) start() (took time.Duration, err error) {
	begun := time.Now()
	b.process = exec.Command(b.program, "serve", "--data", b.data, "--listen", "127.0.0.1:0", "--log-level", "warn")
	out, err := b.process.StderrPipe()
	if err != nil {
		return 0, err
	}
	if err := b.process.Start(); err != nil {
		return 0, err
	}
	at := regexp.MustCompile(`serves at (http://\S+),`)
	lines := bufio.NewScanner(out)
	for b.url = ""; b.url == "" && lines.Scan(); {
		if m := at.FindStringSubmatch(lines.Text()); m != nil {
			b.url = m[1]
		}
	}
	go func() { _, _ = io.Copy(os.Stderr, out) }()
	if b.url == "" {
		return 0, fmt.Errorf("the service did not print its address: %w", b.process.Wait())
	}
	if b.client, err = client.New(b.url); err != nil {
		return 0, err
	}
	b.client.HTTP = b.http
	return time.Since(begun), b.get("/readyz")
}

func (b *bench) stop() error {
	b.http.CloseIdleConnections()
	if err := b.process.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return b.process.Wait()
}

func (b *bench) get(path string) error {
	answer, err := b.http.Get(b.url + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s, %w", path, answer.Status, err)
	}
	return nil
}

type times struct {
	mu  sync.Mutex
	all []time.Duration
	err error
}

func (t *times) of(do func() error) {
	begun := time.Now()
	err := do()
	t.add(time.Since(begun), err)
}

func (t *times) add(d time.Duration, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, d)
	if t.err == nil {
		t.err = err
	}
}

func (t *times) String() string {
	slices.Sort(t.all)
	part := func(of100 int) time.Duration { return t.all[len(t.all)*of100/100].Round(10 * time.Microsecond) }
	return fmt.Sprintf("p50 %v, p99 %v", part(50), part(99))
}

func by(clients, n int, do func(i int)) {
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for i := c; i < n; i += clients {
				do(i)
			}
		})
	}
	all.Wait()
}

func (b *bench) smallJobs(ctx context.Context) (string, error) {
	var t times
	for i := range 200 {
		r := &job.Count{Puzzle: job.Puzzle{Board: fmt.Sprintf("%dx%d", 3+i%8, 3+i/8), Pieces: []string{"domino=any", "monomino=0..2"}}}
		begun := time.Now()
		j, err := b.client.Submit(ctx, r, client.Limits{}, time.Minute)
		took := time.Since(begun)
		if err != nil {
			return "", err
		}
		var answer job.Counted
		if err := json.Unmarshal(j.Answer, &answer); err != nil {
			return "", err
		}
		t.add(took-time.Duration(answer.Seconds*float64(time.Second)), nil)
	}
	return t.String(), nil
}

func (b *bench) cached(context.Context) (string, error) {
	const path, n = "/v1/count?board=8x8&piece=domino=any", 100_000
	if err := b.get(path); err != nil {
		return "", err
	}
	var t times
	begun := time.Now()
	by(100, n, func(int) { t.of(func() error { return b.get(path) }) })
	return fmt.Sprintf("%.0f requests a second, %v", n/time.Since(begun).Seconds(), &t), t.err
}

func (b *bench) samples(context.Context) (string, error) {
	var here, there times
	here.of(func() error { return b.get("/v1/samples?board=8x8&piece=domino=any&n=1000000&seed=7") })
	there.of(func() error {
		return exec.Command(b.program, "sample", "--board", "8x8", "--piece", "domino=any", "-n", "1000000", "--seed", "7", "--json").Run()
	})
	if here.err != nil {
		return "", here.err
	}
	return fmt.Sprintf("%.2f s and %.2f s; peak of the service %s", here.all[0].Seconds(), there.all[0].Seconds(), b.peak()), there.err
}

// peak returns the peak memory of the service, which only Linux reports.
func (b *bench) peak() string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.process.Process.Pid))
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(value)
		}
	}
	return "not known"
}

func (b *bench) cancels(ctx context.Context) (string, error) {
	var t times
	by(20, 500, func(i int) {
		r := &job.Count{Puzzle: job.Puzzle{Board: "16x16", Pieces: []string{"tetrominoes=any", fmt.Sprintf("domino=0..%d", i+1)}}, Engine: "sweep"}
		j, err := b.client.Submit(ctx, r, client.Limits{}, 0)
		if err != nil {
			t.add(0, err)
			return
		}
		t.of(func() error {
			if _, err := b.client.Cancel(ctx, j.ID); err != nil {
				return err
			}
			_, err := b.client.Wait(ctx, j.ID)
			return err
		})
	})
	return t.String(), t.err
}

func (b *bench) slow(ctx context.Context) (string, error) {
	var t times
	var closed sync.WaitGroup
	begun := time.Now()
	for range 1000 {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(b.url, "http://"))
		if err != nil {
			return "", err
		}
		defer c.Close()
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n"); err != nil {
			return "", err
		}
		closed.Go(func() { _, _ = io.Copy(io.Discard, c) })
	}
	for range 1000 {
		t.of(func() error { return b.get("/healthz") })
	}
	closed.Wait()
	return fmt.Sprintf("%v; all closed after %.1f s", &t, time.Since(begun).Seconds()), t.err
}

func (b *bench) restart(ctx context.Context) (string, error) {
	var t times
	begun := time.Now()
	by(20, 10_000, func(int) {
		t.of(func() error {
			_, err := b.client.Submit(ctx, &job.Count{Puzzle: job.Puzzle{Board: "8x8", Pieces: []string{"domino=any"}}}, client.Limits{}, 0)
			return err
		})
	})
	took := time.Since(begun)
	if t.err != nil {
		return "", t.err
	}
	if err := b.stop(); err != nil {
		return "", err
	}
	ready, err := b.start()
	return fmt.Sprintf("%.0f jobs a second, %v; ready after %.2f s", 10_000/took.Seconds(), &t, ready.Seconds()), err
}
