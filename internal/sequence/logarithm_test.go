package sequence

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPerCell compares with logarithms of 40 digits, from elsewhere.
func TestPerCell(t *testing.T) {
	for _, c := range []struct {
		count string
		cells int
		want  string
	}{
		{"0", 9, "-"},
		{"1", 0, "-"},
		{"1", 2, "0.00000000000000000000"},
		{"2", 1, "0.69314718055994530942"},         // 0.6931471805599453094172321214581765680755
		{"3", 6, "0.18310204811135161523"},         // 1.0986122886681096913952452369225257 / 6
		{"10", 1, "2.30258509299404568402"},        // 2.302585092994045684017991454684364207601
		{"12988816", 64, "0.25593123808525714166"}, // 0.2559312380852571416633896249943292950656
		{"258584046368", 100, "0.26278486609068667621"},
	} {
		n, _ := new(big.Int).SetString(c.count, 10)
		if got := perCell(n, c.cells); got != c.want {
			t.Errorf("ln %s / %d = %s, want %s", c.count, c.cells, got, c.want)
		}
	}
}

// TestLogarithmBounds: the bounds of more bits lie between those of fewer, and ln ab = ln a + ln b.
func TestLogarithmBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 17))
	for range 300 {
		a, b := randomInt(rng), randomInt(rng)
		const few, many = 64, 160
		low, high := logarithm(a, few)
		fine, finer := logarithm(a, many)
		if low.Lsh(low, many-few).Cmp(fine) > 0 || high.Lsh(high, many-few).Cmp(finer) < 0 || fine.Cmp(finer) > 0 {
			t.Fatalf("ln %v: %v to %v, and %v to %v", a, low, high, fine, finer)
		}
		other, others := logarithm(b, many)
		least, most := logarithm(new(big.Int).Mul(a, b), many)
		if fine.Add(fine, other).Cmp(most) > 0 || finer.Add(finer, others).Cmp(least) < 0 {
			t.Fatalf("ln %v + ln %v: %v to %v, and of the product %v to %v", a, b, fine, finer, least, most)
		}
	}
}

// randomInt has up to 600 bits, and is at least 1.
func randomInt(rng *rand.Rand) *big.Int {
	n := big.NewInt(1 + rng.Int64N(1000))
	for range rng.IntN(10) {
		n.Add(n.Lsh(n, 60), big.NewInt(rng.Int64N(1<<60)))
	}
	return n
}

// TestPerCellTables: logarithms stand beside the counts, but in text, and a file with them is continued.
func TestPerCellTables(t *testing.T) {
	s := rectangles(t, Range{2, 3}, Range{2, 3}, CSV, "domino=any")
	s.PerCell = true
	want := "# test\nrows,columns,count,per_cell\n2,2,2,0.17328679513998632735\n2,3,3,0.18310204811135161523\n3,2,3,0.18310204811135161523\n3,3,0,-\n"
	if got := written(t, s, 0); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	table, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.SplitAfter(want, "\n")[2:6] {
		if v, ok := table.parse(i, line); !ok || table.line(i, v) != line {
			t.Errorf("%q is read as %+v, %v", line, v, ok)
		}
		if _, ok := table.parse(i, strings.Replace(line, "7", "8", 1)); ok && strings.Contains(line, "7") {
			t.Errorf("%q with another digit is read", line)
		}
	}
	s.Format = Text
	if got, want := written(t, s, 0), "n\\k                       2                       3\n  2  0.17328679513998632735  0.18310204811135161523\n  3  0.18310204811135161523                       -\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s.Format = JSON
	if got := written(t, s, 0); !strings.Contains(got, `{"rows":2,"columns":2,"count":"2","per_cell":"0.17328679513998632735"}`) {
		t.Error(got)
	}
}
