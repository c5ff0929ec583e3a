package verify

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

const magic = "pavage certificate 1\n"

// zstdWith compresses with options of the encoder.
func zstdWith(t *testing.T, body []byte, options ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, append(options, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(body)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// stored returns a frame of one block that is not compressed, the last one or not, with a window of
// 2^(10+log) bytes.
func stored(body []byte, last, log int) string {
	h := len(body)<<3 | last
	return string(slices.Concat([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, byte(log << 3), byte(h), byte(h >> 8), byte(h >> 16)}, body))
}

// runs returns a frame with a block for every byte and its repetitions.
func runs(body []byte) string {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0}
	for at := 0; at < len(body); {
		n := 1
		for at+n < len(body) && body[at+n] == body[at] {
			n++
		}
		h := n<<3 | 1<<1
		if at+n == len(body) {
			h |= 1
		}
		frame = append(frame, byte(h), byte(h>>8), byte(h>>16), body[at])
		at += n
	}
	return string(frame)
}

// TestCertificateFrames has files that differ from a certificate before, in and after the frame.
func TestCertificateFrames(t *testing.T) {
	p := running(t)
	sealed := seal(onPage().write(p).body())
	frame := zstdWith(t, sealed)
	for _, test := range []struct{ name, file, want string }{
		{"streamed", magic + string(frame), ""},
		{"without checksum", magic + string(zstdWith(t, sealed, zstd.WithEncoderCRC(false))), ""},
		{"in runs", magic + runs(sealed), ""},
		{"empty", "", `first line: the file is empty`},
		{"a text", "item a 1\n", `first line: the file begins with "item a 1\n" and is not a certificate of this puzzle: its first line must be "pavage certificate N", with N = 1, 2, 4 or 5`},
		{"of another kind", strings.Replace(magic, "1", "x", 1) + string(frame), `"pavage certificate x\n" and is not a certificate of this puzzle: its first line must be "pavage certificate N", with N = 1, 2, 4 or 5`},
		{"version 3", strings.Replace(magic, "1", "3", 1) + string(frame), `"pavage certificate 3\n" and is not a certificate of this puzzle: its first line must be "pavage certificate N", with N = 1, 2, 4 or 5`},
		{"version 10", strings.Replace(magic, "1", "10", 1) + string(frame), `"pavage certificate 10" and is not a certificate of this puzzle: its first line must be "pavage certificate N", with N = 1, 2, 4 or 5`},
		{"nothing but its first line", magic, "the certificate is damaged or ends too early: EOF"},
		{"no zstd", magic + string(sealed), "magic number mismatch"},
		{"gzip", magic + "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00", "magic number mismatch"},
		{"a skippable frame before", magic + "\x50\x2a\x4d\x18\x01\x00\x00\x00x" + string(frame), ""},
		{"a skippable frame behind", magic + string(frame) + "\x50\x2a\x4d\x18\x00\x00\x00\x00", ""},
		{"an empty frame behind", magic + string(frame) + string(zstdWith(t, nil, zstd.WithZeroFrames(true))), ""},
		{"a byte behind runs", magic + runs(sealed) + "\n", "bytes or an error (unexpected EOF) follow the end, expected neither"},
		{"a byte behind", magic + string(frame) + "\n", "bytes or an error (unexpected EOF) follow the end, expected neither"},
		{"two frames", magic + string(zstdWith(t, sealed[:40])) + string(zstdWith(t, sealed[40:])), ""},
		{"garbage behind", magic + string(frame) + strings.Repeat("\n", 9), "bytes or an error (invalid input: magic number mismatch) follow the end, expected neither"},
		{"a frame with content behind", magic + string(frame) + string(zstdWith(t, []byte{0})), "bytes or an error (<nil>) follow the end, expected neither"},
		{"half a frame behind", magic + string(frame) + string(frame[:len(frame)/2]), "follow the end, expected neither"},
		{"a byte in the body behind", magic + string(zstdWith(t, append(slices.Clip(sealed), 0))), "bytes or an error (<nil>) follow the end, expected neither"},
		{"no SHA-256", magic + string(zstdWith(t, sealed[:len(sealed)-32])), "end: the certificate is damaged or ends too early: EOF"},
		{"half a SHA-256", magic + string(zstdWith(t, sealed[:len(sealed)-16])), "end: the certificate is damaged or ends too early: EOF"},
		{"half a digest", magic + string(zstdWith(t, sealed[:16])), "the certificate is damaged or ends too early: EOF"},
		{"an empty body", magic + string(zstdWith(t, nil, zstd.WithZeroFrames(true))), "the certificate is damaged or ends too early: EOF"},
		{"a frame without an end", magic + stored(sealed, 0, 0), "bytes or an error (unexpected EOF) follow the end, expected neither"},
		{"a window of 128 MiB", magic + stored(sealed, 1, 17), ""},
		{"a window of 256 MiB", magic + stored(sealed, 1, 18), "window size exceeded"},
	} {
		got, err := check(t, p, []byte(test.file))
		switch {
		case test.want == "" && (err != nil || got.Count.Int64() != 3):
			t.Errorf("%s: %v, %v, want 3", test.name, got, err)
		case test.want != "" && (!errors.Is(err, ErrCertificate) || !strings.HasSuffix(err.Error(), test.want)):
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

func TestCertificateCut(t *testing.T) {
	p := running(t)
	file := onPage().write(p).file(t)
	for n := range file {
		if _, err := check(t, p, file[:n]); !errors.Is(err, ErrCertificate) {
			t.Errorf("%d of %d bytes: %v", n, len(file), err)
		}
	}
}

// TestCertificateSum has certificates where only the SHA-256 is wrong.
func TestCertificateSum(t *testing.T) {
	p := running(t)
	sealed := seal(onPage().write(p).body())
	for at := len(sealed) - 32; at < len(sealed); at++ {
		bad := slices.Clone(sealed)
		bad[at] ^= 1
		if _, err := check(t, p, pack(t, magic, bad)); !errors.Is(err, ErrCertificate) || !strings.Contains(err.Error(), "rejected: end: the SHA-256 does not match the body") {
			t.Errorf("byte %d: %v", at, err)
		}
	}
}

func TestCertificateOfAnother(t *testing.T) {
	_, err := check(t, gaps(t), onPage().write(running(t)).file(t))
	want := fmt.Sprintf("certificate rejected: digest: the certificate is of another puzzle: its digest is %x, the digest of this puzzle is %x",
		coverDigest(running(t)), coverDigest(gaps(t)))
	if !errors.Is(err, ErrCertificate) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// long returns a number with this number of digits that is not in its shortest form, or too large.
func long(digits int, last byte) []byte {
	return append(bytes.Repeat([]byte{128}, digits-1), last)
}

// TestCertificateNumbers has, in every place of the header, a number that is very large, and a
// number that is not in its shortest form.
func TestCertificateNumbers(t *testing.T) {
	p := running(t)
	for _, before := range [][]byte{{}, {3}, {3, 1}, {3, 1, 6}, {3, 1, 6, 0}, {3, 1, 6, 0, 3}, {3, 0}, {3, 0, 6}, {3, 0, 0}, {3, 0, 0, 1}} {
		for _, n := range [][]byte{long(2, 0), long(9, 127), long(10, 1), long(10, 127), long(1000, 1), long(1<<20, 0), bytes.Repeat([]byte{255}, 1<<16)} {
			body := slices.Concat(coverDigest(p), before, n)
			if _, err := check(t, p, pack(t, magic, seal(body))); !errors.Is(err, ErrCertificate) {
				t.Errorf("%v and %d digits: %v", before, len(n), err)
			}
		}
	}
}

// TestCertificateMemory checks certificates with less memory than their levels need.
func TestCertificateMemory(t *testing.T) {
	p := puzzletest.Inline(t, "6x8", "domino=any").Problem
	file := byRows(p).write(p).file(t)
	refused := 0
	for limit := int64(1); ; limit += limit/4 + 100 {
		_, err := CheckCertificate(t.Context(), p, bytes.NewReader(file), CertificateOptions{Memory: limit})
		if err == nil {
			t.Logf("%d bytes were enough", limit)
			break
		}
		if refused++; !errors.Is(err, cover.ErrMemory) || errors.Is(err, ErrCertificate) {
			t.Fatalf("%d bytes: %v", limit, err)
		}
	}
	if refused < 10 {
		t.Errorf("refused %d times", refused)
	}
}

// claim is a body that claims this number of states in level 1 of the dominoes, and continues with
// the bytes of follows.
func claim(p *cover.Problem, states *big.Int, follows io.Reader) io.Reader {
	l := plan{window: 200, steps: onPage().steps}
	begin := number(slices.Concat(coverDigest(p), l.header(), []byte{1, 0, 1}), states)
	return io.MultiReader(bytes.NewReader(begin), follows)
}

// ones returns a file of n bytes 1, which zstd compresses to a few bytes.
func ones(n int64) io.Reader { return io.LimitReader(oneReader{}, n) }

type oneReader struct{}

func (oneReader) Read(b []byte) (int, error) {
	for k := range b {
		b[k] = 1
	}
	return len(b), nil
}

// certificateOf compresses a body.
func certificateOf(t *testing.T, body io.Reader) *bytes.Buffer {
	t.Helper()
	file := bytes.NewBufferString(magic)
	w, err := zstd.NewWriter(file, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestCertificateClaims checks a file that claims to have very many states. A claim over the limit
// is refused at once; otherwise memory is allocated only for the states in the file, within the
// limit.
func TestCertificateClaims(t *testing.T) {
	p := running(t)
	for _, test := range []struct {
		states *big.Int
		bytes  int64
		limit  int64
		want   error
	}{
		{new(big.Int).Lsh(big.NewInt(1), 62), 10, 0, cover.ErrMemory},
		{new(big.Int).Lsh(big.NewInt(1), 62), 10, 1 << 20, cover.ErrMemory},
		{new(big.Int).Lsh(big.NewInt(1), 40), 10, 0, ErrCertificate},
		{new(big.Int).Lsh(big.NewInt(1), 400), 10, 0, ErrCertificate},
		{big.NewInt(1_000_000), 64 << 20, 50_000_000, cover.ErrMemory},
		{big.NewInt(800_000), 64 << 20, 50_000_000, ErrCertificate}, // 56 bytes for each state
		{big.NewInt(100_000), 64 << 20, 50_000_000, ErrCertificate},
	} {
		file := certificateOf(t, claim(p, test.states, ones(test.bytes)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := CheckCertificate(t.Context(), p, file, CertificateOptions{Memory: test.limit})
		runtime.ReadMemStats(&after)
		// A slice that grows is copied, so the sum of its sizes may be several times its last size.
		taken := int64(after.TotalAlloc - before.TotalAlloc)
		if !errors.Is(err, test.want) || taken > 8*test.limit+30_000_000 {
			t.Errorf("%v states, limit %d: %v and %d bytes, want %v", test.states, test.limit, err, taken, test.want)
		}
	}
}

// TestCertificateContext ends the context in a large level, and in a file without an end.
func TestCertificateContext(t *testing.T) {
	p := running(t)
	file := func() io.Reader {
		r, w := io.Pipe()
		t.Cleanup(func() { r.Close() })
		go func() {
			io.WriteString(w, magic)
			e, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			io.Copy(e, claim(p, big.NewInt(1<<40), oneReader{}))
			e.Close()
		}()
		return r
	}
	ctx := testkit.AfterLooks(t, 20)
	_, err := CheckCertificate(ctx, p, file(), CertificateOptions{})
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrCertificate) || ctx.Late() > 3 {
		t.Errorf("%v, %d more looks", err, ctx.Late())
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := CheckCertificate(cancelled, p, strings.NewReader(""), CertificateOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	endless := io.MultiReader(strings.NewReader(magic+"\x28\xb5\x2f\xfd\x00\x58"), zeroReader{})
	ctx = testkit.AfterLooks(t, 20)
	if _, err := CheckCertificate(ctx, p, endless, CertificateOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("blocks of nothing without end: %v", err)
	}
}

// TestCertificateLooks has states made from few bytes, so that it is not sufficient to check the
// context when bytes are read.
func TestCertificateLooks(t *testing.T) {
	p := running(t)
	ctx := testkit.AfterLooks(t, 20)
	file := certificateOf(t, claim(p, big.NewInt(1_000_000), ones(1_100_000)))
	if _, err := CheckCertificate(ctx, p, file, CertificateOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// TestCertificateLooksAgain ends the context at each of the polls.
func TestCertificateLooksAgain(t *testing.T) {
	p := puzzletest.Inline(t, "7x7", "monomino=any", "domino=any").Problem
	file := byRows(p).write(p).file(t)
	for looks := 0; ; looks++ {
		_, err := CheckCertificate(testkit.AfterLooks(t, looks), p, bytes.NewReader(file), CertificateOptions{})
		if err == nil {
			t.Logf("%d looks", looks)
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrCertificate) {
			t.Fatal(err)
		}
	}
}

type zeroReader struct{}

func (zeroReader) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestCertificateReader has readers that fail, which is not a mistake in the certificate, and
// readers that return single bytes.
func TestCertificateReader(t *testing.T) {
	p, broken := running(t), errors.New("the disk is broken")
	file := onPage().write(p).file(t)
	for n := range len(file) + 1 {
		r := io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(broken))
		if _, err := CheckCertificate(t.Context(), p, r, CertificateOptions{}); !errors.Is(err, broken) || errors.Is(err, ErrCertificate) {
			t.Errorf("after %d of %d bytes: %v", n, len(file), err)
		}
	}
	for _, r := range []io.Reader{iotest.OneByteReader(bytes.NewReader(file)), iotest.DataErrReader(bytes.NewReader(file))} {
		if _, err := CheckCertificate(t.Context(), p, r, CertificateOptions{}); err != nil {
			t.Error(err)
		}
	}
	noise := make([]byte, 1<<16)
	rand.Read(noise)
	copy(noise, magic)
	if _, err := check(t, p, noise); !errors.Is(err, ErrCertificate) {
		t.Error(err)
	}
}

func TestCertified(t *testing.T) {
	p := running(t)
	doc := onPage().write(p)
	var reports []Certified
	got, err := CheckCertificate(t.Context(), p, bytes.NewReader(doc.file(t)), CertificateOptions{Progress: func(c Certified) { reports = append(reports, c) }})
	if err != nil {
		t.Fatal(err)
	}
	// The 2x3 board's states are the states of the picture in doc/certificate.md.
	if got.Count.Int64() != 3 || got.Digest != fmt.Sprintf("%x", coverDigest(p)) || got.Levels != 7 || got.States != 11 || got.Arcs != 12 || got.Bytes != int64(len(doc.body())+32) {
		t.Errorf("got %+v", got)
	}
	if len(reports) != 7 {
		t.Fatalf("%d reports, want one for each level", len(reports))
	}
	for i, r := range reports {
		if r.Levels != i+1 || i > 0 && (r.States < reports[i-1].States || r.Arcs < reports[i-1].Arcs) || r.Count != nil {
			t.Errorf("report %d: %+v", i, r)
		}
	}
}
