package store_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/beam/store/storetest"
)

func TestMemory(t *testing.T) {
	m := storetest.New()
	conform(t, func() store.Store { return m })
}

// TestMemoryFails: the calls that Fail selects fail, and have no effect.
func TestMemoryFails(t *testing.T) {
	m := storetest.New()
	m.Fail = storetest.Every(3) // stage, write, commit
	for range 5 {
		if err := store.Write(t.Context(), m, "a", []byte("abc")); !errors.Is(err, storetest.ErrPlanned) {
			t.Errorf("%v", err)
		}
	}
	if m.Calls() != 15 || m.Calls("stage", "write") != 10 || len(m.Names()) != 0 {
		t.Errorf("%d calls, files %q", m.Calls(), m.Names())
	}
	m.Put("a", []byte("abc"))
	if _, err := m.Size(t.Context(), "a"); err != nil { // call 16
		t.Error(err)
	}
	r, err := m.Range(t.Context(), "a", 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); !errors.Is(err, storetest.ErrPlanned) {
		t.Errorf("%v", err)
	}
}

// TestMemoryAnswerLost: a call whose answer is lost has had its effect.
func TestMemoryAnswerLost(t *testing.T) {
	m := storetest.New()
	m.Answer = storetest.Every(1)
	if err := store.Write(t.Context(), m, "a", nil); !errors.Is(err, storetest.ErrPlanned) || len(m.Names()) != 1 {
		t.Errorf("%v, files %q", err, m.Names())
	}
	if err := m.Remove(t.Context(), "a"); !errors.Is(err, storetest.ErrPlanned) || len(m.Names()) != 0 {
		t.Errorf("%v, files %q", err, m.Names())
	}
}

func TestMemoryDamage(t *testing.T) {
	m := storetest.New()
	for _, name := range []string{"a", "b", "c"} {
		m.Put(name, []byte(name+"xyz"))
	}
	before := m.Bytes("a")
	m.Flip("a", 1)
	if got := m.Bytes("a"); !bytes.Equal(got, []byte("azyz")) || string(before) != "axyz" {
		t.Errorf("%q", got)
	}
	m.Truncate("a", 0)
	m.Exchange("a", "b")
	m.Lose("c")
	if a, b := m.Bytes("a"), m.Bytes("b"); string(a) != "bxyz" || len(b) != 0 || !slices.Equal(m.Names(), []string{"a", "b"}) {
		t.Errorf("%q, %q, %q", a, b, m.Names())
	}
}
