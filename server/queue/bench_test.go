package queue

import (
	"path/filepath"
	"testing"

	"github.com/pavage/pavage/internal/test/queuetest"
)

// BenchmarkAdd measures the time to accept a job.
func BenchmarkAdd(b *testing.B) {
	for name, at := range map[string]string{"sqlite": filepath.Join(b.TempDir(), "pavage.db"), "postgres": queuetest.Postgres(b)} {
		b.Run(name, func(b *testing.B) {
			q, err := openAt(b.Context(), name, at, Options{})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := q.Add(b.Context(), example(), 0); err != nil {
					b.Fatal(err)
				}
			}
			if err := q.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
