package count

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestPieces: a certificate within another is cut into pieces of one size and a shorter
// last one, however it is written.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 1000, pieceBytes - 1, pieceBytes, pieceBytes + 1, 2 * pieceBytes, 3*pieceBytes + 7} {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(rng.Uint32())
		}
		var out bytes.Buffer
		to := &numbers{sum: sha256.New(), to: bufio.NewWriter(&out)}
		p := &pieces{to: to}
		for rest := want; len(rest) > 0; {
			some := min(len(rest), rng.IntN(2*pieceBytes))
			if _, err := p.Write(rest[:some]); err != nil {
				t.Fatal(err)
			}
			rest = rest[some:]
		}
		p.piece()
		if err := to.to.Flush(); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for length := uint64(pieceBytes); length == pieceBytes; {
			var err error
			if length, err = binary.ReadUvarint(&out); err != nil {
				t.Fatalf("%d bytes have no end: %v", n, err)
			}
			got = append(got, out.Next(int(length))...)
		}
		if !bytes.Equal(got, want) || out.Len() > 0 {
			t.Errorf("%d bytes: %d in pieces, %d more", n, len(got), out.Len())
		}
	}
}
