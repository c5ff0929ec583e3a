package command

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/pavage/pavage/count"
)

const (
	// barDelay keeps quick runs from flashing a bar.
	barDelay = 300 * time.Millisecond
	// barSteps is the resolution of a bar.
	barSteps = 1 << 20
)

// bar shows how far a count is, on standard error, where a bar is wanted. It
// appears with the first report after barDelay, and is gone after done.
type bar struct {
	*app
	label  string
	start  time.Time
	hidden bool
	before float64       // the fraction that was done when the run began
	box    *mpb.Progress // nil until the bar appears
	bar    *mpb.Bar
	// latest is read by the bar's own goroutine. A mutex held while that is
	// told something would be a deadlock.
	latest atomic.Pointer[count.Progress]
}

func (a *app) newBar(label string) *bar {
	return &bar{app: a, label: label, start: time.Now(), hidden: !wanted(a.config.Progress, a.Err)}
}

// report is a count.Options.Progress: calls do not overlap, and the fraction
// never falls.
func (b *bar) report(p count.Progress) {
	if b.hidden {
		return
	}
	b.latest.Store(&p)
	if b.bar == nil && time.Since(b.start) >= barDelay {
		b.appear()
	}
	if b.bar != nil {
		b.bar.SetCurrent(int64(p.Fraction * (barSteps - 1))) // never full before done
	}
}

func (b *bar) appear() {
	b.box = mpb.New(mpb.WithOutput(b.Err), mpb.WithAutoRefresh())
	b.bar = b.box.AddBar(barSteps,
		mpb.BarWidth(16),
		mpb.PrependDecorators(decor.Name(b.label+" "), decor.Percentage()),
		mpb.AppendDecorators(
			decor.Any(func(decor.Statistics) string { return b.effort() }),
			decor.Any(func(decor.Statistics) string { return b.left() }),
		))
}

// effort is how far the work is in its own measure.
func (b *bar) effort() string {
	p := b.latest.Load()
	unit := p.Unit
	if unit == count.Solutions {
		unit = "tilings"
	}
	if p.Steps == 0 {
		return fmt.Sprintf(" %d %s, ", p.Done, unit)
	}
	return fmt.Sprintf(" %d/%d levels, %d %s, ", p.Step, p.Steps, p.Done, unit)
}

// left is the time that is left, as far as what this run has done of the work
// tells.
func (b *bar) left() string {
	f := b.latest.Load().Fraction
	if f-b.before < 1e-6 {
		return "no telling how long"
	}
	left := time.Since(b.start).Seconds() * (1 - f) / (f - b.before)
	return humanTime(left) + " left"
}

// done takes the bar away for good. It must not overlap with a report.
func (b *bar) done() {
	b.hidden = true
	if b.bar != nil {
		b.bar.Abort(true)
		b.box.Wait()
		b.bar = nil
	}
}
