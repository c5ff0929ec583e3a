package band

import (
	"slices"
	"testing"

	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestLittleMemory: tasks whose levels do not fit in memory make the same slabs, on disk and in several
// passes.
func TestLittleMemory(t *testing.T) {
	p := puzzletest.Inline(t, "10x10", "tetrominoes=any").Problem
	o := Options{Band: 50, Tasks: 1}
	var names []string
	var disk int64
	for _, memory := range []int64{0, 40 << 20, 16 << 20} {
		if memory == 40<<20 && !testkit.IsLong() {
			continue
		}
		o.Memory = memory
		r := create(t, storetest.New(), p, o)
		r.Disk = t.TempDir()
		var made []string
		a := local(t, r, Hooks{Level: func(l *Level) {
			for _, s := range l.Slabs {
				made = append(made, s.Slab.Name)
			}
		}})
		if a.Count.String() != counted(t, p) {
			t.Errorf("%d bytes: %v", memory, a.Count)
		}
		if names = append(names, made...); !slices.Equal(made, names[:len(made)]) {
			t.Errorf("%d bytes: slabs %v, want %v", memory, made, names[:len(made)])
		}
		disk = 0
		for _, s := range a.Stages {
			disk += s.Disk
			if memory > 0 && s.Memory > memory {
				t.Errorf("%d bytes were used, %d allowed", s.Memory, memory)
			}
		}
	}
	if disk == 0 {
		t.Error("nothing went to disk")
	}
}

// TestTasksFit: less memory makes more tasks, and no task uses more memory.
func TestTasksFit(t *testing.T) {
	p := puzzletest.Inline(t, "10x10", "tetrominoes=any").Problem
	last := 0
	for _, memory := range []int64{0, 24 << 20, 16 << 20} {
		if memory == 24<<20 && !testkit.IsLong() {
			continue
		}
		r := create(t, storetest.New(), p, Options{Band: 10, Memory: memory})
		r.Disk = t.TempDir()
		most := 0
		for _, s := range local(t, r, Hooks{}).Stages {
			most = max(most, s.Tasks)
			if memory > 0 && s.Memory > memory {
				t.Errorf("%d bytes, %d tasks to level %d: %d bytes were used", memory, s.Tasks, s.Level, s.Memory)
			}
		}
		if most <= last {
			t.Errorf("%d bytes: %d tasks of a band, with more memory %d", memory, most, last)
		}
		last = most
	}
}
