package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/pavage/pavage/tiling"
)

// TilingJSON is a line of the format json. Ranks are strings, since they can be as large as counts.
type TilingJSON struct {
	Rank       string          `json:"rank,omitempty" doc:"for a sample: the rank of the tiling among all tilings"`
	SweepRank  string          `json:"sweep_rank,omitempty" doc:"for a sample by a sweep: the rank of the tiling in the order of the sweep"`
	Weight     string          `json:"weight,omitempty" doc:"for a query: the product of the weights of the placements, such as 7 or 3/2"`
	Cursor     string          `json:"cursor,omitempty" doc:"for a list: the cursor with which the list continues after this tiling"`
	Placements []PlacementJSON `json:"placements,omitzero" doc:"the placements of a tiling of a puzzle"`
	Options    [][]string      `json:"options,omitzero" doc:"for a cover, in place of placements: the items that each option uses"`
}

// PlacementJSON has the name of a piece and its cells: [row, column] or [layer, row, column].
type PlacementJSON struct {
	Piece string  `json:"piece"`
	Cells [][]int `json:"cells" doc:"row, column; in space, layer, row, column"`
	Marks string  `json:"marks,omitempty" doc:"a digit for each of the cells, if the piece has marks"`
}

// JSON returns the tiling as a TilingJSON.
func (t Tiling) JSON(p *tiling.Puzzle) TilingJSON {
	o := TilingJSON{Cursor: t.Cursor}
	if t.Rank != nil {
		o.Rank = t.Rank.String()
	}
	if t.SweepRank != nil {
		o.SweepRank = t.SweepRank.String()
	}
	if t.Weight != nil {
		o.Weight = t.Weight.RatString()
	}
	if p.Board == nil {
		o.Options = append([][]string{}, t.Options...)
		return o
	}
	o.Placements = make([]PlacementJSON, len(t.Placements))
	var cells []tiling.Cell
	for i, placement := range t.Placements {
		cells = cells[:0]
		for _, c := range placement.Cells {
			cells = append(cells, p.Board.Cells[c])
		}
		o.Placements[i] = PlacementJSON{p.Pieces[placement.Piece].Name, p.Board.Lattice.Written(cells), placement.Marks}
	}
	return o
}

// jsonEncoder writes what encoding/json writes for a TilingJSON, but encodes names and cells once.
type jsonEncoder struct {
	*jsonTexts
	model    Numbered
	numbered [][]byte // JSON of the placements used so far; nil if texts are not stored
	room     [2]int   // argument of Numbered.Placement
}

// The texts of at most mostNumbered placements are stored. They need some megabytes.
const mostNumbered = 1 << 14

type jsonTexts struct {
	puzzle *tiling.Puzzle
	pieces [][]byte // for each piece, the JSON of a placement up to its cells
}

func newJSONEncoder(p *tiling.Puzzle, _ Options) func() encoder {
	texts := jsonTextsOf(p)
	return func() encoder { return &jsonEncoder{jsonTexts: texts} }
}

func jsonTextsOf(p *tiling.Puzzle) *jsonTexts {
	e := &jsonTexts{puzzle: p}
	for _, piece := range p.Pieces {
		e.pieces = append(e.pieces, append(appendJSON([]byte(`{"piece":`), piece.Name), `,"cells":[`...))
	}
	return e
}

func (e *jsonEncoder) encode(out buffer, _ uint64, t Tiling) error {
	b := append(out.AvailableBuffer(), '{')
	b = appendRank(b, `"rank":"`, t.Rank)
	b = appendRank(b, `"sweep_rank":"`, t.SweepRank)
	if t.Weight != nil {
		b = append(append(append(b, `"weight":"`...), t.Weight.RatString()...), '"', ',')
	}
	if t.Cursor != "" {
		b = append(appendJSON(append(b, `"cursor":`...), t.Cursor), ',')
	}
	if e.puzzle.Board == nil {
		b = appendList(append(b, `"options":`...), t.Options, appendWords)
		_, err := out.Write(append(b, '}', '\n'))
		return err
	}
	out.Write(append(b, `"placements":[`...))
	if t.Placements != nil || t.Model == nil {
		writeSome(out, len(t.Placements), func(b []byte, i int) []byte { return e.appendPlacement(b, t.Placements[i]) })
	} else {
		e.number(t.Model)
		writeSome(out, len(t.Numbers), func(b []byte, i int) []byte { return e.appendNumbered(b, t.Numbers[i]) })
	}
	_, err := out.WriteString("]}\n")
	return err
}

