package count

import "github.com/pavage/pavage/internal/engine/automaton"

// Progress is the progress of a piece of work.
type Progress struct {
	Fraction    float64 // between 0 and 1; it never decreases
	Step, Steps int     // finished steps and all steps of a sweep; 0 for other work
	Done        int64   // work done so far
	// Unit is the unit of Done, which is the same in all reports. It is "states", "tries",
	// "primes", "choices", "solutions", or "" if Done has no unit. If several engines count, it is
	// "states", and Done includes the partial covers on which a search branched.
	Unit string
}

// work combines the Progress of consecutive parts into one:
//
//	0                 0.5                      1
//	├── first part ────┼── second part ────────┤
//	                          ▲ 40% of this part: 70% of the whole
//
// The parts may be a diagram's levels and their reduction, or two engines in turn.
type work struct {
	to    func(Progress) // nil if there are no reports
	shown Progress
	from  Progress // the last report before the present part began
	own   Progress // what was already done of the present part when it began
	upTo  float64  // fraction of all parts that is done when the present part ends
}

func newWork(to func(Progress)) *work { return &work{to: to, shown: Progress{Unit: "states"}} }

// part begins the next part, which ends at the fraction upTo of all work. It returns a function
// that reports the part's progress, or nil if there are no reports. If the part continues earlier
// work, the argument before is the last progress of that work.
func (w *work) part(upTo float64, before Progress) func(Progress) {
	if w.to == nil {
		return nil
	}
	w.from, w.own, w.upTo = w.shown, before, upTo
	return w.report
}

func (w *work) report(p Progress) {
	fraction := w.upTo
	if p.Fraction < 1 { // at 1 the result is exactly upTo, without rounding errors
		share := (p.Fraction - w.own.Fraction) / max(1e-9, 1-w.own.Fraction)
		fraction = w.from.Fraction + (w.upTo-w.from.Fraction)*share
	}
	p.Fraction = max(w.shown.Fraction, min(w.upTo, fraction))
	p.Done = max(w.shown.Done, w.from.Done+p.Done-w.own.Done)
	w.shown = p
	w.to(p)
}

func (w *work) finish() {
	if w.to != nil && w.shown.Fraction < 1 {
		w.shown.Fraction = 1
		w.to(w.shown)
	}
}

type meter struct {
	report func(Progress)
	shown  Progress
	ends   []float64 // indexed by level; share of all work that is expected to be done at the level
}

func newMeter(ends []float64, report func(Progress)) *meter {
	return &meter{report: report, ends: ends, shown: Progress{Steps: len(ends) - 1, Unit: "states"}}
}

// foreseen returns the expected share of the states that have been swept at each level.
func foreseen(a *automaton.Automaton) []float64 {
	ends := make([]float64, a.Steps()+1)
	left := 1.0 // share of all states that are not swept yet
	for i := 1; i < len(ends); i++ {
		behind := a.Remaining(i, 1) // states after level i, divided by states of level i
		left *= behind / (1 + behind)
		ends[i] = 1 - left
	}
	return ends
}

func (m *meter) within(share float64) {
	at := m.shown.Step
	end := m.ends[min(at+1, len(m.ends)-1)]
	m.tell(m.ends[at] + share*(end-m.ends[at]))
}

func (m *meter) next(states int64) { m.goOn(m.shown.Step+1, states); m.within(0) }

func (m *meter) goOn(step int, states int64) { m.shown.Step, m.shown.Done = step, states }

// finish reports the last step. If no states are left, a sweep ends before its last level.
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
