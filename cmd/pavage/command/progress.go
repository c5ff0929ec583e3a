package command

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

const (
	barDelay = 300 * time.Millisecond // shorter stages show no bar
	barSteps = 1 << 20
)

type bar struct {
	*Call
	doing  string
	start  time.Time
	hidden bool          // true if the rest of the stage has no bar
	box    *mpb.Progress // nil until the bar is shown
	bar    *mpb.Bar
	// A mutex for latest would cause a deadlock: while report holds it, SetCurrent waits for the
	// goroutine of the bar, which reads latest.
	latest atomic.Pointer[job.Progress]
}

// report is for [job.Watch]. Its calls do not overlap, and the fraction of a stage never falls.
func (b *bar) report(p job.Progress) {
	if p.Doing != b.doing {
		b.done()
		b.doing, b.start, b.hidden = p.Doing, time.Now(), !wanted(b.Config.Progress, b.Err)
	}
	if b.hidden {
		return
	}
	b.latest.Store(&p)
	if b.bar == nil && time.Since(b.start) >= barDelay {
		b.box = mpb.New(mpb.WithOutput(b.Err), mpb.WithAutoRefresh())
		b.bar = b.box.AddBar(barSteps,
			mpb.BarWidth(16),
			mpb.PrependDecorators(decor.Name(b.doing+" "), decor.Percentage()),
			mpb.AppendDecorators(
				decor.Any(func(decor.Statistics) string { return b.effort() }),
				decor.Any(func(decor.Statistics) string { return b.left() }),
			))
	}
	if b.bar != nil {
		b.bar.SetCurrent(int64(p.Fraction * (barSteps - 1))) // at barSteps, the bar would end before the stage ends
	}
}

func (b *bar) effort() string {
	p := b.latest.Load()
	if p.Unit == "" { // the stage does not count its work
		return " "
	}
	text := fmt.Sprintf(" %s %s, ", human.Grouped(p.Done), p.Unit)
	if p.Steps > 0 {
		text = fmt.Sprintf(" %d/%d levels,", p.Step, p.Steps) + text
	}
	return text
}

func (b *bar) left() string {
	left, known := b.latest.Load().Left(time.Since(b.start))
	if !known {
		return "time left unknown"
	}
	return human.Time(left) + " left"
}

// done removes the bar for the rest of the stage. It must not be called during a call of report.
func (b *bar) done() {
	b.hidden = true
	if b.bar != nil {
		b.bar.Abort(true)
		b.box.Wait()
		b.bar = nil
	}
}