func (e *jsonEncoder) number(m Numbered) {
	if e.model == m {
		return
	}
	if e.model, e.numbered = m, nil; m.Number() <= mostNumbered {
		e.numbered = make([][]byte, m.Number())
	}
}

// writeSome writes n elements in chunks, so that a long text is never in memory as a whole.
func writeSome(out buffer, n int, one func(b []byte, i int) []byte) {
	b := out.AvailableBuffer()
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if b = one(b, i); i%256 == 255 {
			out.Write(b)
			b = out.AvailableBuffer()
		}
	}
	out.Write(b)
}

// compactEncoder writes all placements as JSON, and then the placement numbers of each tiling.
type compactEncoder struct {
	all     *jsonEncoder
	numbers []int
}

func newCompactEncoder(p *tiling.Puzzle, _ Options) func() encoder {
	texts := jsonTextsOf(p)
	return func() encoder { return &compactEncoder{all: &jsonEncoder{jsonTexts: texts}} }
}

func (e *compactEncoder) encode(out buffer, number uint64, t Tiling) error {
	if t.Model == nil {
		return fmt.Errorf("%w: the tiling has no placement numbers, which the format compact needs", ErrInvalid)
	}
	if number == 1 {
		if err := e.writeAll(out, t.Model); err != nil {
			return err
		}
	}
	e.numbers = append(e.numbers[:0], t.Numbers...)
	slices.Sort(e.numbers) // samplers do not return placements in ascending order
	out.WriteByte('[')
	writeSome(out, len(e.numbers), func(b []byte, i int) []byte { return strconv.AppendInt(b, int64(e.numbers[i]), 10) })
	_, err := out.WriteString("]\n")
	return err
}

func (e *compactEncoder) writeAll(out buffer, all Numbered) error {
	if m, is := all.(*tiling.Model); is && m.IsAbstract() {
		var t Tiling
		for o := range m.Problem.Options {
			t.Options = append(t.Options, m.Words(o))
		}
		return e.all.encode(out, 1, t)
	}
	out.WriteString(`{"placements":[`)
	e.all.number(all)
	writeSome(out, all.Number(), e.all.appendNumbered)
	_, err := out.WriteString("]}\n")
	return err
}

func (e *jsonTexts) appendPlacement(b []byte, p tiling.Placement) []byte {
	b = append(b, e.pieces[p.Piece]...)
	for i, c := range p.Cells {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInts(b, e.puzzle.Board.Lattice.Coordinates(e.puzzle.Board.Cells[c]))
	}
	b = append(b, ']')
	if p.Marks != "" {
		b = append(append(append(b, `,"marks":"`...), p.Marks...), '"')
	}
	return append(b, '}')
}

func (e *jsonEncoder) appendNumbered(b []byte, n int) []byte {
	if e.numbered == nil {
		return e.appendPlacement(b, e.model.Placement(n, e.room[:]))
	}
	if e.numbered[n] == nil {
		e.numbered[n] = e.appendPlacement(nil, e.model.Placement(n, e.room[:]))
	}
	return append(b, e.numbered[n]...)
}

func appendRank(b []byte, field string, rank *big.Int) []byte {
	if rank == nil {
		return b
	}
	return append(rank.Append(append(b, field...), 10), '"', ',')
}

func appendWords(b []byte, words []string) []byte {
	if words == nil {
		return append(b, "null"...)
	}
	return appendList(b, words, appendJSON)
}

func appendInts(b []byte, all []int) []byte {
	return appendList(b, all, func(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) })
}

func appendList[E any](b []byte, all []E, one func([]byte, E) []byte) []byte {
	b = append(b, '[')
	for i, e := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, e)
	}
	return append(b, ']')
}

// appendJSON appends a text as JSON. It calls encoding/json only for special characters.
func appendJSON(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			var quoted bytes.Buffer
			e := json.NewEncoder(&quoted)
			e.SetEscapeHTML(false)
			_ = e.Encode(text) // encoding a string into a buffer cannot fail
			return append(b, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}
