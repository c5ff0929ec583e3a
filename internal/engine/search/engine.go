package search

// parcel is a part of a tree, as an engine describes it.
type parcel any

// worker walks the parcels of one engine, and reports what it does to the pool.
type worker interface{ do(p parcel) }

// visit is told of a solution; false ends the walk.
type visit func(path []int32, weight uint64) bool

// Options say how to search.
type Options struct {
	Threads int   // walkers; at least one
	Tries   int64 // to give up after, with ErrLimit; 0: no limit; for a Hunt nothing
	// Progress, if not nil, is told the share of the tree that is done, 0..1,
	// which never falls, and the nodes and tries so far. Calls do not overlap.
	Progress func(share float64, nodes, tries int64)

	forgetful bool // no memo: nodes and tries do not depend on the walkers
	greedy    bool // all choices are given away that can be, for tests
}
