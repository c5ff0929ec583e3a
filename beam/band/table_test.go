package band

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
)

// user returns the processor time of this process in seconds.
func user() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

// BenchmarkBands counts tetrominoes in bands of several lengths, cut into 8 and 64 tasks, one after the
// other, in a folder. bench/many-machines.md has its figures:
//
//	go test ./band -run NONE -bench 'Bands/12x12' -benchtime 1x
func BenchmarkBands(b *testing.B) {
	for _, board := range []string{"10x10", "12x12"} {
		for _, band := range []int{1, 3, 6, 8, 12, 24} {
			for _, tasks := range []int{8, 64} {
				b.Run(fmt.Sprintf("%s/band=%d/tasks=%d", board, band, tasks), func(b *testing.B) {
					runtime.GOMAXPROCS(1)
					p := puzzletest.Inline(b, board, "tetrominoes=any").Problem
					for b.Loop() {
						bandsOnce(b, create(b, folder(b), p, Options{Band: band, Tasks: tasks}))
					}
				})
			}
		}
	}
}

func bandsOnce(b *testing.B, r *Run) {
	before := user()
	a, err := Local(b.Context(), r, 1, Hooks{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(user()-before, "user-s")
	all := Stage{}
	for _, s := range a.Stages {
		all.Tasks += s.Tasks
		all.Read += s.Read
		all.Merged += s.Merged
		all.Swept += s.Swept
		all.Written += s.Written
		all.Out += s.Out
		all.In += s.In
		all.Memory = max(all.Memory, s.Memory)
	}
	b.ReportMetric(float64(all.Tasks), "tasks")
	b.ReportMetric(float64(all.Swept)/1e6, "swept-M")
	b.ReportMetric(float64(all.Read)/float64(all.Merged), "read/merged")
	b.ReportMetric(float64(all.Out)/float64(all.Written), "bytes/state")
	b.ReportMetric(float64(all.Out)/1e6, "out-MB")
	b.ReportMetric(float64(all.In)/1e6, "in-MB")
	b.ReportMetric(float64(all.Memory)/1e6, "memory-MB")
}
