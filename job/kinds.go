package job

import "github.com/pavage/pavage/internal/kit/strict"

// kinds makes an empty request of each kind, and the answer that goes with it.
var kinds = []struct {
	kind    Kind
	request func() Request
	answer  func() Answer
}{
	{"show", func() Request { return new(Show) }, func() Answer { return new(Shown) }},
	{"count", func() Request { return new(Count) }, func() Answer { return new(Counted) }},
	{"each", func() Request { return new(Each) }, func() Answer { return new(Table) }},
	{"residues", func() Request { return new(Residues) }, func() Answer { return new(ResiduesCounted) }},
	{"certify", func() Request { return new(Certify) }, func() Answer { return new(Counted) }},
	{"estimate", func() Request { return new(Estimate) }, func() Answer { return new(Estimation) }},
	{"sample", func() Request { return new(Sample) }, func() Answer { return new(Sampled) }},
	{"list", func() Request { return new(List) }, func() Answer { return new(Listed) }},
	{"query", func() Request { return new(Query) }, func() Answer { return new(Queried) }},
	{"verify", func() Request { return new(Verify) }, func() Answer { return new(Verified) }},
	{"solve", func() Request { return new(Solve) }, func() Answer { return new(Verified) }},
	{"check", func() Request { return new(Check) }, func() Answer { return new(Verified) }},
	{"convert", func() Request { return new(Convert) }, func() Answer { return new(Converted) }},
	{"compile", func() Request { return new(Compile) }, func() Answer { return new(Compiled) }},
	{"sequence", func() Request { return new(Sequence) }, func() Answer { return new(Sequenced) }},
	{"recurrence", func() Request { return new(Recurrence) }, func() Answer { return new(Recurred) }},
	{"examples", func() Request { return new(Examples) }, func() Answer { return new(Bundled) }},
}

// Kinds are all kinds of work.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i, k := range kinds {
		all[i] = k.kind
	}
	return all
}

// New is an empty request of a kind; ok is false if there is no such kind.
func New(kind Kind) (r Request, ok bool) {
	for _, k := range kinds {
		if k.kind == kind {
			return k.request(), true
		}
	}
	return nil, false
}

// Decode reads a request of a kind from JSON, and checks it. A field that the kind
// does not have is an error, as is anything behind the object. An error about a field
// says which one it is: see [Error.Field].
func Decode(kind Kind, data []byte) (Request, error) {
	r, ok := New(kind)
	if !ok {
		return nil, bad("kind is %.40q, want one of %q", string(kind), Kinds())
	}
	if err := strict.Decode(data, r); err != nil {
		return nil, &Error{Kind: BadInput, err: err}
	}
	return r, r.Check()
}
