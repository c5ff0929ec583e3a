package interrupt

import "time"

const yieldEvery = 100 * time.Millisecond // yield sleeps once in this interval, so that messages and timers can run for about 4 ms

var yielded time.Time

func yield() {
	if time.Since(yielded) > yieldEvery {
		time.Sleep(1)
		yielded = time.Now()
	}
}
