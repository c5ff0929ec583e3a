package job

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// marked has all that a puzzle may have besides a plain board and pieces.
const marked = `
wrap: columns
board: [a b c x, "# # o y"]
open: [where]
parameters: {where: [x, y]}
colours: {w: white, b: black, pattern: wb/bw}
allow: [[white, black]]
pieces: [{name: d, shape: wb, copies: 0..3}, {name: e, shape: "w#", copies: any}, {name: monomino, copies: any}]
groups: [{of: [d, e], copies: 1..3}]
place: ["d@0,0"]
forbid: [{piece: e, cells: [[0, 1], [0, 2]]}, {piece: monomino}]
`

// TestShownMarks: the answer to Show defines the colours, marks and groups of a puzzle completely,
// and has no such fields for a plain puzzle.
func TestShownMarks(t *testing.T) {
	shown := func(p Puzzle) string {
		t.Helper()
		a, err := Do(context.Background(), &Show{Puzzle: p}, Limits{}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(a); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	got := shown(Puzzle{Text: marked, Values: map[string]string{"where": "y"}})
	for _, want := range []string{
		`"cells":7,"optional":1,`,
		`"cells":[[0,0],[0,1]],"colours":["white","black"]}`,
		`"cells":[[0,0],[0,1]],"colours":["white",""]}`,
		`"cells":[[0,0]]}],"items":`,
		`"wrap":"columns","names":[{"name":"a","cell":[0,0]},{"name":"b","cell":[0,1]},{"name":"c","cell":[0,2]},{"name":"x","cell":[0,3]},{"name":"y","cell":[1,3],"open":true}],`,
		`"colours":[{"name":"white","on":["white","black"],"cells":[[0,0],[0,2],[1,1]]},{"name":"black","on":["black"],"cells":[[0,1],[0,3],[1,0],[1,2]]}],`,
		`"groups":[{"of":["d","e"],"copies":"1..3"}],`,
		`"place":[{"piece":"d","cells":[[0,0]]}],`,
		`"forbid":[{"piece":"e","cells":[[0,1],[0,2]]},{"piece":"monomino"}],`,
		`"parameters":[{"name":"where","value":"y","values":["x","y"]}]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nhas no %s", got, want)
		}
	}
	moved := shown(Puzzle{Text: "{board: 2x3, pieces: [{name: a, shape: '##', motions: fixed}, {name: b, shape: '#'}, {name: c, shape: '##', motions: one-sided}]}"})
	for _, want := range []string{`"cells":[[0,0],[0,1]],"motions":"fixed"}`, `"cells":[[0,0]]}`, `"motions":"one-sided"}`} {
		if !strings.Contains(moved, want) {
			t.Errorf("%s\nhas no %s", moved, want)
		}
	}
	if got := shown(Puzzle{Example: "queens-8"}); !strings.Contains(got, `"title":"Eight queens`) {
		t.Errorf("a cover without its title: %.60s", got)
	}
	if got := shown(Puzzle{Example: "soma"}); strings.Contains(got, "motions") {
		t.Errorf("of a usual cube %s", got)
	}
	if got := shown(Puzzle{Board: "2x2x2", Pieces: []string{"domino=4"}, Motions: "free"}); !strings.Contains(got, `"motions":"free"`) {
		t.Errorf("of a piece that may be reflected %s", got)
	}
	if got := shown(dominoes); strings.Contains(got, "motions") || strings.Contains(got, "colours") || strings.Contains(got, "wrap") || strings.Contains(got, "null") {
		t.Errorf("of a plain puzzle %s", got)
	}
}
