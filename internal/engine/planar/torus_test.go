package planar

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestEmbedTorus embeds grids on the torus, with holes and any numbering. Other graphs are refused.
func TestEmbedTorus(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 5))
	embedded := 0
	for range testkit.Size(100, 2000) {
		whole := torus(5+rng.IntN(4), 5+rng.IntN(4)).shuffled(rng)
		m, err := EmbedTorus(t.Context(), whole.vertices, whole.edges)
		if err != nil {
			t.Fatal(err)
		}
		if _, faces := m.Faces(); faces != whole.vertices {
			t.Fatalf("%d faces, want %d", faces, whole.vertices)
		}
		g := whole.thinned(0.95, rng)
		m, err = EmbedTorus(t.Context(), g.vertices, g.edges)
		if errors.Is(err, ErrNonplanar) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		embedded++
		if _, faces := m.Faces(); g.vertices-len(g.edges)+faces != 0 || len(m.Next) != 2*len(g.edges) {
			t.Fatalf("%d vertices, %d edges, %d faces", g.vertices, len(g.edges), faces)
		}
	}
	if embedded < 20 {
		t.Errorf("only %d tori with holes were embedded", embedded)
	}
	for name, g := range map[string]*sketch{
		"K8": complete(8, itself), "K3,3": complete(6, even), "Petersen": petersen(), "four columns": torus(6, 4),
		"two tori": torus(5, 5).with(torus(5, 5), false), "plane": stacked(20, rng), "no edge": {vertices: 1},
	} {
		if _, err := EmbedTorus(t.Context(), g.vertices, g.edges); !errors.Is(err, ErrNonplanar) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	g := torus(200, 200)
	if _, err := EmbedTorus(ctx, g.vertices, g.edges); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
