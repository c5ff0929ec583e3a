package render

import (
	"math"
	"slices"
	"sync"

	"github.com/pavage/pavage/render/pen"
)

// Scales of colours for numbers. They are lines through OKLab, the space of colours in which
// distances are those that eyes see (see pen.Lab), made by three rules:
//
//   - Equal steps of the number are equal steps along the line, so equal differences look equal.
//   - Lightness falls all along the line, so a print in grey, and eyes without one kind of cones,
//     show the order of the numbers.
//   - Every colour of the line is one that screens have.
//
// The line of shares goes from cream to near black, and turns through orange, red and purple on its
// way, so that the middle has more to tell apart than greys have:
//
//	lightness 0.97 ───────────────────────────► 0.22     all along in equal steps
//	hue       100° cream · 60° orange · 15° red · -70° purple
//	chroma    0.045 ··· 0.175 in the middle ··· 0.045
//
// The line of signed numbers has near white in the middle, for 0, and two arms of equal lightness, blue
// and orange, which the colour-blind tell apart. In grey both arms look the same, therefore numbers below 0
// have a mark of their own where there is no room for the number (heat_draw.go).
//
//	lightness 0.37 ◄──────── 0.97 ────────► 0.37
//	hue       255° blue                50° orange to brown
//	chroma    0.076 ·· 0.13 ·· 0 ·· 0.13 ·· 0.076
type colourScale []pen.Colour

// scaleSteps is the number of colours of a scale but one: more than eyes tell apart.
const scaleSteps = 256

// at is the colour of a number from 0 to 1.
func (c colourScale) at(t float64) pen.Colour {
	return c[int(math.Round(min(max(t, 0), 1)*float64(len(c)-1)))]
}

// The scales: of shares from 0 to 1, and of signed numbers, of which 0 has the middle.
var (
	shareScale  = sync.OnceValue(func() colourScale { return evenly(shareLine, scaleSteps) })
	signedScale = sync.OnceValue(func() colourScale {
		all := evenly(signedArm(blueArm), scaleSteps/2)
		slices.Reverse(all)
		return append(all[:len(all)-1], evenly(signedArm(orangeArm), scaleSteps/2)...)
	})
)

// Hues of the arms.
const (
	blueArm   = 255
	orangeArm = 50
)

// shareLine is the line of shares.
func shareLine(t float64) pen.Lab {
	return polar(0.97-float64(0.75*t), 0.045+float64(0.13*math.Sin(math.Pi*t)), 100-float64(170*t))
}

// signedArm is one arm of the line of signed numbers.
func signedArm(hue float64) func(float64) pen.Lab {
	return func(t float64) pen.Lab {
		return polar(0.97-float64(0.6*t), 0.13*math.Sin(float64(0.8*math.Pi*t)), hue)
	}
}

// polar is the place of a lightness, a chroma and a hue in degrees.
func polar(lightness, chroma, hue float64) pen.Lab {
	sin, cos := math.Sincos(hue / 180 * math.Pi)
	return pen.Lab{lightness, float64(chroma * cos), float64(chroma * sin)}
}

// evenly takes colours from a line, from its start to its end, in steps of equal length.
func evenly(line func(t float64) pen.Lab, steps int) colourScale {
	const fineness = 4096
	along := make([]float64, fineness+1) // length of the line up to there
	for k := 1; k <= fineness; k++ {
		along[k] = along[k-1] + line(float64(k)/fineness).Distance(line(float64(k-1)/fineness))
	}
	scale := make(colourScale, 0, steps+1)
	for k, n := 0, 0; n <= steps; n++ {
		for k < fineness && along[k] < along[fineness]*float64(n)/float64(steps) {
			k++
		}
		c, _ := line(float64(k) / fineness).Colour()
		scale = append(scale, c)
	}
	return scale
}
