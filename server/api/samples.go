package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/tiling"
)

const (
	linesType   = "application/jsonl"
	textType    = "text/plain; charset=utf-8"
	pictureType = "image/svg+xml"
	pixelsType  = "image/png"
)

const maxPictures = 100

const maxPixels = 4 << 20 // a pixel needs four bytes of the service's memory

// A cell of a solid, or of a picture with heights, needs up to 1 KiB of the service's memory.
const maxFileCells = 1 << 14

// Picture has the parameters for drawing.
type Picture struct {
	Accept  string `header:"Accept" doc:"The format of the answer." example:"application/json"`
	Format  string `query:"format" doc:"The format of the answer, for links, which cannot set Accept: json, text, svg or png; for one tiling also the other formats of pictures and solids, such as tikz." example:"svg"`
	Cell    int    `query:"cell" doc:"For a picture: the side of a cell in pixels." minimum:"1" maximum:"1000" example:"40"`
	Letters bool   `query:"letters" doc:"For a picture: write the letter of its piece on each placement."`
	ColorBy string `query:"color_by" enum:"piece,copy,orientation,kind,none" doc:"For a picture: whether different pieces, copies, orientations or kinds get different colours. A kind is an orientation on one colour of a chessboard under the board: dominoes have four kinds. By default different pieces get different colours; if there is only one piece, different copies do, or different kinds on a board of more than 16,384 cells." example:"kind"`
	Heights bool   `query:"heights" doc:"For a flat picture of dominoes or lozenges: draw the heights of the tiling, at the corners of cells."`
}

var drawings = func() (kinds []string) {
	for _, f := range render.Formats {
		if f.Most == 1 {
			kinds = append(kinds, f.MediaType)
		}
	}
	return kinds
}()

func (o *Picture) kind(offers ...string) (string, error) {
	if o.Format != "" {
		var have []string
		for _, offer := range offers {
			if have = append(have, formatName(offer)); formatName(offer) == o.Format {
				return offer, nil
			}
		}
		return "", wrong("query.format", "the value is %.40q, expected %s", o.Format, strings.Join(have, " or "))
	}
	if strings.TrimSpace(o.Accept) == "" {
		return offers[0], nil
	}
	best, most := "", 0.0 // if several types have the best quality, the first of them is used
	for _, offer := range offers {
		if q := quality(o.Accept, offer); q > most {
			best, most = offer, q
		}
	}
	if most == 0 {
		return "", access.NewProblem(http.StatusNotAcceptable, "the header Accept is %.80q, expected %s", o.Accept, wording.List(offers))
	}
	return best, nil
}

func formatName(kind string) string {
	for _, f := range render.Formats {
		if f.MediaType == kind {
			return f.Name
		}
	}
	return "json" // only application/json is left, since it is no format of package render
}

func isPicture(kind string) bool { return kind == pictureType || kind == pixelsType }

func (o *Picture) options(kind string) render.Options {
	p := render.PictureOptions{Cell: o.Cell, Pixels: maxPixels}
	p.ColorBy, p.Heights = render.ColorBy(o.ColorBy), o.Heights
	if kind == pixelsType {
		p.Format = pen.PNG
	}
	if o.Letters {
		p.Label = "letters"
	}
	return render.Options{Picture: p, Text: render.TextOptions{Letters: true}}
}

func checkHeights(p *tiling.Puzzle, o render.Options) error {
	if o.Picture.Heights && p.Board != nil && len(p.Board.Cells) > maxFileCells {
		return wrong("query.heights", "the board has %d cells, and the service draws heights of at most %d: use the command line", len(p.Board.Cells), maxFileCells)
	}
	return nil
}

// samples sends tilings. After an error, it sends a problem, or cuts off an answer that has begun.
func (s *service) samples(ctx context.Context, in *Picture) (http.HandlerFunc, error) {
	kind, err := in.kind(linesType, textType, pictureType, pixelsType)
	if err != nil {
		return nil, err
	}
	r := &job.Sample{Number: 1}
	if err := s.ask(ctx, r, false); err != nil {
		return nil, err
	}
	if isPicture(kind) && r.Number > maxPictures {
		return nil, wrong(sentOf(ctx).place("number"), "%s tilings are too many for a picture, expected at most %d", r.Number, maxPictures)
	}
	return func(w http.ResponseWriter, request *http.Request) {
		o, out := in.options(kind), flowTo(w)
		begin := func(about *job.Sampled) {
			h := w.Header()
			h.Set("Content-Type", kind)
			h.Add("Vary", "Accept")
			if kind == pictureType {
				h.Set("Content-Security-Policy", pictureCSP)
			}
			if r.Seed != nil { // caches may keep an answer that equal requests get again
				h.Set("Cache-Control", s.keep())
			}
			describe(h, about)
		}
		if request.Method == http.MethodHead {
			begin(nil)
			return
		}
		watch := job.Watch{Drawing: begin, Output: out}
		var writer render.Writer // nil if the answer is lines of JSON
		if kind != linesType {
			format := render.FormatOf("text")
			if isPicture(kind) {
				format = render.FormatOf("sheet")
			}
			watch.Output = nil
			watch.Begin = func(p *tiling.Puzzle) error {
				if format.NeedsBoard && p.Board == nil {
					return access.NewProblem(http.StatusNotAcceptable, "an exact cover has no board to draw, expected the format %s", linesType)
				}
				writer = format.Begin(out, p, o)
				return checkHeights(p, o)
			}
			watch.Tiling = func(t render.Tiling) error { return writer.Add(t) }
			watch.Lines = func() *render.Lines {
				lines, _ := writer.(*render.Lines)
				return lines
			}
		}
		c := access.From(ctx)
		later, err := s.ready(ctx, func() error {
			_, err := s.o.Work.Draw(ctx, r, queue.Limits{Memory: c.Memory, Time: c.Time}, watch)
			if err == nil && writer != nil {
				err = writer.Close() // Close draws the picture, and may find that it is too large
			}
			if err == nil {
				err = out.buffer.Flush()
			}
			return err
		})
		switch {
		case later != nil:
			later(w, request)
		case err == nil:
		case !out.begun:
			access.WriteProblem(w, explain(ctx, err))
		default:
			cut(ctx, err)
		}
	}, nil
}

func describe(h http.Header, about *job.Sampled) {
	if about == nil {
		return
	}
	if about.Count != "" {
		h.Set("Pavage-Count", about.Count)
	}
	h.Set("Pavage-Method", about.Method)
	if about.Classes != "" {
		h.Set("Pavage-Classes", about.Classes)
	}
}

const pictureCSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
