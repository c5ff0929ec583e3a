package interrupt

import "time"

const yieldEvery = 100 * time.Millisecond // a yield of about 4 ms lets messages and timers run

var yielded time.Time

func yield() {
	if time.Since(yielded) > yieldEvery {
		time.Sleep(1)
		yielded = time.Now()
	}
}
