package access

import (
	"context"
	"crypto/sha256"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/human"
)

func (g *Guard) admit(h http.Header, r *http.Request) (e Token, p *client.Problem) {
	e = g.local
	if g.o.Tokens != "" {
		if g.o.Open != nil && g.o.Open(r.URL.Path) {
			return Token{}, nil
		}
		scheme, token, sent := strings.Cut(r.Header.Get("Authorization"), " ")
		if !sent || !strings.EqualFold(scheme, "Bearer") {
			h.Set("WWW-Authenticate", `Bearer realm="pavage"`)
			return Token{}, NewProblem(http.StatusUnauthorized, "the request has no token, expected the header Authorization: Bearer %s…", tokenPrefix)
		}
		var known bool
		if e, known = g.find(sha256.Sum256([]byte(strings.TrimSpace(token)))); !known {
			h.Set("WWW-Authenticate", `Bearer realm="pavage", error="invalid_token"`)
			return Token{}, NewProblem(http.StatusUnauthorized, "the service does not know the token of the request: the token is wrong, or it was removed")
		}
	}
	if now := g.now(); !e.limiter.AllowN(now, 1) {
		wait := (1 - e.limiter.TokensAt(now)) / float64(e.limiter.Limit())
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait))))
		return Token{}, NewProblem(http.StatusTooManyRequests, "this caller may send at most %d requests a minute: send the next request after %s",
			e.PerMinute, human.Count(h.Get("Retry-After"), "second"))
	}
	return e, nil
}

// whileInForce cancels the context of the request and stops its answer if the token is withdrawn.
func (g *Guard) whileInForce(e Token, next http.Handler, w http.ResponseWriter, r *http.Request) {
	ctx, end := context.WithCancel(r.Context())
	var watch sync.WaitGroup
	watch.Go(func() {
		looks := time.NewTicker(lookEvery)
		defer looks.Stop()
		// The token is in force while the file gives it the same name, and the same or a higher role.
		for now, known := e, true; known && now.Name == e.Name && now.Role >= e.Role; now, known = g.find(e.Hash) {
			select {
			case <-ctx.Done():
				return
			case <-looks.C:
			}
		}
		end()
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now()) // ends a write that waits for the client
	})
	defer watch.Wait()
	defer end()
	next.ServeHTTP(&revocable{w, ctx}, r.WithContext(ctx))
}

type revocable struct {
	http.ResponseWriter
	ctx context.Context
}

func (w *revocable) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the wrapped writer, for [http.ResponseController].
func (w *revocable) Unwrap() http.ResponseWriter { return w.ResponseWriter }
