package interrupt

import "time"

const yieldEvery = 100 * time.Millisecond // then messages and timers have their turn, some 4 ms

var yielded time.Time

func yield() {
	if time.Since(yielded) > yieldEvery {
		time.Sleep(1)
		yielded = time.Now()
	}
}
