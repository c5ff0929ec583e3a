package count

import "github.com/pavage/pavage/internal/engine/automaton"

// Progress is how far a piece of work is.
type Progress struct {
	Fraction    float64 // 0..1, never falls
	Step, Steps int     // steps of a sweep that are done, of all; of other work 0
	Done        int64   // work done so far
	// Unit of Done, the same from the first report to the last: "states", of a search alone
	// "tries", of determinants "primes", or "solutions". Work that may take more than one engine
	// is counted in states, where a search counts the partial covers that it branched on.
	// Unit is "" where nothing is counted.
	Unit string
}

// work makes one Progress of several parts that follow each other:
//
//	0                 0.5                      1
//	├── first part ────┼── second part ────────┤
//	                          ▲ 40% of this part: 70% of the whole
//
// All that is told of several parts is composed here: a diagram's levels and their
// reduction, a group's classes, two engines in turn.
type work struct {
	to    func(Progress) // nil: nobody
	shown Progress
	from  Progress // what was shown when the part under way began
	own   Progress // what that part had shown itself by then
	upTo  float64  // the fraction of the whole at its end
}

func newWork(to func(Progress)) *work { return &work{to: to, shown: Progress{Unit: "states"}} }

// part begins the next part, which ends at a fraction of the whole. A part that goes
// on, as one of two engines in turn does, says what it had shown before; a new one
// says Progress{}. What it returns is to be told the part's progress; it is nil if
// nobody wants to know.
func (w *work) part(upTo float64, before Progress) func(Progress) {
	if w.to == nil {
		return nil
	}
	w.from, w.own, w.upTo = w.shown, before, upTo
	return w.report
}

func (w *work) report(p Progress) {
	fraction := w.upTo
	if p.Fraction < 1 { // which is upTo in the end, whatever the rounding
		share := (p.Fraction - w.own.Fraction) / max(1e-9, 1-w.own.Fraction)
		fraction = w.from.Fraction + (w.upTo-w.from.Fraction)*share
	}
	p.Fraction = max(w.shown.Fraction, min(w.upTo, fraction))
	p.Done = max(w.shown.Done, w.from.Done+p.Done-w.own.Done)
	w.shown = p
	w.to(p)
}

// finish tells that all parts are done.
func (w *work) finish() {
	if w.to != nil && w.shown.Fraction < 1 {
		w.shown.Fraction = 1
		w.to(w.shown)
	}
}

// meter turns the steps of a sweep into progress.
type meter struct {
	report func(Progress) // nil: nobody
	shown  Progress
	ends   []float64 // the share of the work that is done at each level
}

func newMeter(ends []float64, report func(Progress)) *meter {
	return &meter{report: report, ends: ends, shown: Progress{Steps: len(ends) - 1, Unit: "states"}}
}

// foreseen are the ends of an automaton's steps, which take as long as they are
// expected to have states. (Of 12x12 tetrominoes the third quarter of the steps has
// two thirds of all.)
func foreseen(a *automaton.Automaton) []float64 {
	ends := make([]float64, a.Steps()+1)
	left := 1.0 // states behind a level, in units of all
	for i := 1; i < len(ends); i++ {
		behind := a.Remaining(i, 1) // for each state of level i
		left *= behind / (1 + behind)
		ends[i] = 1 - left
	}
	return ends
}

// within tells the share of the present step that is done.
func (m *meter) within(share float64) {
	at := m.shown.Step
	end := m.ends[min(at+1, len(m.ends)-1)]
	m.tell(m.ends[at] + share*(end-m.ends[at]))
}

// next tells that a step is done, and how many states there are so far.
func (m *meter) next(states int64) { m.goOn(m.shown.Step+1, states); m.within(0) }

// goOn sets the meter to a step that others have come to.
func (m *meter) goOn(step int, states int64) { m.shown.Step, m.shown.Done = step, states }

// finish tells that all is done, also when no state was left before the last step.
func (m *meter) finish() {
	m.shown.Step = m.shown.Steps
	m.tell(1)
}

func (m *meter) tell(fraction float64) {
	m.shown.Fraction = max(m.shown.Fraction, min(1, fraction))
	if m.report != nil {
		m.report(m.shown)
	}
}
