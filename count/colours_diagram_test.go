package count

import (
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
)

// TestVariablesWithoutMoves: the options of a step that no state can choose, because their colour
// comes too late, have variables too, so the variables of the next options are not consecutive.
func TestVariablesWithoutMoves(t *testing.T) {
	p, err := cover.Read("t", strings.NewReader(`
item 0 1
item 1 1
item 2 0..1
item 3 0..1
item 4 0..1
item 5 0..1
item 6 0..1
option 0
option 0 5:c1
option 0 5:c2
option 1 2:c2 3:c1 5:c0 6:c1
option 0 4:c0 5:c1
option 0 5:c0
option 0 4:c1
`))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compile(t.Context(), p, Options{})
	if err != nil || c.Result.Count.Int64() != 3 {
		t.Errorf("got %v, %v, want 3 solutions", c, err)
	}
}
