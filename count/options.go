package count

import (
	"errors"
	"math/big"
	"runtime"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// Engine names a way of counting.
type Engine string

// The engines. Auto leaves the choice to Count.
const (
	Auto    Engine = "auto"
	Sweep   Engine = "sweep"
	Search  Engine = "search"
	Diagram Engine = "diagram"
	Dimer   Engine = "dimer"
)

// Engines are all values an Engine may have, Auto first.
func Engines() []Engine { return []Engine{Auto, Sweep, Search, Diagram, Dimer} }

var (
	// ErrTooWide is wrapped when no order of the items has states of at most
	// 511 bits.
	ErrTooWide = automaton.ErrTooWide
	// errEngine is wrapped when an engine is not one of Engines.
	errEngine = errors.New("unknown engine")
)

// Options are what every call of this package takes beside its arguments: what
// it may use, and who is told. The zero value is good.
type Options struct {
	Limits
	Watch
	// Weights, if not nil, are those of the options, each at least 0, nil for 1. The
	// weight of a solution is the product of its options'. For Solve and Remember alone.
	Weights []*big.Rat
	// Engine, if not "", is the engine for Solve, ByCopies and Residues: Auto, Sweep,
	// Diagram or, of Solve, Dimer.
	Engine Engine
}

// Limits are what a piece of work may use of the machine.
type Limits struct {
	Threads int   // goroutines; 0: one a core. More than there are cores are as good as these
	Memory  int64 // bytes for levels, arcs and nodes; 0: no limit
	// Disk, if not empty, is a directory where a sweep that counts keeps levels
	// that do not fit in Memory. Of Auto's sweeps only one that a search would take
	// longer than goes there.
	Disk string
}

// threads is the number of goroutines, no more than there are cores to run them: a
// plan and the memory of a search would count on what is not there.
func (l Limits) threads() int {
	cores := runtime.GOMAXPROCS(0)
	if l.Threads > 0 {
		return min(l.Threads, cores)
	}
	return cores
}

// Watch is who is told how a piece of work goes. Calls do not overlap.
type Watch struct {
	// Progress, if not nil, is told now and then how far the work is.
	Progress func(Progress)
	// Planned, if not nil, is told each plan that Result.Plan might become: when
	// an engine has been chosen or changed, and as forecasts get better. Seconds
	// are 0.
	Planned func(*Plan)
	// Explain asks for complete plans: with the forecasts of all engines, also where no
	// choice was needed, and with the orders that a sweep compared.
	Explain bool
}

// Result is a count and what it took.
type Result struct {
	Count  *big.Int
	Engine Engine // the engine that counted
	States int64  // of all levels of a sweep; of a search: the partial covers it branched on
	Tries  int64  // choices that a search tried; 0 for a sweep
	Arcs   int64  // between the states of a sweep, those to pruned states included
	Nodes  int64  // of the reduced diagram, terminals included; 0 for a sweep
	Primes int    // modulo which determinants were found
	// Products are multiplications modulo primes, as the structure of the matrix has them.
	Products int64
	Disk     int64 // bytes of levels written to disk
	Bytes    int64 // a bound on the bytes held at once, by our own accounting
	Plan     *Plan // of Auto and of diagrams; nil if the engine was given, but for Watch.Explain
}
