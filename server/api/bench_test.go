package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/api"
)

// BenchmarkKnownCount is a count that is kept in memory, without the connection.
func BenchmarkKnownCount(b *testing.B) {
	f := newFake(b)
	handler := api.New(api.Options{Work: f, Jobs: f})
	ctx := access.With(b.Context(), access.Caller{Role: access.Run})
	for b.Loop() {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/v1/count?board=8x8&piece=domino=any", nil))
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}
