package band

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// Cost is the cost of a task.
type Cost struct {
	Merged  int64   `json:"merged"`  // number of states at the beginning, after equal states were merged
	Swept   int64   `json:"swept"`   // number of states of all levels of the task except its first level
	Read    int64   `json:"read"`    // bytes that were read
	Seconds float64 `json:"seconds"` // elapsed time in seconds
	Memory  int64   `json:"memory"`  // peak memory of the levels and of the states to be sorted, in bytes
	Disk    int64   `json:"disk"`    // bytes of levels that did not fit in memory
	Mended  int     `json:"mended"`  // slabs that the task has made again
}

// Stage is the cost of all tasks of a band.
type Stage struct {
	Level   int     `json:"level"`   // level at the end of the band
	Tasks   int     `json:"tasks"`   // number of tasks
	Read    int64   `json:"read"`    // number of states that were read; a state in two slabs counts twice
	Merged  int64   `json:"merged"`  // sum of Cost.Merged
	Swept   int64   `json:"swept"`   // sum of Cost.Swept
	Written int64   `json:"written"` // states that were written
	In      int64   `json:"in"`      // bytes that were read
	Out     int64   `json:"out"`     // bytes of slabs that were written
	Disk    int64   `json:"disk"`    // bytes on the disks of workers
	Seconds float64 `json:"seconds"` // sum of the seconds of all tasks
	Longest float64 `json:"longest"` // seconds of the longest task
	Memory  int64   `json:"memory"`  // greatest number of bytes of memory of a task
	Largest int64   `json:"largest"` // greatest number of states at the beginning of a task
	Mended  int     `json:"mended"`  // slabs that were made again
}

func (s *Stage) add(x *Receipt) {
	s.Level = x.Task.To
	s.Tasks++
	s.Read += x.States
	s.Merged += x.Cost.Merged
	s.Swept += x.Cost.Swept
	s.Written += x.Slab.States
	s.In += x.Cost.Read
	s.Out += x.Slab.Bytes
	s.Disk += x.Cost.Disk
	s.Seconds += x.Cost.Seconds
	s.Longest = max(s.Longest, x.Cost.Seconds)
	s.Memory = max(s.Memory, x.Cost.Memory)
	s.Largest = max(s.Largest, x.Cost.Merged)
	s.Mended += x.Cost.Mended
}

// Answer is the result of a run.
type Answer struct {
	Count  *big.Int
	Stages []Stage // from level 0 on; the stages before a damaged level are missing
}

// Answer reads the result of a run whose last level is complete.
func (r *Run) Answer(ctx context.Context) (*Answer, error) {
	l, err := r.Last(ctx)
	if err != nil {
		return nil, err
	}
	if !r.Done(l) {
		return nil, fmt.Errorf("the run is not done: it is at level %d of %d", l.At, r.a.Steps())
	}
	a := &Answer{}
	var ok bool
	if a.Count, ok = new(big.Int).SetString(l.Sum, 10); !ok {
		return nil, fmt.Errorf("%w: the sum %q is not a number", ErrDamaged, l.Sum)
	}
	for {
		a.Stages = append(a.Stages, l.Stage)
		if l.Before == "" {
			break
		}
		if l, err = r.readLevel(ctx, l.Before); damaged(err) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	slices.Reverse(a.Stages)
	return a, nil
}

// Steps returns the number of steps of the automaton, which is the number of the last level.
func (r *Run) Steps() int { return r.a.Steps() }
