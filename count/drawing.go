package count

import (
	"context"
	"errors"
	"fmt"

	"github.com/pavage/pavage/cover"
)

// Method names what solutions are drawn from.
type Method string

// The methods. AutoMethod leaves the choice to ForDrawing.
const (
	AutoMethod Method = "auto"
	ByDiagram  Method = "diagram" // a Compiled
	ByWalk     Method = "walk"    // a History
)

// Methods are all values a Method may have, AutoMethod first.
func Methods() []Method { return []Method{AutoMethod, ByDiagram, ByWalk} }

// ErrMethod is wrapped when a method is not one of Methods.
var ErrMethod = errors.New("unknown method")

// Drawable is what solutions can be drawn from: a diagram, or a history.
type Drawable struct {
	Compiled *Compiled // nil if it is a history
	History  *History  // nil if it is a diagram
	Reason   string    // why, to be read after "since"
}

// ForDrawing makes what solutions are drawn from. AutoMethod takes the walk
// where a diagram would have more than walkStates states to begin with, unless
// the solutions are few enough to be listed, and where a diagram turns out not
// to fit in Options.Memory. How many draws are wanted does not matter, so that
// a seed's first draws are the same however many follow. Errors are those of
// Count, or wrap ErrMethod.
func ForDrawing(ctx context.Context, p *cover.Problem, o Options, method Method) (*Drawable, error) {
	switch method {
	case "", AutoMethod:
		return autoDrawable(ctx, p, o)
	case ByDiagram:
		return diagramToDraw(ctx, p, o, "it was asked for")
	case ByWalk:
		return historyToDraw(ctx, p, o, "it was asked for")
	}
	return nil, fmt.Errorf("%w %q, want one of %q", ErrMethod, method, Methods())
}

const (
	// walkStates take a diagram 5 s and half a gigabyte, a walk half a second
	// and a tenth. (16x16 dominoes and monominoes, 15 million states: 11 s and
	// 0.74 GB, 1.9 GB with Go's own; 0.6 s and 0.1 GB. A draw takes the walk
	// longer: of 20x20 dominoes 0.2 ms.)
	walkStates = 1 << 23
	// surveyStates are swept to forecast how many there are: so many tell it
	// to a factor of three (20x20 dominoes, 61 million: 27; 10x10 tetrominoes,
	// 42 million: 20), a quarter of them to one of ten.
	surveyStates = 1 << 20
)

func autoDrawable(ctx context.Context, p *cover.Problem, o Options) (*Drawable, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	walk, reason, err := walkPays(ctx, p, o)
	if err != nil {
		return nil, err
	}
	if walk {
		return historyToDraw(ctx, p, o, reason)
	}
	w := newWork(o.Progress)
	o.Progress = w.part(1, Progress{})
	d, err := diagramToDraw(ctx, p, o, reason)
	if errors.Is(err, ErrMemory) {
		o.Progress = w.part(1, Progress{})
		return historyToDraw(ctx, p, o, "a diagram did not fit in memory")
	}
	return d, err
}

func diagramToDraw(ctx context.Context, p *cover.Problem, o Options, reason string) (*Drawable, error) {
	c, err := Compile(ctx, p, o)
	return &Drawable{Compiled: c, Reason: reason}, err
}

func historyToDraw(ctx context.Context, p *cover.Problem, o Options, reason string) (*Drawable, error) {
	o.told(Plan{Engine: Sweep, Reason: "its levels are walked back through: " + reason})
	h, err := Remember(ctx, p, o)
	return &Drawable{History: h, Reason: reason}, err
}

// walkPays surveys the levels of the diagram's order. Nobody is told of their
// progress.
func walkPays(ctx context.Context, p *cover.Problem, o Options) (bool, string, error) {
	o.Progress = nil
	pl := newPlanner(p, o, usual)
	pl.cost = arcsCost
	listed, err := pl.listPays(ctx)
	if err != nil || listed || pl.sweep == nil { // nil: too wide for a walk, too
		return false, "the solutions are few enough to be listed", err
	}
	for !pl.sweep.done() && pl.sweep.states() < surveyStates {
		if err := pl.sweepLevel(ctx); errors.Is(err, ErrMemory) {
			return true, "a level of the diagram's order does not fit in memory", nil
		} else if err != nil {
			return false, "", err
		}
	}
	if pl.sweep.done() {
		return false, fmt.Sprintf("there are only %d states", pl.sweep.states()), nil
	}
	pl.rest()
	states := pl.plan.Sweep.States
	if states <= walkStates {
		return false, fmt.Sprintf("about %.2g states are few enough", states), nil
	}
	return true, fmt.Sprintf("a diagram would begin with about %.2g states", states), nil
}
