package bdd

import (
	"bytes"
	"context"
	le "encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

func encoded(t testing.TB, d *Diagram) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.Encode(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// decoded reads a diagram, without counts.
func decoded(ctx context.Context, nodes Region, l Limits) (*Diagram, error) {
	m := &Mapped{nodes: nodes}
	directory, size, err := m.header()
	if err != nil {
		return nil, err
	}
	if err := m.readDirectory(ctx, directory, size); err != nil {
		return nil, err
	}
	return m.Diagram(ctx, l)
}

func decodeBytes(b []byte) (*Diagram, error) {
	return decoded(context.Background(), bytes.NewReader(b), Limits{Bytes: 1 << 24})
}

// checkBytes fails unless the diagram is read as it was written.
func checkBytes(t testing.TB, d *Diagram) {
	t.Helper()
	again, err := decoded(context.Background(), bytes.NewReader(encoded(t, d)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	checkCanonical(t, again)
	if !again.Equal(d) {
		t.Fatalf("%d nodes are read as %d", d.Size(), again.Size())
	}
}

// TestRoundTrips: written families of all sizes are read back.
func TestRoundTrips(t *testing.T) {
	checkBytes(t, build(t, dominoes()))
	checkBytes(t, build(t, boardSpec(8, 8, []shape{{{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}})))
	checkBytes(t, build(t, powerSet(300)))
	for _, vars := range []int{0, 1, 5, 1000} {
		checkBytes(t, must[*Diagram](t)(Empty(vars)))
		checkBytes(t, must[*Diagram](t)(Unit(vars)))
	}
	checkBytes(t, singleton(t, 100_000, 3, 99_000, 99_999))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		checkBytes(t, listed(t, 12, randomSets(rng, 12)))
	}
}

// TestRoundTripsOfCovers: the same of the solutions of random covers.
func TestRoundTripsOfCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		p := oracle.Random(rng)
		sets, err := oracle.Solutions(p)
		if err != nil {
			t.Fatal(err)
		}
		checkBytes(t, listed(t, len(p.Options), sets))
	}
}

// TestEncoding: the bytes of the running example are a promise.
func TestEncoding(t *testing.T) {
	want := "PAVAGEdd" + "\x01\x00\x00\x00" + "\x07\x00\x00\x00" + "\x0a\x00\x00\x00" + "\x09\x00\x00\x00" + "\x0e\x00\x00\x00\x00\x00\x00\x00" +
		"\x01\x00" + "\x01\x00" + "\x02\x01" + "\x01\x01" + "\x01\x11" + "\x01\x01" + "\x01\x11" +
		"" + "" + "\x00\x01" + "\x02" + "\x05\x02" + "\x01" + "\x04\x02"
	got := encoded(t, build(t, dominoes()))
	if string(got) != want {
		t.Errorf("the bytes are\n%q, want\n%q", got, want)
	}
}

// crafted are bytes with a header of these numbers, a directory, and nodes.
func crafted(vars, size, root uint32, directory, nodes string) []byte {
	b := []byte(encodingMagic)
	for _, n := range []uint32{encodingVersion, vars, size, root} {
		b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
	}
	b = append(b, byte(len(directory)), 0, 0, 0, 0, 0, 0, 0)
	return append(append(b, directory...), nodes...)
}

// TestWrongBytes: each rule of a diagram is checked, and the error names the place.
func TestWrongBytes(t *testing.T) {
	good := crafted(2, 4, 3, "\x01\x00\x01\x11", "\x01\x01")
	if d, err := decodeBytes(good); err != nil || d.Size() != 4 {
		t.Fatalf("a sound one: %v", err)
	}
	tests := []struct {
		name  string
		bytes []byte
		want  string
	}{
		{"nothing", nil, "end at byte 0"},
		{"a word", []byte("PAVAGEXX" + string(good[8:])), `begin with "PAVAGEXX"`},
		{"too many variables", crafted(MaxVars+1, 2, 0, "", ""), "16777217 variables"},
		{"no terminals", crafted(0, 1, 0, "", ""), "1 nodes"},
		{"a root that is no terminal", crafted(0, 2, 2, "", ""), "the root is node 2 of 2 nodes"},
		{"a root in the middle", crafted(2, 4, 2, "\x01\x00\x01\x11", "\x01\x01"), "the root is node 2 of 4 nodes"},
		{"a short directory", crafted(2, 4, 3, "\x02", ""), "the directory has 1 bytes"},
		{"a long directory", crafted(0, 2, 0, "\x00", ""), "the directory has 1 bytes"},
		{"more in the directory", crafted(2, 4, 3, "\x01\x00\x01\x11\x00", "\x01\x01"), "the directory is 1 bytes too long"},
		{"less in the directory", crafted(3, 4, 3, "\x01\x00\x01\x11", "\x01\x01"), "the directory ends within a number"},
		{"more nodes than all", crafted(2, 4, 3, "\x01\x00\x02\x11", "\x01\x01"), "variable 0 has 2 nodes, but the header leaves at most 1 for it"},
		{"fewer nodes than all", crafted(2, 5, 4, "\x01\x00\x01\x11", "\x01\x01"), "4 nodes, including terminals, but the number of nodes in the header is 5"},
		{"a long number", crafted(2, 4, 3, "\x81\x00\x00\x01\x11", "\x01\x01"), "more bytes than the number needs"},
		{"a longer number", crafted(2, 4, 3, "\x81\x80\x80\x80\x80\x01", ""), "variable 1 has 34359738369 nodes"},
		{"a child of 5 bytes", crafted(2, 4, 3, "\x01\x00\x01\x51", "\x01\x01\x00\x00\x00\x00"), "1 bytes for hi and 5 bytes for lo"},
		{"zeros", crafted(2, 4, 3, "\x01\x00\x01\x12", "\x01\x00\x01"), "but need only 1 bytes for hi and 1 bytes for lo"},
		{"a hi that is too low", crafted(2, 4, 3, "\x01\x00\x01\x11", "\x02\x01"), "node 3 of variable 0 has a wrong child"},
		{"a lo that is too low", crafted(2, 4, 3, "\x01\x00\x01\x11", "\x01\x03"), "node 3 of variable 0 has a wrong child"},
		{"two equal nodes", crafted(1, 4, 3, "\x02\x00", ""), "node 3 of variable 0 does not come after"},
		{"falling nodes", crafted(2, 5, 4, "\x01\x00\x02\x01", "\x01\x00"), "node 4 of variable 0 does not come after"},
		{"a node that nothing reaches", crafted(2, 4, 3, "\x01\x00\x01\x00", ""), "node 2 cannot be reached from the root, node 3"},
		{"a cut node", good[:len(good)-1], "the nodes have 37 bytes, expected 38"},
	}
	for _, c := range tests {
		_, err := decodeBytes(c.bytes)
		if !errors.Is(err, ErrEncoding) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

// TestOtherVersion: an error about another version names both.
func TestOtherVersion(t *testing.T) {
	b := crafted(0, 2, 1, "", "")
	b[8] = 7
	if _, err := decodeBytes(b); !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), "version 7, expected version 1") {
		t.Error(err)
	}
}

// checkAnything reads any bytes: they are refused, or they are the only encoding of the diagram
// that is read.
func checkAnything(t testing.TB, b []byte) {
	t.Helper()
	d, err := decodeBytes(b)
	switch {
	case err == nil:
		checkCanonical(t, d)
		if again := encoded(t, d); !bytes.HasPrefix(b, again) {
			t.Errorf("%q is read as a diagram that is written %q", b, again)
		}
	case !errors.Is(err, ErrEncoding) && !errors.Is(err, ErrVersion) && !errors.Is(err, ErrLimit):
		t.Errorf("%q: %v", b, err)
	}
}

// TestDamage: a diagram with a byte changed, or cut short, is refused, or is another
// diagram.
func TestDamage(t *testing.T) {
	whole := encoded(t, listed(t, 12, randomSets(rand.New(rand.NewPCG(5, 6)), 12)))
	for at := range whole {
		for flip := 1; flip < 256; flip += testkit.Size(17, 1) {
			b := bytes.Clone(whole)
			b[at] ^= byte(flip)
			checkAnything(t, b)
		}
		if _, err := decodeBytes(whole[:at]); !errors.Is(err, ErrEncoding) {
			t.Errorf("%d of %d bytes: %v", at, len(whole), err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encoded(f, must[*Diagram](f)(Unit(3))))
	f.Add(encoded(f, build(f, dominoes())))
	f.Add(crafted(2, 4, 3, "\x01\x00\x01\x11", "\x01\x01"))
	f.Fuzz(func(t *testing.T, b []byte) { checkAnything(t, b) })
}

// TestClaims: bytes that claim to be large cost only memory in proportion to their length, and
// none beyond the limits.
func TestClaims(t *testing.T) {
	huge := crafted(MaxVars, maxNodes, maxNodes-1, "", "")
	le.LittleEndian.PutUint64(huge[24:], maxEntry*MaxVars)
	huge = append(huge, make([]byte, 1<<16)...) // variables without nodes
	took := testkit.Allocated(func() {
		if _, err := decoded(context.Background(), bytes.NewReader(huge), Limits{}); !errors.Is(err, ErrEncoding) {
			t.Error(err)
		}
	})
	if took > 3<<20 {
		t.Errorf("%d bytes cost %d bytes of memory", len(huge), took)
	}
	large := encoded(t, build(t, boardSpec(5, 6, small3)))
	for _, l := range []Limits{{Bytes: 1 << 10}, {Nodes: 1000}} {
		if _, err := decoded(context.Background(), bytes.NewReader(large), l); !errors.Is(err, ErrLimit) {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// TestEncodingStops: writing and reading end with their context, and with errors of who
// writes and reads.
func TestEncodingStops(t *testing.T) {
	d := build(t, boardSpec(8, 8, []shape{{{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}}))
	b := encoded(t, d)
	for n := 1; ; n++ {
		ctx := testkit.AfterLooks(t, n)
		if err := d.Encode(ctx, io.Discard); err == nil {
			break
		} else if !errors.Is(err, ctx.Err()) {
			t.Fatal(err)
		}
	}
	for n := 1; ; n++ {
		ctx := testkit.AfterLooks(t, n)
		if _, err := decoded(ctx, bytes.NewReader(b), Limits{}); err == nil {
			break
		} else if !errors.Is(err, ctx.Err()) {
			t.Fatal(err)
		}
	}
	broken := errors.New("broken")
	if _, err := decoded(context.Background(), io.NewSectionReader(brokenPipe{broken}, 0, 100), Limits{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := d.Encode(context.Background(), brokenPipe{broken}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type brokenPipe struct{ err error }

func (b brokenPipe) Write([]byte) (int, error)         { return 0, b.err }
func (b brokenPipe) ReadAt([]byte, int64) (int, error) { return 0, b.err }
