package band

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"sync"

	"golang.org/x/sync/singleflight"

	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/order"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// Prime is the largest prime below 2^63. A wrong bit or lost carry changes the residue of a count.
const Prime = 1<<63 - 25

// Plan is the description of a run that its workers read.
type Plan struct {
	Identity Identity `json:"identity"`
	Cut      Cut      `json:"cut"`
}

// Identity distinguishes runs. All plans of a run have the same identity.
type Identity struct {
	Version   int    `json:"version"`   // version of the files
	Automaton string `json:"automaton"` // print of the automaton, in hex
	Problem   string `json:"problem"`   // SHA-256 of the file of the problem, in hex
	Order     []int  `json:"order"`     // indices of the items, in the order in which the automaton decides them
	Feasible  bool   `json:"feasible"`  // false if the automaton has found that there is no solution; then level 0 has no state
	Prime     uint64 `json:"prime"`
}

// Print returns the name of the folder of the run.
func (i Identity) Print() string { return digest(i)[:16] }

// Cut defines how a run is cut into bands and tasks. It may change when the run is continued.
type Cut struct {
	Band   int   `json:"band"`   // number of steps of a band, at least 1
	Tasks  int   `json:"tasks"`  // greatest number of tasks of a band; if 0, States determines the number
	States int64 `json:"states"` // used if Tasks is 0: a task should have at most this number of states in each level
	Least  int64 `json:"least"`  // used if Tasks is not 0: a band that begins with n states has at most max(1, n/Least) tasks
	Memory int64 `json:"memory"` // limit in bytes of the memory of a task; states that do not fit are on disk; 0 means no limit
}

// Options define how a run is cut. The package chooses the values of fields that are 0.
type Options struct {
	Band, Tasks   int
	States, Least int64
	Memory        int64
	Prime         uint64 // replaces the constant Prime in tests
	Threads       int    // number of threads that choose the order of the items: see count.Limits
}

// Run is a plan opened on a store. Set its exported fields before the first call of a method.
type Run struct {
	Plan   Plan
	Folder string       // folder of the run in the store, named by Plan.Identity.Print
	Disk   string       // local folder for levels that exceed the memory of a task; "" means the temporary folder
	Notice func(Notice) // called for events such as damaged files, from several goroutines; may be nil

	store   store.Store
	a       *automaton.Automaton
	print   [sha256.Size]byte
	machine machine
	levels  levels
	passed  sync.Map // damaged levels for which Notice was called
	mending singleflight.Group
}

// Create makes a run in the store, or finds it there. In both cases the options define the cut. It
// returns the errors of package count. If the text of p is too long, the error wraps
// cover.ErrInvalid.
func Create(ctx context.Context, s store.Store, p *cover.Problem, o Options) (*Run, error) {
	r, text, err := plan(ctx, p, o)
	if err != nil {
		return nil, err
	}
	r.store = s
	return r, r.writePlan(ctx, text)
}

// CutOf returns the Cut that Create would choose. It needs no store.
func CutOf(ctx context.Context, p *cover.Problem, o Options) (Cut, error) {
	r, _, err := plan(ctx, p, o)
	if err != nil {
		return Cut{}, err
	}
	return r.Plan.Cut, nil
}

func plan(ctx context.Context, p *cover.Problem, o Options) (*Run, []byte, error) {
	feasible := !count.Unbalanced(p)
	var items []int // order of the items
	if feasible {
		a, err := order.Compile(ctx, p, sweep.Config{Threads: o.Threads})
		if err != nil {
			return nil, nil, err
		}
		feasible, items = a.Feasible, a.ItemOrder()
	}
	text, err := textOf(p)
	if err != nil {
		return nil, nil, err
	}
	i := Identity{Version: version, Problem: hash(text), Order: items, Feasible: feasible, Prime: o.Prime}
	if i.Prime == 0 {
		i.Prime = Prime
	}
	a, err := compile(ctx, text, i)
	if err != nil {
		return nil, nil, err
	}
	print := a.Print()
	i.Automaton = hex.EncodeToString(print[:])
	return newRun(nil, a, Plan{Identity: i, Cut: o.cut(a)}), text, nil
}

