package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

const (
	// barDelay keeps quick runs from flashing a bar.
	barDelay = 300 * time.Millisecond
	// barEvery is the least time between two drawings of a bar.
	barEvery = 100 * time.Millisecond
	barWidth = 14 // of the part that fills
)

// bar shows how far a stage of the work is, in a line on standard error, where a bar is
// wanted. It appears with the first report after barDelay, and is gone after done.
type bar struct {
	*Call
	doing  string // the stage that is shown, or was taken away
	start  time.Time
	hidden bool      // for the rest of the stage
	drawn  time.Time // zero: there is no line
}

// report is a job.Watch.Progress: calls do not overlap, and the fraction of a
// stage never falls.
func (b *bar) report(p job.Progress) {
	now := time.Now()
	if p.Doing != b.doing {
		b.done()
		b.doing, b.start, b.hidden = p.Doing, now, !wanted(b.Config.Progress, b.Err)
	}
	if b.hidden || now.Sub(b.start) < barDelay || now.Sub(b.drawn) < barEvery {
		return
	}
	b.erase()
	b.drawn = now
	full := int(p.Fraction * (barWidth - 1)) // never full before done
	line := fmt.Sprintf("%s %d %% [%s>%s]%s%s", b.doing, int(99.9*p.Fraction), strings.Repeat("=", full),
		strings.Repeat("-", barWidth-1-full), effort(p), left(p, now.Sub(b.start)))
	if width := columns(b.Err); width > 0 && len(line) >= width {
		line = line[:width-1] // a line that wraps could not be erased
	}
	fmt.Fprintln(b.Err, line)
}

// effort is how far the work is in its own measure.
func effort(p job.Progress) string {
	if p.Unit == "" { // nothing is counted
		return " "
	}
	text := fmt.Sprintf(" %s %s, ", human.Grouped(p.Done), p.Unit)
	if p.Steps > 0 {
		text = fmt.Sprintf(" %d/%d levels,", p.Step, p.Steps) + text
	}
	return text
}

// left is the time that is left, as far as what this run has done of the work in
// the time since the start tells.
func left(p job.Progress, since time.Duration) string {
	seconds, known := p.Left(since)
	if !known {
		return "no telling how long"
	}
	return human.Time(seconds) + " left"
}

// done takes the bar away for the rest of the stage. It must not overlap with a
// report.
func (b *bar) done() {
	b.hidden = true
	b.erase()
}

func (b *bar) erase() {
	if !b.drawn.IsZero() {
		_, _ = io.WriteString(b.Err, "\x1b[1A\x1b[J") // up a line, clear
		b.drawn = time.Time{}
	}
}

// columns is the width of a terminal; 0 of anything else.
func columns(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, _ := term.GetSize(int(f.Fd()))
	return width
}
