package exchange

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// entries is a mapping in a puzzle file. The forms YAML and JSON have the same keys and meanings.
// If a value of the outermost mapping is a list, each item of the list has its own line.
//
//	yaml                                json
//	lattice: square                     {
//	board: 2x2                           "lattice": "square",
//	pieces:                              "board": "2x2",
//	  - {name: "a", copies: 1..}         "pieces": [
//	                                      {"name": "a", "copies": "1.."}
//	                                     ]
//	                                    }
type entries []entry

type entry struct {
	key   string
	value any
}

// plain is a text that needs no quotes in YAML.
type plain string

type form struct {
	json                bool
	begin, between, end string    // texts before, between and after entries
	rows                [3]string // texts before the first row of a value, between rows, and after the last row
}

var (
	// yamlForm is for people. It draws flat boards of squares.
	yamlForm = form{false, "", "\n", "\n", [3]string{"\n  - ", "\n  - ", ""}}
	// jsonForm is for programs. A flat board with holes or names becomes a list of rows. A row has
	// a word for each cell, and blanks between the words.
	jsonForm = form{true, "{\n ", ",\n ", "\n}\n", [3]string{" [\n  ", ",\n  ", "\n ]"}}
)

func (f form) file(content entries) string {
	texts := make([]string, len(content))
	for i, e := range content {
		var rows []string
		switch list := e.value.(type) {
		case []string:
			for _, value := range list {
				rows = append(rows, f.text(value))
			}
		case []entries:
			for _, value := range list {
				rows = append(rows, f.text(value))
			}
		}
		texts[i] = f.key(e.key) + ":"
		if rows == nil {
			texts[i] += " " + f.text(e.value)
		} else {
			texts[i] += f.rows[0] + strings.Join(rows, f.rows[1]) + f.rows[2]
		}
	}
	return f.begin + strings.Join(texts, f.between) + f.end
}

// key quotes a key that YAML might read as another value than a string, such as n or 7.
func (f form) key(key string) string {
	if f.json || len(key) == 1 || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" || slices.Contains(yamlWords, key) {
		return f.text(key)
	}
	return key
}

var yamlWords = []string{"true", "false", "null", "yes", "no", "on", "off"}