// Open opens the run in a folder of the store. Workers call Open.
func Open(ctx context.Context, s store.Store, folder string) (*Run, error) {
	var p Plan
	if err := read(ctx, s, path.Join(folder, planFile), planKind, &p); err != nil {
		return nil, err
	}
	if err := p.check(folder); err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(folder, planFile), err)
	}
	text, err := s.Read(ctx, path.Join(folder, problemFile), cover.MaxTextBytes)
	if err == nil && hash(text) != p.Identity.Problem {
		err = fmt.Errorf("%w: the problem in the file is not the problem of the plan", ErrDamaged)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path.Join(folder, problemFile), err)
	}
	a, err := compile(ctx, text, p.Identity)
	if err != nil {
		return nil, err
	}
	if print := a.Print(); hex.EncodeToString(print[:]) != p.Identity.Automaton {
		return nil, fmt.Errorf("%s: %w: this version of the program sweeps the problem differently from the version that began the run", folder, ErrDisagree)
	}
	return newRun(s, a, p), nil
}

const (
	planFile, planKind = "plan", "plan"
	problemFile        = "problem"
)

func (p Plan) check(folder string) error {
	c := p.Cut
	switch {
	case p.Identity.Version != version:
		return fmt.Errorf("%w: the version of the plan is %d, expected version %d",
			ErrDamaged, p.Identity.Version, version)
	case p.Identity.Print() != path.Base(folder):
		return fmt.Errorf("%w: the file is the plan of the run %s, expected the plan of the run %s", ErrDamaged, p.Identity.Print(), path.Base(folder))
	case p.Identity.Prime < 2 || p.Identity.Prime >= 1<<63, c.Band < 1, c.Tasks < 0, c.States < 1, c.Least < 1, c.Memory < 0:
		return fmt.Errorf("%w: the plan has a number that is out of range", ErrDamaged)
	}
	return nil
}

func (r *Run) writePlan(ctx context.Context, problem []byte) error {
	plan, err := seal(planKind, r.Plan)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{problemFile, problem}, {planFile, plan}} {
		name := path.Join(r.Folder, f.name)
		if was, err := r.store.Read(ctx, name, mostBytes); err == nil && bytes.Equal(was, f.data) {
			continue
		}
		if err := store.Write(ctx, r.store, name, f.data); err != nil {
			return err
		}
	}
	return nil
}

func textOf(p *cover.Problem) ([]byte, error) {
	plain := &cover.Problem{Items: make([]cover.Item, len(p.Items)), Options: p.Options}
	for i, it := range p.Items {
		plain.Items[i] = cover.Item{Min: it.Min, Max: it.Max}
	}
	for i := range p.Colours {
		plain.Colours = append(plain.Colours, fmt.Sprint("c", i))
	}
	var text bytes.Buffer
	if err := plain.WriteText(&text); err != nil {
		return nil, err
	}
	if text.Len() > cover.MaxTextBytes {
		return nil, fmt.Errorf("%w: the text of the cover has %d bytes, at most %d bytes are supported", cover.ErrInvalid, text.Len(), cover.MaxTextBytes)
	}
	return text.Bytes(), nil
}

func compile(ctx context.Context, text []byte, i Identity) (*automaton.Automaton, error) {
	if !i.Feasible {
		return &automaton.Automaton{Words: 1}, nil
	}
	p, err := cover.ReadWithin(ctx, problemFile, bytes.NewReader(text), 0)
	if err != nil {
		return nil, err
	}
	for _, item := range i.Order {
		if item < 0 || item >= len(p.Items) {
			return nil, fmt.Errorf("%w: the order of the plan names item %d, but there are only %d items",
				ErrDamaged, item, len(p.Items))
		}
	}
	a, err := automaton.Compile(ctx, p, i.Order)
	if err == nil && !a.Feasible {
		err = errors.New("the bounds of the problem cannot be met, contrary to the plan")
	}
	return a, err
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
