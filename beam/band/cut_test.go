package band

import (
	"strings"
	"testing"

	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestMostTasks: a level of mostTasks slabs with the widest keys fits in its file, even if Cut asks for
// more tasks.
func TestMostTasks(t *testing.T) {
	r := create(t, storetest.New(), puzzletest.Inline(t, "4x5", "tetrominoes=any").Problem, Options{Tasks: 1 << 40, Least: 1})
	if n := r.tasks(&Level{Body: Body{States: 1 << 50}}); n != mostTasks {
		t.Errorf("%d tasks, want %d", n, mostTasks)
	}
	digest := strings.Repeat("f", 64)
	some := make([]Made, 1000)
	for i := range some {
		some[i] = Made{
			Task{"123456-" + digest[:32], 1 << 20, 1 << 20, mostTasks, mostTasks},
			slab.Ref{
				Name: digest, Bytes: 1 << 40, Root: 1 << 40, States: 1 << 40, Bits: 320, Sum: strings.Repeat("9", 100), Residue: Prime,
				Marks: make([]slab.Mark, max(2, mostMarks/mostTasks)),
			},
		}
		for k := range some[i].Slab.Marks {
			some[i].Slab.Marks[k] = slab.Mark{Key: strings.Repeat("f", 16*key.MaxWords), Before: 1 << 40}
		}
	}
	data, err := seal(levelKind, &Level{Body: Body{Slabs: some}})
	if err != nil || int64(len(data))*mostTasks/1000 > mostBytes {
		t.Errorf("%d bytes for a thousand slabs: %v", len(data), err)
	}
}

// TestTooLarge: a file that could not be read is not written.
func TestTooLarge(t *testing.T) {
	m := storetest.New()
	long := &Receipt{Slab: slab.Ref{Sum: strings.Repeat("9", mostReceipt)}}
	if err := write(t.Context(), m, "a", receiptKind, long); err == nil || len(m.Names()) > 0 {
		t.Errorf("%v", err)
	}
	long.Slab.Sum = long.Slab.Sum[1000:]
	if err := write(t.Context(), m, "a", receiptKind, long); err != nil {
		t.Error(err)
	}
}