func (f form) text(value any) string {
	switch v := value.(type) {
	case plain:
		if !f.json {
			return string(v)
		}
	case entries:
		words := make([]string, len(v))
		for i, e := range v {
			words[i] = f.key(e.key) + ": " + f.text(e.value)
		}
		return "{" + strings.Join(words, ", ") + "}"
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return "" // cannot happen with the values of a puzzle
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// puzzleWriter makes a file from the embedded puzzle. The puzzle in the file has the same Literal
// except for unused colours, which are left out, and parameters: only the open cells are written.
type puzzleWriter struct {
	*tiling.Puzzle
	content entries
	letters map[int]string // letter of each colour that some cell has; colours are numbered from 1
}

const colourLetters = "abcdefghijklmnpqrstuwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// write writes a puzzle. It fails if the text that it made is not a valid puzzle file.
func (f form) write(w io.Writer, m *tiling.Model) error {
	p := &puzzleWriter{Puzzle: m.Puzzle, letters: map[int]string{}}
	for _, piece := range p.Pieces {
		for i, mark := range []byte(piece.Marks) {
			if mark != '0' && piece.Colours != nil && piece.Colours[i] > 0 {
				return unsaid("piece %s has a cell with both a colour and a mark, but a drawing has only one character for each cell", piece.Name)
			}
		}
	}
	// A colour gets the first letter of its name, unless an earlier colour has this letter.
	var used []int
	var letters []string
	for c, name := range p.Colours {
		has := func(piece tiling.Piece) bool { return slices.Contains(piece.Colours, c+1) }
		if slices.Contains(p.Board.Colours, c+1) || slices.ContainsFunc(p.Pieces, has) {
			used, letters = append(used, c+1), append(letters, strings.ToLower(name)[:1])
		}
	}
	letters = renamed(letters, func(letter string) bool { return strings.Contains(colourLetters, letter) }, from(colourLetters))
	if letters == nil {
		return unsaid("the puzzle has more than %d colours, but a puzzle file has only one letter for each colour", len(colourLetters))
	}
	for i, c := range used {
		p.letters[c] = letters[i]
	}
	p.put("title", p.Title, p.Title != "")
	p.put("lattice", plain(p.Board.Lattice.String()), true)
	// A board whose cells have names is written as rows of words, one word for each cell.
	b := p.Board
	full := len(b.Cells) == b.Size[0]*b.Size[1]*b.Size[2]
	all := !slices.Contains(b.Optional, false)
	some := slices.Contains(b.Optional, true) && !all
	switch {
	case full && !some && len(b.Names) == 0:
		p.put("board", plain(b.Lattice.SizeName(b.Size)), true)
	case b.Lattice.Dimensions() == 3 || b.Lattice == tiling.Square && len(b.Names) == 0 && !f.json:
		p.put("board", drawing(b.Typed()), true)
	default:
		var open []tiling.Cell // named places that are not on the board
		p.put("board", layers(b.Size, " ", func(at tiling.Cell) string {
			i, name := b.Index(at), b.Names[at]
			switch {
			case i < 0 && name != "":
				open = append(open, at)
				return name
			case i < 0:
				return "."
			case b.Optional[i] && !all:
				return "o"
			case name != "":
				return name
			}
			return "#"
		})[0], true)
		p.put("open", p.cells(open), len(open) > 0)
	}
	p.put("cover", plain("at-most"), all)
	p.put("wrap", plain(b.Wrap.String()), b.Wrap != tiling.NoWrap)
	p.colours()
	pieces := make([]entries, len(p.Pieces))
	for i, piece := range p.Pieces {
		pieces[i] = entries{{"name", piece.Name}, p.shape(piece), {"copies", plain(piece.Copies())}, {"motions", plain(piece.Motions.String())}}
		if piece.Color != "" {
			pieces[i] = append(pieces[i], entry{"color", piece.Color})
		}
	}
	p.put("pieces", pieces, true)
	groups := make([]entries, len(p.Groups))
	for i, g := range p.Groups {
		names := make([]string, len(g.Pieces))
		for j, k := range g.Pieces {
			names[j] = p.Pieces[k].Name
		}
		groups[i] = entries{{"of", names}, {"copies", plain(g.Copies())}}
	}
	p.put("groups", groups, len(groups) > 0)
	p.parts("place", p.Place)
	p.parts("forbid", p.Forbid)
	p.pairs("walls", p.Walls)
	p.pairs("joined", p.Joined)
	if err := p.regions(); err != nil {
		return err
	}
	text := []byte(f.file(p.content))
	if _, err := puzzlefile.Parse("the written file", text); err != nil {
		return unsaid("a puzzle file cannot hold this puzzle: %v", err)
	}
	_, err := w.Write(text)
	return err
}

func (p *puzzleWriter) put(key string, value any, wanted bool) {
	if wanted {
		p.content = append(p.content, entry{key, value})
	}
}

func layers(size [3]int, gap string, text func(tiling.Cell) string) [][]string {
	all := make([][]string, size[0])
	for l := range all {
		for r := range size[1] {
			row := make([]string, size[2])
			for c := range row {
				row[c] = text(tiling.Cell{l, r, c})
			}
			all[l] = append(all[l], strings.Join(row, gap))
		}
	}
	return all
}

func drawing(layers [][]string) string {
	texts := make([]string, len(layers))
	for i, rows := range layers {
		texts[i] = strings.Join(rows, "\n")
	}
	return strings.Join(texts, "\n\n")
}

func (p *puzzleWriter) colours() {
	if len(p.letters) == 0 {
		return
	}
	var words entries
	for c, name := range p.Colours {
		if letter := p.letters[c+1]; letter != "" {
			words = append(words, entry{letter, name})
		}
	}
	if p.Board.Colours != nil {
		size := p.Board.Size
		for axis := range size {
			for d := 1; d < p.Board.Size[axis]; d++ {
				shorter := size
				shorter[axis] = d
				if p.repeated(shorter) != nil {
					size = shorter
					break
				}
			}
		}
		colours := p.repeated(size)
		words = append(words, entry{"pattern", drawing(layers(size, "", func(at tiling.Cell) string { return cmp.Or(p.letters[colours[at]], "#") }))})
	}
	p.put("colours", words, true)
	pairs, unequal := [][]string{}, [][]string{}
	for _, pair := range p.Allow {
		if p.letters[pair.Piece] == "" || p.letters[pair.Board] == "" {
			continue
		}
		names := []string{p.Colours[pair.Piece-1], p.Colours[pair.Board-1]}
		pairs = append(pairs, names)
		if pair.Piece != pair.Board {
			unequal = append(unequal, names)
		}
	}
	usual := len(pairs)-len(unequal) == len(p.letters) // whether all pairs of equal colours may meet
	p.put("allow", unequal, usual && len(unequal) > 0)
	p.put("allow", entries{{"only", pairs}}, !usual)
}

// repeated returns a pattern of this size which, repeated, gives the colours of the board, or nil.
func (p *puzzleWriter) repeated(size [3]int) map[tiling.Cell]int {
	colours := map[tiling.Cell]int{}
	for i, c := range p.Board.Cells {
		at := tiling.Cell{c[0] % size[0], c[1] % size[1], c[2] % size[2]}
		if before, met := colours[at]; met && before != p.Board.Colours[i] {
			return nil
		}
		colours[at] = p.Board.Colours[i]
	}
	return colours
}

// shape returns the cells of a piece or, if they have colours or marks, a drawing of the piece.
func (p *puzzleWriter) shape(piece tiling.Piece) entry {
	if piece.Marks == "" && !slices.ContainsFunc(piece.Colours, func(c int) bool { return c > 0 }) {
		return entry{"cells", p.cells(piece.Shape)}
	}
	lattice, size, left, right := p.Board.Lattice, piece.Shape.Size(), 0, 0
	marks := map[tiling.Cell]string{} // marks by layer, line and column in the drawing
	for i, cell := range piece.Shape {
		line, column := lattice.TypedAt(cell)
		if i == 0 {
			left = column
		}
		// The drawing begins at an even column, so that triangles keep their direction.
		left, right = min(left, column&^1), max(right, column)
		typed := lattice.Typed(lattice.Shape(cell))[0][0]
		mark, letter := typed[len(typed)-1:], ""
		if piece.Marks != "" {
			mark = piece.Marks[i : i+1]
		}
		if piece.Colours != nil {
			letter = p.letters[piece.Colours[i]]
		}
		marks[tiling.Cell{cell[0], line, column}] = cmp.Or(letter, mark)
	}
	box := [3]int{size[0], size[1], right - left + 1}
	return entry{"shape", drawing(layers(box, "", func(at tiling.Cell) string {
		at[2] += left
		return cmp.Or(marks[at], " ")
	}))}
}

func (p *puzzleWriter) pairs(key string, pairs [][2]int) {
	all := make([][][]int, len(pairs))
	for i, pair := range pairs {
		all[i] = p.cells([]tiling.Cell{p.Board.Cells[pair[0]], p.Board.Cells[pair[1]]})
	}
	p.put(key, all, len(all) > 0)
}

func (p *puzzleWriter) regions() error {
	if len(p.Regions) == 0 {
		return nil
	}
	names, sums := map[tiling.Cell]string{}, entries{}
	for _, r := range p.Regions {
		if len(r.Name) > 1 && p.Board.Lattice.Dimensions() == 3 {
			return unsaid("region %s is on a solid board, whose drawing has one letter for each region: expected a name of one letter", r.Name)
		}
		for _, c := range r.Cells {
			names[p.Board.Cells[c]] = r.Name
		}
		if r.Sum() != "any" {
			sums = append(sums, entry{r.Name, plain(r.Sum())})
		}
	}
	gap := " "
	if p.Board.Lattice.Dimensions() == 3 {
		gap = ""
	}
	rows := layers(p.Board.Size, gap, func(at tiling.Cell) string { return cmp.Or(names[at], ".") })
	p.put("regions", rows[0], gap != "")
	p.put("regions", drawing(rows), gap == "")
	p.put("sums", sums, len(sums) > 0)
	return nil
}

func (p *puzzleWriter) cells(cells []tiling.Cell) [][]int { return p.Board.Lattice.Written(cells) }

func (p *puzzleWriter) parts(key string, parts []tiling.Part) {
	all := make([]entries, len(parts))
	for i, part := range parts {
		piece := p.Pieces[part.Piece]
		cells := make([]tiling.Cell, len(part.Cells))
		for j, c := range part.Cells {
			cells[j] = p.Board.Cells[c]
		}
		all[i] = entries{{"piece", piece.Name}}
		switch len(cells) {
		case 0: // an entry without cells stands for every placement of the piece
		case len(piece.Shape):
			all[i] = append(all[i], entry{"cells", p.cells(cells)})
		default:
			all[i] = append(all[i], entry{"covers", p.cells(cells)})
		}
	}
	p.put(key, all, len(all) > 0)
}
