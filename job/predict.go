package job

import "context"

// Forecast is what a piece of work is expected to take.
type Forecast struct {
	Seconds float64 // by the clock, with the threads of the limits
	Bytes   int64   // of memory
	// Known says that the numbers are good to a factor of about ten. If it is false
	// they may be 0, or what could be seen so far.
	Known bool
}

// Predict tells what the work of a request is expected to take. It looks for as long as
// ctx lets it, which is meant to be a twentieth of a second, and ends soon after that.
func Predict(ctx context.Context, r Request, l Limits) Forecast {
	return Forecast{}
}
