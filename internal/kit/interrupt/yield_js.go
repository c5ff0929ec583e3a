package interrupt

import "time"

const yieldEvery = 100 * time.Millisecond // a yield takes about 4 ms; messages and timers run in it

var yielded time.Time

func yield() {
	if time.Since(yielded) > yieldEvery {
		time.Sleep(1)
		yielded = time.Now()
	}
}
