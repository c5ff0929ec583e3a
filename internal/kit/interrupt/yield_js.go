package interrupt

import "time"

const yieldEvery = 100 * time.Millisecond // yield sleeps once in this time: messages and timers run for about 4 ms

var yielded time.Time

func yield() {
	if time.Since(yielded) > yieldEvery {
		time.Sleep(1)
		yielded = time.Now()
	}
}
