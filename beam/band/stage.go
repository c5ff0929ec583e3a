package band

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// Cost is the cost of a task.
type Cost struct {
	Merged  int64   `json:"merged"`  // states that it began with, once equal ones were added
	Swept   int64   `json:"swept"`   // states of the levels behind the first
	Read    int64   `json:"read"`    // bytes
	Seconds float64 `json:"seconds"` // by the clock of its machine
	Memory  int64   `json:"memory"`  // bytes at most, for levels and for states that are sorted, and for nothing else
	Disk    int64   `json:"disk"`    // bytes of levels that did not fit in memory
	Mended  int     `json:"mended"`  // slabs that it has made again
}

// Stage is the cost of all tasks of a band together.
type Stage struct {
	Level   int     `json:"level"`   // at the end of the band
	Tasks   int     `json:"tasks"`   //
	Read    int64   `json:"read"`    // states, out of all slabs of the level before
	Merged  int64   `json:"merged"`  // of these, each once for each task
	Swept   int64   `json:"swept"`   //
	Written int64   `json:"written"` // states
	In      int64   `json:"in"`      // bytes
	Out     int64   `json:"out"`     // bytes of slabs
	Disk    int64   `json:"disk"`    // bytes on the disks of workers
	Seconds float64 `json:"seconds"` // of all tasks
	Longest float64 `json:"longest"` // seconds of a task
	Memory  int64   `json:"memory"`  // bytes of the largest task
	Largest int64   `json:"largest"` // states that a task began with, at most
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
	Stages []Stage // level 0 first. Where a level's file is damaged, the stages before it are missing
}

// Answer reads the result of a run whose last level is whole.
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
		return nil, fmt.Errorf("%w: %q is no sum", ErrDamaged, l.Sum)
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

// Steps returns the steps of the automaton: the number of the last level.
func (r *Run) Steps() int { return r.a.Steps() }
