package access

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// mostRates is how many callers and addresses are remembered. A rate is some hundred bytes.
const mostRates = 1 << 14

// rates limit how often each caller may call. Each caller has a token bucket, which
// holds the requests of a minute and fills steadily. A caller that was quiet for a
// minute may send a minute's requests at once.
type rates struct {
	mutex sync.Mutex
	of    map[string]*rate.Limiter
}

func newRates() *rates { return &rates{of: map[string]*rate.Limiter{}} }

// take returns 0 if the caller may call now, or else how long it must wait. A rate of 0
// is no limit.
func (r *rates) take(key string, perMinute int, now time.Time) time.Duration {
	if perMinute == 0 {
		return 0
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	l := r.limiter(key, perMinute, now)
	place := l.ReserveN(now, 1)
	wait := place.DelayFrom(now)
	if wait > 0 {
		place.CancelAt(now) // a refused request costs nothing
	}
	return wait
}

// limiter is the limiter of the key, set to this rate.
func (r *rates) limiter(key string, perMinute int, now time.Time) *rate.Limiter {
	l := r.of[key]
	limit := rate.Limit(float64(perMinute) / 60)
	if l == nil {
		if len(r.of) >= mostRates {
			r.forget(now)
		}
		l = rate.NewLimiter(limit, perMinute)
		r.of[key] = l
	}
	if l.Burst() != perMinute { // the file of tokens has changed
		l.SetLimitAt(now, limit)
		l.SetBurstAt(now, perMinute)
	}
	return l
}

// forget drops the limiters whose bucket is full, since a new one is equal. If no bucket is
// full, because somebody uses thousands of addresses, it drops all: memory must stay
// bounded.
func (r *rates) forget(now time.Time) {
	for key, l := range r.of {
		if l.TokensAt(now) >= float64(l.Burst()) {
			delete(r.of, key)
		}
	}
	if len(r.of) >= mostRates {
		clear(r.of)
	}
}
