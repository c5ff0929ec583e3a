package interrupt

import "time"

// yieldEvery is how long a loop may keep the only thread of a Web Worker before messages and timers
// have their turn, which costs some 4 ms.
const yieldEvery = 100 * time.Millisecond

var yielded time.Time

func yield() {
	if time.Since(yielded) > yieldEvery {
		time.Sleep(1)
		yielded = time.Now()
	}
}
