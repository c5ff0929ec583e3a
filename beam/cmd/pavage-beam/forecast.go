package main

import (
	"math"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/job"
)

// The option --estimate computes the cost of a sweep on many machines from a forecast of the states
// of each level. doc/many-machines.md describes the computation in words.
//
// The constants answers, bandSeconds, cores, pieceStates and pieceBytes are assumptions. The other
// constants were measured on 10x10 and 12x12 tetrominoes, with 16 and 64 tasks, on one thread.
const (
	// overlap is the number of states that all tasks sweep, divided by the number without overlap.
	// Measured on 10x10 with 64 tasks: 21.8 million states, and 21.1 million without overlap.
	overlap   = 1.03
	keyBytes  = 1.5 // bytes for the difference between two neighbouring keys of a slab
	heldBytes = 130 // bytes of memory of a task for each state of its largest level
	checked   = 1.2 // time of a step with residues, divided by the time without residues
	// storeNanos is the time in ns to read a state, sort it twice and write it. For 87 million
	// states of 12x12 tetrominoes, in bands of 6 steps, 16.5 s were measured.
	storeNanos = 190
	// A task makes pieceReads requests for each slab: for the root, a page and the states. It makes
	// taskWrites other requests: to look for its receipt, and to write its slab and the receipt.
	pieceReads, taskWrites  = 3, 4
	pieceStates, pieceBytes = 256, 700 // from each slab, a task reads 256 states outside its range, and 700 other bytes
	answers                 = 5000     // number of requests per second that an object store answers for one folder
	bandSeconds             = 5        // seconds from the end of the last task of a band to the start of the next band
	cores                   = 8
)

type forecast struct {
	Title    string     `json:"title"`
	Items    int        `json:"items"`
	Options  int        `json:"options"`
	States   float64    `json:"states"`
	Error    float64    `json:"error"` // relative standard error of States
	Levels   int        `json:"levels"`
	Peak     int        `json:"peak"`        // number of the largest level
	Largest  float64    `json:"peak_states"` // states of the largest level
	Band     int        `json:"band"`
	Bands    int        `json:"bands"`
	Tasks    float64    `json:"tasks"`        // number of tasks of all bands
	Most     float64    `json:"tasks_band"`   // greatest number of tasks of a band
	Part     float64    `json:"task_states"`  // greatest number of states of a task in one level
	Memory   float64    `json:"task_memory"`  // bytes of memory that a task needs
	Seconds  float64    `json:"task_seconds"` // seconds of the longest task, on one core
	Store    float64    `json:"store_bytes"`  // greatest number of bytes in the store at any time
	Written  float64    `json:"bytes_written"`
	Read     float64    `json:"bytes_read"`
	Requests float64    `json:"requests"`
	Core     float64    `json:"core_seconds"` // seconds of all tasks, on one core
	Machines []machines `json:"machines"`
}

type machines struct {
	Number  int     `json:"machines"`
	Cores   int     `json:"cores"`
	Seconds float64 `json:"seconds"`
	Hours   float64 `json:"machine_hours"`
}

// foresee returns the forecast of a run. The estimate e must be for one thread.
func foresee(e *job.Estimation, c band.Cut) *forecast {
	s := e.Sweep
	f := &forecast{
		Title: e.Title, Items: e.Items, Options: e.Options, States: s.States, Error: s.Error,
		Levels: len(s.Levels), Peak: s.Peak, Band: c.Band,
	}
	for _, n := range []int{10, 100, 1000} {
		f.Machines = append(f.Machines, machines{Number: n, Cores: cores})
	}
	if f.Levels == 0 {
		return f
	}
	f.Largest = s.Levels[s.Peak]
	g := &foreseer{f, e, c, checked * s.Seconds / s.States}
	before := 1.0 // number of tasks of the band before
	for from := 0; from < f.Levels-1; from += c.Band {
		before = g.band(from, min(from+c.Band, f.Levels-1), before)
	}
	for i := range f.Machines {
		m := &f.Machines[i]
		m.Hours = float64(m.Number) * m.Seconds / 3600
	}
	return f
}

type foreseer struct {
	*forecast
	of    *job.Estimation
	cut   band.Cut
	sweep float64 // seconds to sweep a state
}

// band adds a band to the forecast and returns its number of tasks. The parameter earlier
// is the number of tasks of the previous band.
func (g *foreseer) band(from, to int, earlier float64) float64 {
	levels := g.of.Sweep.Levels
	largest, swept := 0.0, 0.0
	for _, n := range levels[from:to] {
		largest = max(largest, n)
		swept += n * overlap
	}
	largest = max(largest, levels[to])
	tasks := max(1, math.Ceil(largest/float64(g.cut.States))) // as the method tasks of band.Run computes it
	if g.cut.Tasks > 0 {
		tasks = math.Floor(max(1, min(float64(g.cut.Tasks), levels[from]/float64(g.cut.Least))))
	}
	read, written := g.bytes(from), g.bytes(to)
	seconds := swept*g.sweep + (levels[from]+levels[to])/2*overlap*storeNanos*1e-9
	requests := tasks*earlier*pieceReads + tasks*taskWrites
	besides := tasks * earlier * (pieceBytes + min(pieceStates, levels[from]/earlier)*read/max(1, levels[from]))

	g.Bands++
	g.Tasks += tasks
	g.Most = max(g.Most, tasks)
	g.Part = max(g.Part, largest/tasks)
	g.Memory = g.Part * heldBytes
	g.Seconds = max(g.Seconds, seconds/tasks)
	g.Store = max(g.Store, read+written+g.bytes(max(0, from-g.cut.Band)))
	g.Read += read + besides
	g.Written += written
	g.Requests += requests
	g.Core += seconds
	for i := range g.Machines {
		m := &g.Machines[i]
		rounds := math.Ceil(tasks / float64(m.Number*m.Cores))
		m.Seconds += max(rounds*seconds/tasks, requests/answers) + bandSeconds
	}
	return tasks
}

// bytes returns the size of a level in the store. It assumes that the length of a count is
// proportional to the number of the level, up to the length of the number of tilings. For the
// largest level it returns 9 bytes per state of 12x12 tetrominoes, where 8.4 were measured, and 6
// bytes per state of 10x10, where 4 to 6 were measured.
func (g *foreseer) bytes(level int) float64 {
	counts := 64.0 // bits of the number of tilings, if there is no estimate
	if g.of.Search != nil {
		counts = math.Log2(max(2, g.of.Search.Tries))
	}
	ways := counts * float64(level) / float64(g.Levels-1) / 8
	return g.of.Sweep.Levels[level] * overlap * (keyBytes + max(1, ways))
}
