package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/pavage/pavage/server/api"
)

// BenchmarkKnownCount is a count that is kept in memory, without the connection.
func BenchmarkKnownCount(b *testing.B) {
	f := newFake(b)
	handler := api.New(api.Options{Work: f, Jobs: f})
	for b.Loop() {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/count?board=8x8&piece=domino=any", nil))
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}
