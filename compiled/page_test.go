package compiled_test

import (
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

var update = flag.Bool("update", false, "write the example of doc/compiled-file.md again")

// onPage is the puzzle file of the page's example.
const onPage = "board: 2x3\npieces: [{name: domino, copies: any}]\n"

// TestPage: the page that describes the format has the bytes of dominoes on 2x3 as they are
// written.
func TestPage(t *testing.T) {
	p := puzzletest.Parse(t, onPage).Problem
	_, c := compile(t, p)
	about := &compiled.About{
		Puzzle: []byte(`{"name":"dominoes.yaml"}`), Data: []byte(onPage), Title: "2x3", Options: len(p.Options), Digest: compiled.Digest(p),
	}
	data := written(t, about, c)
	if got, err := count.At(t.Context(), c, big.NewInt(1)); err != nil || !slices.Equal(got, []int{4, 1, 3}) {
		t.Errorf("tiling 1 is %v, %v, want ad, bc, ef", got, err)
	}
	testkit.Section(t, "../doc/compiled-file.md", "example", dumped(data), *update, "go test ./compiled -run TestPage -update")
}

// dumped is a file in hexadecimal, with a line above each part.
func dumped(data []byte) string {
	var b strings.Builder
	at, head := 0, 16
	part := func(name string, length int) {
		fmt.Fprintf(&b, "    %s: %d bytes\n", name, length)
		for end := at + length; at < end; at += min(16, end-at) {
			line := data[at:min(at+16, end)]
			fmt.Fprintf(&b, "    %5d  %s  %s\n", at, grouped(line), printable(line))
		}
	}
	part("header", head+8)
	body, table := int(binary.LittleEndian.Uint64(data[len(data)-48:])), int(binary.LittleEndian.Uint64(data[len(data)-40:]))
	for entry := data[body : body+table]; len(entry) > 0; {
		n := int(entry[0])
		part("section "+string(entry[1:1+n]), int(binary.LittleEndian.Uint64(entry[1+n:])))
		entry = entry[1+n+8:]
	}
	part("table", table)
	part("checksums", len(data)-48-body-table)
	part("trailer", 48)
	return "\n" + b.String() + "\n"
}

// grouped are at most 16 bytes in hexadecimal, padded.
func grouped(line []byte) string {
	words := make([]string, 0, 8)
	for i := 0; i < len(line); i += 2 {
		words = append(words, hex.EncodeToString(line[i:min(i+2, len(line))]))
	}
	return fmt.Sprintf("%-39s", strings.Join(words, " "))
}

// printable replaces every byte that is no letter, digit or sign by a point.
func printable(line []byte) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, string([]rune(latin(line))))
}

// latin is a rune for each byte.
func latin(line []byte) string {
	var b strings.Builder
	for _, c := range line {
		b.WriteRune(rune(c))
	}
	return b.String()
}
