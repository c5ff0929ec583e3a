package command

import (
	"fmt"
	"sync"
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

	mu     sync.Mutex
	box    *mpb.Progress // nil until the bar appears
	bar    *mpb.Bar
	latest count.Progress
}

func (a *app) newBar(label string) *bar {
	return &bar{app: a, label: label, start: time.Now(), hidden: !wanted(a.config.Progress, a.Err)}
}

// report may be called from several goroutines, whose reports can overtake
// each other; the bar never goes back.
func (b *bar) report(p count.Progress) {
	if b.hidden {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.Fraction < b.latest.Fraction {
		return
	}
	b.latest = p
	if b.bar == nil && time.Since(b.start) >= barDelay {
		b.appear()
	}
	if b.bar != nil {
		b.bar.SetCurrent(int64(p.Fraction * (barSteps - 1))) // never full before done
	}
}

func (b *bar) appear() {
	b.box = mpb.New(mpb.WithOutput(b.Err), mpb.WithWidth(40), mpb.WithAutoRefresh())
	b.bar = b.box.AddBar(barSteps,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(b.label+" "), decor.Percentage()),
		mpb.AppendDecorators(
			decor.Any(func(decor.Statistics) string { return b.levels() }),
			decor.NewAverageETA(decor.ET_STYLE_GO, b.start, nil, decor.FixedIntervalTimeNormalizer(10)),
			decor.Name(" left"),
		))
}

// levels is how far the work is in its own measure.
func (b *bar) levels() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf(" %d/%d levels, %d states, ", b.latest.Step, b.latest.Steps, b.latest.States)
}

// done takes the bar away. No report may follow.
func (b *bar) done() {
	b.mu.Lock()
	box, bar := b.box, b.bar
	b.mu.Unlock()
	if bar != nil {
		bar.Abort(true)
		box.Wait()
	}
}
