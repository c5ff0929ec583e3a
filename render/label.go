package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// pool has labels for pieces that get none from their names. Further labels have two characters.
const pool = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// labels returns a short label for each piece; labels differ in more than their case. The label of
// a piece with marks is its name, such as 3-5, if the name is short. The label of another piece is
// its initial, if no other piece has this initial. Otherwise it is the name, if it has at most
// width letters, or the number in the name (07 for bedlam-07), or a label of the pool.
func labels(pieces []tiling.Piece, width int) []string {
	namesakes := make(map[string][]string) // names by initial, whose case is ignored
	for _, p := range pieces {
		i := folded(initial(p.Name))
		namesakes[i] = append(namesakes[i], p.Name)
	}
	all := make([]string, len(pieces))
	taken := map[string]bool{"": true}
	for k, p := range pieces {
		switch i := initial(p.Name); {
		case p.Marks != "" && fitted(p.Name, width) == p.Name && !taken[folded(p.Name)]:
			all[k], taken[folded(p.Name)] = p.Name, true
		case len(namesakes[folded(i)]) == 1 && i != "":
			all[k], taken[folded(i)] = i, true
		}
	}
	for k, p := range pieces {
		if all[k] == "" {
			all[k] = wish(p.Name, namesakes[folded(initial(p.Name))], width, taken)
			taken[folded(all[k])] = true
		}
	}
	next := 0
	for k := range pieces {
		for ; all[k] == ""; next++ {
			if label := pooled(next); !taken[folded(label)] {
				all[k] = label
			}
		}
	}
	return all
}

// ColourLabels returns labels for the colours of a puzzle, usually first letters of names.
func ColourLabels(p *tiling.Puzzle) []string {
	named := make([]tiling.Piece, len(p.Colours))
	for i, name := range p.Colours {
		named[i].Name = name
	}
	return labels(named, 1)
}

// PieceLetters returns, for Lattice.TypedWith, the digit or colour label of each cell of a piece.
func PieceLetters(p *tiling.Puzzle, piece tiling.Piece) []byte {
	letters := ColourLetters(p, piece.Colours)
	if piece.Marks == "" {
		return letters
	}
	digits := []byte(piece.Marks)
	for i, letter := range letters {
		if digits[i] == '0' && letter != 0 {
			digits[i] = letter
		}
	}
	return digits
}

// ColourLetters returns labels for Lattice.TypedWith: 0 for no colour, '*' for a longer label.
func ColourLetters(p *tiling.Puzzle, colours []int) (letters []byte) {
	labels := ColourLabels(p)
	for _, k := range colours {
		letter := byte(0)
		if k > 0 {
			letter = '*'
			if label := labels[k-1]; len(label) == 1 {
				letter = label[0]
			}
		}
		letters = append(letters, letter)
	}
	return letters
}

// wish returns the best free label from a name, or "". namesakes are all names with its initial.
func wish(name string, namesakes []string, width int, taken map[string]bool) string {
	var wishes []string
	if letters := plain(name); string(letters) == name && len(letters) <= width {
		wishes = append(wishes, name)
	}
	if number := name[len(commonPrefix(namesakes)):]; len(number) <= width && strings.Trim(number, "0123456789") == "" {
		wishes = append(wishes, number)
	}
	if len(namesakes) == 2 {
		wishes = append(wishes, initial(name))
	}
	for _, w := range wishes {
		if !taken[folded(w)] {
			return w
		}
	}
	return ""
}

func pooled(n int) string {
	if n < len(pool) {
		return pool[n : n+1]
	}
	n -= len(pool)
	first, second := n/len(pool)%len(pool), n%len(pool)
	return pool[first:first+1] + pool[second:second+1]
}

func folded(label string) string { return strings.ToLower(strings.ToUpper(label)) }

// legend returns label and name of each piece whose label is shown and differs from the name. It
// returns nil if there is one piece. If placements is false, only clues show labels.
func legend(pieces []tiling.Piece, labels []string, placements bool, pictures ...*scene) (entries [][2]string) {
	if len(pieces) == 1 {
		return nil
	}
	shown := make([]bool, len(pieces))
	for _, s := range pictures {
		for _, pl := range s.placements {
			shown[pl.Piece] = shown[pl.Piece] || placements && pieces[pl.Piece].Marks == ""
		}
		for k := range pieces {
			shown[k] = shown[k] || s.lettered(k)
		}
	}
	for k, label := range labels {
		if shown[k] && label != pieces[k].Name {
			entries = append(entries, [2]string{label, pen.Printable(pieces[k].Name)})
		}
	}
	return entries
}

// gap is the number of columns between layers, or between entries of a legend.
const gap = 3

func legendWidth(entry [2]string) int {
	return utf8.RuneCountInString(entry[0]) + 2 + utf8.RuneCountInString(entry[1])
}

func commonPrefix(names []string) string {
	prefix := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, prefix) {
			_, last := utf8.DecodeLastRuneInString(prefix)
			prefix = prefix[:len(prefix)-last]
		}
	}
	return prefix
}

// plain returns the letters and digits of a name, without wide characters, which begin at U+1100.
func plain(name string) []rune {
	var kept []rune
	for _, r := range name {
		if r < 0x1100 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			kept = append(kept, r)
		}
	}
	return kept
}

func initial(name string) string {
	if letters := plain(name); len(letters) > 0 {
		return string(letters[0])
	}
	return ""
}

type pictureLegend struct {
	entries       [][2]string
	width, height float64
	across        int
	column        float64 // width of a column
}

func (d *drawing) legendOf(width float64, scenes ...*scene) pictureLegend {
	l := pictureLegend{entries: legend(scenes[0].puzzle.Pieces, d.labels, d.options.Label.some(), scenes...), across: 1}
	if len(l.entries) == 0 || d.tiny() {
		return pictureLegend{}
	}
	widest := 0
	for _, e := range l.entries {
		widest = max(widest, legendWidth(e))
	}
	// Most letters of a sans-serif font are narrower than 0.6 of the font size.
	l.column = float64(float64(widest+gap)*0.6) * d.legendSize()
	l.across = max(1, int(width/l.column))
	lines := (len(l.entries) + l.across - 1) / l.across
	l.width = l.column * float64(min(l.across, len(l.entries)))
	l.height = d.margin() + float64(lines)*d.legendLine()
	return l
}

func (d *drawing) legendSize() float64 { return d.side * 0.36 }
func (d *drawing) legendLine() float64 { return d.side * 0.5 }

func (d *drawing) legend(l pictureLegend, x, y float64) {
	if len(l.entries) == 0 {
		return
	}
	d.Group(pen.Group{Left: true})
	for i, e := range l.entries {
		line := float64(i / l.across)
		d.text(x+float64(float64(i%l.across)*l.column), y+d.margin()+float64((line+0.5)*d.legendLine()), d.legendSize(), pen.Black, e[0]+": "+e[1])
	}
	d.CloseGroup()
}
