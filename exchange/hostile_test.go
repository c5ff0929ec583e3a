package exchange

import (
	"context"
	"runtime"
	"strings"
	"testing"
)

// TestHostileFilesTakeLittle: a file with one part, in one place after another, much longer than
// expected is refused, and the memory allocated for it on the way is at most 32 times its size.
func TestHostileFilesTakeLittle(t *testing.T) {
	const size, most = 1 << 18, 32
	long := func(begin, part, end string) string { return begin + strings.Repeat(part, size/len(part)) + end }
	const box = "D:xDim=1:yDim=1:zDim=1\n"
	for _, c := range []struct{ name, format, text string }{
		{"commas in a drawing", "polycube", long(box+"L\n", ",", "\n~L\n~D\n")},
		{"points in a drawing", "polycube", long(box+"L\n", ". ", "\n~L\n~D\n")},
		{"settings", "polycube", long(box+"C", ":", "\n~D\n")},
		{"numbers of a cell", "polycube", long(box+"C:name=a:layout=", "0 ", "\n~D\n")},
		{"points", "polycube", long(box+"C:name=a:layout=", "0 0 0,", "0 0 0\n~D\n")},
		{"boxes of fixed cells", "polycube", strings.Repeat("D:xDim=64:yDim=64:zDim=64\nL:stationary=a\n"+strings.Repeat("a ", 1024)+"\n~L\n~D\n", size/2100)},
		{"words", "dlx", long("a b\na ", "b ", "\n")},
		{"items", "dlx", long("", "a ", "\n")},
		{"bars", "dlx", long("a |", "| ", "\n")},
		{"ends", "edges", long("a ", "b ", "\n")},
		{"numbers", "dimacs", long("p cnf 9 9\n", "1 ", "0\n")},
		{"words of a head", "dimacs", long("p ", "cnf ", "\n")},
		{"words of a comment", "dimacs", long("c ", "a ", "\n")},
		{"letters", "letters", long("AB\nAB\n", ". ", "\n")},
		{"rows", "letters", long("AB\nAB\n", ".\n", "\n")},
		{"attributes", "xmpuzzle", packed(long("<puzzle version='2' ", "a='' ", "/>"))},
		{"other attributes", "xmpuzzle", packed("<puzzle version='2' " + attributes(size) + "/>")},
		{"shapes", "xmpuzzle", packed(long("<puzzle version='2'><shapes>", "<voxel x='1' y='1' z='1' type='0'>_</voxel>", "</shapes></puzzle>"))},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(context.Background(), c.format, "f", []byte(c.text), Options{})
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: read", c.name)
			continue
		}
		checkError(t, err)
		if took := float64(after.TotalAlloc-before.TotalAlloc) / size; took > most {
			t.Errorf("%s: takes %.1f times the size of the file, want at most %d; %v", c.name, took, most, err)
		}
	}
}

// attributes returns at least size bytes of attributes, all different.
func attributes(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteByte('a')
		for n := i; n > 0; n /= 16 {
			b.WriteByte("abcdefghijklmnop"[n%16])
		}
		b.WriteString("='' ")
	}
	return b.String()
}
