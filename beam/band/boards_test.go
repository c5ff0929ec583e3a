package band

import (
	"testing"

	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/internal/test/boards"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestBoards counts boards cut into 1, 3, 16 and 64 tasks a band, with bands of several lengths. Package
// pipeline counts many more, and compares all that a run in one process leaves in the store.
func TestBoards(t *testing.T) {
	limbs := 0
	for i, b := range boards.Some(t) {
		want := counted(t, b.Problem)
		limbs = max(limbs, len(want)/20)
		for k, tasks := range []int{1, 3, 16, 64} {
			if !testkit.IsLong() && (i+k)%2 != 0 {
				continue
			}
			m := storetest.New()
			r := create(t, m, b.Problem, Options{Band: max(1, len(b.Problem.Items)/(2+(i+k)%5)), Tasks: tasks, Least: 1})
			a := local(t, r, Hooks{})
			if a.Count.String() != want {
				t.Errorf("%s, %d tasks: %v, want %s", b.Name, tasks, a.Count, want)
			}
		}
	}
	if limbs < 1 {
		t.Error("no count has two limbs")
	}
}
