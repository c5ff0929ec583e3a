package child

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pavage/pavage/job"
)

// built returns the path of the program, which starts faster than the program of the tests.
func built(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "pavage")
	if text, err := exec.Command("go", "build", "-o", program, "../../cmd/pavage").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, text)
	}
	return program
}

// BenchmarkRun measures the start, a small answer, and the end of a child.
func BenchmarkRun(b *testing.B) {
	o := Options{Program: built(b), Temp: b.TempDir()}
	for b.Loop() {
		if _, err := Run(b.Context(), o, dominoes("8x8"), Sink{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTilings measures 10^6 tilings through the pipe or, for comparison, through the standard output
// of the command line.
func BenchmarkTilings(b *testing.B) {
	program := built(b)
	const n = 1_000_000
	b.Run("child", func(b *testing.B) {
		o := Options{Program: program, Temp: b.TempDir()}
		task := Task{Kind: "sample", Request: []byte(fmt.Sprintf(`{"puzzle":{"board":"8x8","pieces":["domino=any"]},"number":"%d","seed":"7"}`, n))}
		for range b.N {
			lines := 0
			count := func(text []byte) error { lines += bytes.Count(text, []byte("\n")); return nil }
			if _, err := Run(b.Context(), o, task, Sink{Output: writes(count)}); err != nil || lines != n {
				b.Fatal(lines, err)
			}
		}
		b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "tilings/s")
	})
	b.Run("command", func(b *testing.B) {
		for range b.N {
			cmd := exec.Command(program, "sample", "--board", "8x8", "--piece", "domino=any", "-n", fmt.Sprint(n), "--seed", "7", "--json")
			lines := 0
			cmd.Stdout, cmd.Stderr = counting{&lines}, os.Stderr
			if err := cmd.Run(); err != nil || lines != n {
				b.Fatal(lines, err)
			}
		}
		b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "tilings/s")
	})
}

// counting counts lines.
type counting struct{ lines *int }

func (c counting) Write(b []byte) (int, error) {
	*c.lines += bytes.Count(b, []byte("\n"))
	return len(b), nil
}

// BenchmarkCancel measures the time from a cancel to the error, for work with two threads.
func BenchmarkCancel(b *testing.B) {
	o := Options{Program: built(b), Temp: b.TempDir()}
	task, _ := long(nil)
	task.Limits.Threads = 2
	var took []time.Duration
	b.ResetTimer()
	for i := range b.N {
		ctx, cancel := context.WithCancel(b.Context())
		var begun time.Duration
		progress := 0
		_, err := Run(ctx, o, task, Sink{Progress: func(job.Progress) {
			if progress++; progress == 1+i%5 { // at different stages of the work
				begun = b.Elapsed()
				cancel()
			}
		}})
		took = append(took, b.Elapsed()-begun)
		if job.KindOf(err) != job.Interruption {
			b.Fatal(err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)*99/100].Seconds()*1e3, "p99-ms")
	b.ReportMetric(took[len(took)-1].Seconds()*1e3, "max-ms")
}

// BenchmarkFlood measures only the pipe: 100 MiB of lines that cost nothing to make.
func BenchmarkFlood(b *testing.B) {
	const lines = 100 << 10
	o := Options{Env: []string{playing + "=floods"}, Temp: b.TempDir()}
	task := Task{Kind: "sample", Request: []byte(fmt.Sprint(lines))}
	b.SetBytes(lines << 10)
	for range b.N {
		if _, err := Run(b.Context(), o, task, Sink{Output: writes(func([]byte) error { return nil })}); err != nil {
			b.Fatal(err)
		}
	}
}
