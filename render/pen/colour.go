package pen

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Colour has the components red, green and blue of sRGB, each from 0 to 255.
type Colour [3]float64

// Plain colours.
var (
	Black = Colour{}
	White = Colour{255, 255, 255}
)

// Mix returns a mixture of c and d, rounded to integers. share, 0 to 1, is the part of d in it.
func (c Colour) Mix(d Colour, share float64) Colour {
	for k := range c {
		c[k] = math.Round(float64(c[k]*(1-share)) + float64(d[k]*share))
	}
	return c
}

// Hex returns c in the form of SVG, such as #3aaff7.
func (c Colour) Hex() string {
	return fmt.Sprintf("#%02x%02x%02x", uint8(c[0]), uint8(c[1]), uint8(c[2]))
}

// FromHex reads a colour in the form of Hex. For any other text the result is undefined.
func FromHex(text string) (c Colour) {
	n, _ := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 24)
	return Colour{float64(n >> 16), float64(n >> 8 & 0xff), float64(n & 0xff)}
}

// Legible returns black or white, whichever has more contrast with c: always 4.5 or more.
func (c Colour) Legible() Colour {
	if c.Contrast(White) > c.Contrast(Black) {
		return White
	}
	return Black
}

// Lab has the OKLab coordinates of a colour: the lightness, 0..1, a coordinate from green to red,
// and one from blue to yellow. The distance of two colours is their perceived difference.
type Lab [3]float64

// Distance returns the perceived difference of two colours.
func (a Lab) Distance(b Lab) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// OKLab returns the OKLab coordinates of c, by the matrices of Ottosson (2020).
func (c Colour) OKLab() Lab { return labOf(c.Linear()) }

// Luminance returns the relative luminance of c, 0..1 (WCAG 2.2).
func (c Colour) Luminance() float64 {
	l := c.Linear()
	return float64(0.2126*l[0]) + float64(0.7152*l[1]) + float64(0.0722*l[2])
}

// Contrast returns the contrast of c and d, from 1 (equal) to 21 (black and white), by WCAG 2.2.
func (c Colour) Contrast(d Colour) float64 {
	a, b := c.Luminance(), d.Luminance()
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// Colour returns the colour of a, with each channel limited to the range of sRGB. The result within
// is false if a channel was outside this range. Then sRGB does not have the colour.
func (a Lab) Colour() (c Colour, within bool) {
	within = true
	for k, l := range lightOf(a) {
		within = within && l > -outside && l < 1+outside
		c[k] = math.Round(255 * gamma(min(max(l, 0), 1)))
	}
	return c, within
}

// outside is how far a channel may be outside 0..1 because of rounding.
const outside = 1e-4

// Linear returns the linear-light components of c, 0..1.
func (c Colour) Linear() [3]float64 {
	var l [3]float64
	for k := range c {
		l[k] = linear(c[k] / 255)
	}
	return l
}

func labOf(light [3]float64) Lab {
	cones := [3][3]float64{
		{0.4122214708, 0.5363325363, 0.0514459929},
		{0.2119034982, 0.6806995451, 0.1073969566},
		{0.0883024619, 0.2817188376, 0.6299787005},
	}
	opponents := [3][3]float64{
		{0.2104542553, 0.7936177850, -0.0040720468},
		{1.9779984951, -2.4285922050, 0.4505937099},
		{0.0259040371, 0.7827717662, -0.8086757660},
	}
	l := times(cones, light)
	for k := range l {
		l[k] = math.Cbrt(l[k])
	}
	return times(opponents, l)
}

func lightOf(a Lab) [3]float64 {
	cones := [3][3]float64{
		{1, 0.3963377774, 0.2158037573},
		{1, -0.1055613458, -0.0638541728},
		{1, -0.0894841775, -1.2914855480},
	}
	light := [3][3]float64{
		{4.0767416621, -3.3077115913, 0.2309699292},
		{-1.2684380046, 2.6097574011, -0.3413193965},
		{-0.0041960863, -0.7034186147, 1.7076147010},
	}
	l := times(cones, a)
	for k := range l {
		l[k] = l[k] * l[k] * l[k]
	}
	return times(light, l)
}

// Vision is a matrix on linear sRGB that simulates vision without one kind of cones (G. M.
// Machado, M. M. Oliveira, L. A. F. Fernandes, A physiologically-based model …, 2009, severity 1).
type Vision [3][3]float64

// Normal is normal vision. Protanopia is vision without cones for long waves, Deuteranopia without
// cones for middle waves, and Tritanopia without cones for short waves.
var (
	Normal       = Vision{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	Protanopia   = Vision{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}
	Deuteranopia = Vision{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}
	Tritanopia   = Vision{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}

	Visions = [...]Vision{Normal, Protanopia, Deuteranopia, Tritanopia}
)

// Sees returns the OKLab coordinates of c as a person with this vision sees c.
func (v Vision) Sees(c Colour) Lab {
	light := times(v, c.Linear())
	for k := range light {
		light[k] = min(max(light[k], 0), 1)
	}
	return labOf(light)
}

func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func gamma(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return float64(1.055*math.Pow(v, 1/2.4)) - 0.055
}

func times(m [3][3]float64, v [3]float64) (r [3]float64) {
	for i := range m {
		r[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return r
}
