package automaton

import (
	"context"
	"encoding/hex"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestPrints: prints are the same as in earlier versions, so that saved levels of those versions
// can be resumed. A change here is a change of the order of sweeps, or of the pruned states.
func TestPrints(t *testing.T) {
	for _, c := range []struct {
		board  string
		pieces []string
		words  int
		want   string
	}{
		{"8x8", []string{"domino=any", "monomino=3..20"}, 1, "cb3273190414888db5b2c797277723f996fce03bdd6440376717c3597c2cece1"},
		{"9x9", []string{"tetrominoes", "I5=0..9", "monomino=any"}, 1, "3371420fa76bbe213dbfa57521401ed555a8be766e76930638ae10da04752b43"},
		{"40x40", []string{"I3=any", "domino=any", "monomino=2.."}, 2, "0f691ff0664e326ee758ef8892e9ab577aa5f533b54e9e3c0db4812f403c21b4"},
		{"70x70", []string{"I3=any", "domino=any", "monomino=2.."}, 3, "c61ffb9b866a993ee915641d36d66cc4faf8db19e4dcf812c915c0d2cc15dc64"},
		{"100x100", []string{"I3=any", "domino=any", "monomino=2.."}, 4, "d1a460c0ff55ce739d10583ea56da6c783dfcd71f11c3ca455dafd72682f1590"},
	} {
		a, err := Compile(context.Background(), puzzletest.Inline(t, c.board, c.pieces...).Problem)
		if err != nil {
			t.Fatal(err)
		}
		p := a.Print()
		if got := hex.EncodeToString(p[:]); got != c.want || a.Words != c.words {
			t.Errorf("%s %v: %d words, print %s", c.board, c.pieces, a.Words, got)
		}
	}
}
