package job

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"testing"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
)

// sealAgain computes the checksum and the seal of a file of one block again, after its bytes were
// changed.
func sealAgain(t *testing.T, data []byte) []byte {
	t.Helper()
	trailer := data[len(data)-48:]
	body, table := binary.LittleEndian.Uint64(trailer), binary.LittleEndian.Uint64(trailer[8:])
	if body > 1<<16 {
		t.Fatalf("%d bytes, want one block", body)
	}
	rest := data[body : len(data)-48]
	binary.LittleEndian.PutUint32(rest[table:], crc32.Checksum(data[:body], crc32.MakeTable(crc32.Castagnoli)))
	seal := sha256.Sum256(bytes.Join([][]byte{data[:24], rest, trailer[:16]}, nil))
	copy(trailer[16:], seal[:])
	return data
}

// TestForgedCounts: a file with right checksums and a wrong count of its root.
func TestForgedCounts(t *testing.T) {
	folder := t.TempDir()
	good, _ := compiledTo(t, folder, "good.pavage", &Compile{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}}, Watch{})
	verified, err := Do(t.Context(), &Verify{Puzzle: good}, Limits{}, Watch{})
	if err != nil || verified.Agrees == nil || !*verified.Agrees {
		t.Fatalf("%+v, %v from a good file", verified, err)
	}
	data, err := os.ReadFile(good.Name)
	if err != nil {
		t.Fatal(err)
	}
	body := binary.LittleEndian.Uint64(data[len(data)-48:])
	if data[body-1] != 36 {
		t.Fatalf("the file ends in the count %d, want 36", data[body-1])
	}
	data[body-1] = 0
	forged := opened(t, folder, "forged.pavage", sealAgain(t, data))
	if answer, err := Do(t.Context(), &Count{Puzzle: forged}, Limits{}, Watch{}); !errors.Is(err, compiled.ErrFile) {
		t.Errorf("count: %+v, %v, want an error about the file", answer, err)
	}
	verified, err = Do(t.Context(), &Verify{Puzzle: forged}, Limits{}, Watch{})
	if KindOf(err) != Disagreement || !errors.Is(err, count.ErrDisagrees) || verified.Disagreement == "" {
		t.Errorf("verify: %+v, %v, want a disagreement", verified, err)
	}
}

// TestVerifyComparesTheDiagram: a file whose diagram and counts are right, and not of its puzzle.
func TestVerifyComparesTheDiagram(t *testing.T) {
	folder := t.TempDir()
	puzzle := &Compile{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}, Conditions: Conditions{With: []string{"#0"}}}
	part, _ := compiledTo(t, folder, "part.pavage", puzzle, Watch{})
	data, err := os.ReadFile(part.Name)
	if err != nil {
		t.Fatal(err)
	}
	conditions, blank := []byte(`,"conditions":["with #0"]`), bytes.Repeat([]byte(" "), len(`,"conditions":["with #0"]`))
	if !bytes.Contains(data, conditions) {
		t.Fatalf("no %s in the file", conditions)
	}
	forged := opened(t, folder, "forged.pavage", sealAgain(t, bytes.Replace(data, conditions, blank, 1)))
	if verified, err := Do(t.Context(), &Verify{Puzzle: forged}, Limits{}, Watch{}); KindOf(err) != Disagreement {
		t.Errorf("%+v, %v, want a disagreement", verified, err)
	}
}
