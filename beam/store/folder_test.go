package store_test

import (
	"path/filepath"
	"testing"

	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/beam/store/storetest"
)

// open opens a store.
func open(t *testing.T, where string) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFolder(t *testing.T) {
	where := filepath.Join(t.TempDir(), "not", "there")
	storetest.Conform(t, func() store.Store { return open(t, where) })
}
