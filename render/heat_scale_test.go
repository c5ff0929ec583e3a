package render

import (
	"math"
	"testing"

	"github.com/pavage/pavage/render/pen"
)

// eyes are ways to see colours: with and without colour blindness. grey is the way that a printer
// without colours prints them.
var eyes = map[string]func(pen.Colour) pen.Lab{
	"all cones": pen.Colour.OKLab, "protanopes": pen.Protanopia.Sees, "deuteranopes": pen.Deuteranopia.Sees, "tritanopes": pen.Tritanopia.Sees,
	"grey": func(c pen.Colour) pen.Lab { return pen.Lab{math.Cbrt(c.Luminance())} },
}

// arms are the scales that lead from light to dark.
func arms() map[string]colourScale {
	s := signedScale()
	half := len(s) / 2
	var blue colourScale
	for k := half; k >= 0; k-- {
		blue = append(blue, s[k])
	}
	return map[string]colourScale{"shares": shareScale(), "orange": s[half:], "blue": blue}
}

// TestScalesFall: for all eyes each colour of a scale is darker than the one before it.
func TestScalesFall(t *testing.T) {
	if n, m := len(shareScale()), len(signedScale()); n != scaleSteps+1 || m != scaleSteps+1 {
		t.Fatalf("scales of %d and %d colours, want %d", n, m, scaleSteps+1)
	}
	for name, scale := range arms() {
		for eye, sees := range eyes {
			const stride = 4 // colours are rounded, and eyes see no smaller steps
			for k := stride; k < len(scale); k++ {
				if a, b := sees(scale[k-stride])[0], sees(scale[k])[0]; b >= a {
					t.Errorf("%s, %s: colour %d has lightness %.4f after %.4f", name, eye, k, b, a)
				}
			}
		}
		for k := 1; k < len(scale); k++ {
			if a, b := scale[k-1].OKLab()[0], scale[k].OKLab()[0]; b >= a {
				t.Errorf("%s: colour %d has lightness %.4f after %.4f", name, k, b, a)
			}
		}
	}
}

// TestScalesAreEven: equal steps of the number look equal, but for the rounding of colours.
func TestScalesAreEven(t *testing.T) {
	for name, scale := range arms() {
		const stride = 16
		sum, n := 0.0, 0
		for k := stride; k < len(scale); k += stride {
			sum, n = sum+scale[k-stride].OKLab().Distance(scale[k].OKLab()), n+1
		}
		for k := stride; k < len(scale); k += stride {
			if d := scale[k-stride].OKLab().Distance(scale[k].OKLab()); math.Abs(d/sum*float64(n)-1) > 0.06 {
				t.Errorf("%s: from colour %d to %d it is %.4f, on average %.4f", name, k-stride, k, d, sum/float64(n))
			}
		}
	}
}

// TestScalesAreColours: no colour of a line is too colourful for screens.
func TestScalesAreColours(t *testing.T) {
	for name, line := range map[string]func(float64) pen.Lab{"shares": shareLine, "blue": signedArm(blueArm), "orange": signedArm(orangeArm)} {
		for k := range 1001 {
			place := line(float64(k) / 1000)
			c, within := place.Colour()
			if d := c.OKLab().Distance(place); !within || d > 0.01 {
				t.Errorf("%s at %d: %v is no colour, %s is %.3f away", name, k, place, c.Hex(), d)
			}
		}
	}
	if _, within := (pen.Lab{0.97, 0.3, 0}).Colour(); within {
		t.Error("there is no bright pink of that kind")
	}
}

// TestArmsAreApart: the two signs differ for all eyes but the printer's from a tenth of the scale on.
func TestArmsAreApart(t *testing.T) {
	for eye, sees := range eyes {
		for k := 10; k <= 100; k++ {
			below, above := signedScale().at(0.5-float64(k)/200), signedScale().at(0.5+float64(k)/200)
			if d := sees(below).Distance(sees(above)); eye != "grey" && d < 0.04 {
				t.Errorf("%s: -%d %% and %d %% are %.3f apart", eye, k, k, d)
			}
		}
	}
}

// TestReadable: numbers have a contrast of 4.5 or more on every colour that there is.
func TestReadable(t *testing.T) {
	least := math.Inf(1)
	for r := 0.0; r < 256; r += 5 {
		for g := 0.0; g < 256; g += 3 {
			for b := 0.0; b < 256; b += 15 {
				c := pen.Colour{r, g, b}
				least = min(least, c.Contrast(c.Legible()))
			}
		}
	}
	if least < 4.5 {
		t.Errorf("contrast %.2f", least)
	}
	if c := pen.White.Contrast(pen.Black); math.Abs(c-21) > 1e-9 {
		t.Errorf("contrast of black and white: %g, want 21", c)
	}
}
