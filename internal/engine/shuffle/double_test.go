package shuffle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// value returns the number without rounding.
func (a double) value() *big.Float {
	v := new(big.Float).SetPrec(400).SetFloat64(a.hi)
	return v.Add(v, new(big.Float).SetFloat64(a.lo))
}

// anyDouble returns a number with random bits, or with a long row of equal bits, and the largest or
// smallest low words that a number may have.
func anyDouble(rng *rand.Rand, exponent int) double {
	mantissa := rng.Uint64() & (1<<52 - 1)
	switch rng.IntN(4) {
	case 0:
		mantissa = 1<<52 - 1 - mantissa>>rng.IntN(52)
	case 1:
		mantissa >>= rng.IntN(52)
	}
	hi := math.Ldexp(1+float64(mantissa)*0x1p-52, exponent)
	lo := math.Ldexp(rng.Float64()*2-1, exponent-53-rng.IntN(4)*rng.IntN(40))
	switch rng.IntN(4) {
	case 0:
		lo = math.Copysign(math.Ldexp(1, exponent-53), lo)
	case 1:
		lo = math.Copysign(math.Ldexp(1-0x1p-53, exponent-53), lo)
	}
	return sum(hi, lo)
}

// TestDouble compares the operations with exact ones: they err by less than 2^-101, also with
// numbers as large and small as the products of belowDouble, and the results are normal.
func TestDouble(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(1, 30))
	exact := func() *big.Float { return new(big.Float).SetPrec(400) }
	worst := map[string]float64{}
	check := func(name string, got double, want *big.Float, operands ...double) {
		t.Helper()
		off, _ := exact().Quo(exact().Sub(got.value(), want), want).Float64()
		if worst[name] = max(worst[name], math.Abs(off)); math.Abs(off) >= 0x1p-101 {
			t.Fatalf("%s of %v: %v, off by %g", name, operands, got, off)
		}
		if got.hi != got.hi+got.lo {
			t.Fatalf("%s of %v: %v is not normal", name, operands, got)
		}
	}
	for range testkit.Size(60_000, 500_000) {
		a, b := anyDouble(rng, rng.IntN(1024)-512), anyDouble(rng, rng.IntN(256)-128)
		check("mul", a.mul(b), exact().Mul(a.value(), b.value()), a, b)
		check("div", a.div(b), exact().Quo(a.value(), b.value()), a, b)
		check("addOne", b.addOne(), exact().Add(one.v, b.value()), b)
		c := anyDouble(rng, rng.IntN(120)-110)
		check("addOne", c.addOne(), exact().Add(one.v, c.value()), c)
		hi, lo, e := normal(a.hi, a.lo, 0)
		scaled := double{hi, lo}
		check("normal", scaled, exact().SetMantExp(a.value(), 256*int(e)), a)
	}
	for name, off := range worst {
		if off > 0 {
			t.Logf("%s: off by 2^%.1f at most", name, math.Log2(off))
		}
	}
}

// TestNotFused: where Go fuses products and sums into one instruction, as for arm64, the code of
// mul and of div has only the fused instruction that math.FMA asks for.
func TestNotFused(t *testing.T) {
	testkit.Long(t)
	build := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-S", ".")
	build.Env = append(os.Environ(), "GOARCH=arm64")
	listing, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, listing)
	}
	fused := map[string]int{}
	function := ""
	for line := range strings.Lines(string(listing)) {
		if name, _, begins := strings.Cut(line, " STEXT "); begins {
			function = name[strings.LastIndex(name, "/")+1:]
			fused[function] += 0
		}
		if regexp.MustCompile(`\tFN?M(ADD|SUB)D\t`).MatchString(line) {
			fused[function]++
		}
	}
	for name, expected := range map[string]int{"shuffle.double.mul": 1, "shuffle.double.div": 1, "shuffle.double.addOne": 0} {
		if n, compiled := fused[name]; !compiled || n != expected {
			t.Errorf("%s has %d fused instructions, expected %d", name, n, expected)
		}
	}
}
