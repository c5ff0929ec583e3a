package interrupt

import "time"

// Then messages and timers have their turn, which costs some 4 ms.
const yieldEvery = 100 * time.Millisecond

var yielded time.Time

func yield() {
	if time.Since(yielded) > yieldEvery {
		time.Sleep(1)
		yielded = time.Now()
	}
}
