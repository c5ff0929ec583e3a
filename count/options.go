package count

import (
	"errors"
	"math/big"
	"runtime"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// Engine is the name of a method of counting.
type Engine string

// Auto lets Count choose among the other engines.
const (
	Auto    Engine = "auto"
	Sweep   Engine = "sweep"   // frontier-based search, transfer matrix
	Search  Engine = "search"  // backtracking, Algorithm X
	Diagram Engine = "diagram" // a ZDD
	Dimer   Engine = "dimer"   // determinants
)

// Engines returns all values of Engine, Auto first.
func Engines() []Engine { return []Engine{Auto, Sweep, Search, Diagram, Dimer} }

var (
	// ErrTooWide is wrapped when the states have more than 511 bits in every order of the items.
	ErrTooWide = automaton.ErrTooWide
	errEngine  = errors.New("unknown engine")
)

// Options are the limits, callbacks and other options of the calls of this package.
type Options struct {
	Limits
	Watch
	// Weights, if not nil, has a weight ≥ 0 for each option; a nil entry is 1. The weight of a
	// solution is the product of its options' weights. Only Solve, Remember and Match use Weights.
	Weights []*big.Rat
	// Engine, if not "", is the engine of Solve, ByCopies and Residues. Each accepts only some.
	Engine Engine
}

// Limits are limits on the use of the machine.
type Limits struct {
	Threads int   // number of goroutines, at most one per core; 0 means one per core
	Memory  int64 // limit in bytes for levels, arcs and nodes; 0 means no limit
	// Disk, if not empty, is a directory for levels that exceed Memory. Auto uses it only if a
	// search is expected to be slower.
	Disk string
}

// threads returns at most the number of cores: the forecasts assume that each thread has a core.
func (l Limits) threads() int {
	cores := runtime.GOMAXPROCS(0)
	if l.Threads > 0 {
		return min(l.Threads, cores)
	}
	return cores
}

// Watch has callbacks for the progress of a call, which are never called concurrently.
type Watch struct {
	// Progress, if not nil, is called with the progress of the work.
	Progress func(Progress)
	// Planned, if not nil, is called when an engine is chosen or a forecast improves, with a plan
	// that may become Result.Plan. The plan's Seconds is 0.
	Planned func(*Plan)
	// Explain requests the forecasts of all engines, and the orders that a sweep compared.
	Explain bool
}

// Result is a count, with the effort that it cost.
type Result struct {
	Count  *big.Int
	Engine Engine // the engine that counted
	Effort
	Arcs  int64 // number of arcs between the states of a sweep, including arcs to pruned states
	Disk  int64 // bytes of levels written to disk
	Bytes int64 // upper bound on the bytes held at once, by the program's own accounting
	Plan  *Plan // plan of Auto or of a diagram; for other engines nil unless Watch.Explain is set
	// If the problem was split, Parts has an entry for each group of equal parts. Engine and Plan
	// are from the largest part, and Effort is the sum over all parts.
	Parts []PartResult
}

// PartResult is the result of a group of equal parts of a problem.
type PartResult struct {
	Times   int // number of equal parts
	Items   int // number of items of each part
	Options int // number of options of each part
	Count   *big.Int
	Engine  Engine
}

// Effort is the work of a count, in units that do not depend on the machine.
type Effort struct {
	States int64 `json:"states" doc:"of a sweep: states of its levels; of a search: partial covers that it branched on"`
	Tries  int64 `json:"tries,omitempty" doc:"tries of a search, as the plan forecasts them"`
	Nodes  int64 `json:"nodes" doc:"nodes of the reduced diagram, terminals included; 0 if no diagram is built"`

	Primes   int   `json:"primes,omitempty" doc:"number of primes modulo which determinants were computed"`
	Products int64 `json:"products,omitempty" doc:"multiplications modulo the primes"`
}
