package command

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/internal/atomicfile"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// picture are the flags that say how pictures look.
type picture struct {
	flagSet        *pflag.FlagSet
	scale          int
	label, colorBy string
	fragment       bool
}

// pictureFlags are the names of the flags.
var pictureFlags = []string{"scale", "label", "color-by", "fragment"}

// flags adds the flags. scale is what --scale says, besides that N is the side of a cell.
func (p *picture) flags(cmd *cobra.Command, scale string) {
	p.flagSet = cmd.Flags()
	p.flagSet.IntVar(&p.scale, "scale", 0, scale)
	labels, colours := choices(render.LabelChoices), choices(render.ColorChoices)
	p.flagSet.Var(word{&p.label, labels, "WHAT"}, "label", "write on each piece of a picture `WHAT`: "+oneOf(labels))
	p.flagSet.Var(word{&p.colorBy, colours, "WHAT"}, "color-by", "in a picture, give a colour of its own to each `WHAT`: "+oneOf(colours))
	p.flagSet.BoolVar(&p.fragment, "fragment", false, "of TikZ write only the picture, for a document that takes it in by \\input")
	complete(cmd, "label", labels)
	complete(cmd, "color-by", colours)
}

// pixelScale is what --scale says where there are only pixels.
const pixelScale = "draw cells with sides of `N` pixels in pictures, 1 to 1000 (default 40)"

// choices are the words for a choice.
func choices[C ~string](all []C) (words []string) {
	for _, c := range all {
		words = append(words, string(c))
	}
	return words
}

// check reports flags that have nothing to say: what is written is drawn in a format, or is
// no picture if that is nil.
func (p *picture) check(format *pen.Format, want string) error {
	for _, flag := range pictureFlags {
		switch {
		case !p.flagSet.Changed(flag):
		case format == nil:
			return usage("--%s is for pictures, want %s with it", flag, want)
		case flag == "fragment" && format != pen.TikZ:
			return usage("--fragment is for TikZ, want a picture in that format")
		case flag == "scale" && (p.scale < 1 || p.scale > 1000):
			return usage("--scale is %d, want 1 to 1000", p.scale)
		}
	}
	return nil
}

// options are those for a format.
func (p *picture) options(format *pen.Format) render.PictureOptions {
	return render.PictureOptions{
		Format: format, Cell: p.scale, Label: render.Label(p.label), ColorBy: render.ColorBy(p.colorBy), Fragment: p.fragment,
	}
}

// formatOf is the format that the name of a file asks for.
func formatOf(flag, path string) (*pen.Format, error) {
	if f := pen.Of(strings.ToLower(filepath.Ext(path))); f != nil {
		return f, nil
	}
	var known []string
	for _, f := range pen.Formats {
		known = append(known, f.Extension)
	}
	return nil, usage("--%s is %s, want the name of a file that ends in %s", flag, path, oneOf(known))
}

// drawing is a picture that show writes in place of text.
type drawing struct {
	picture
	paths map[*pen.Format]*string
	paper string
}

func (d *drawing) flags(cmd *cobra.Command) {
	d.picture.flags(cmd, "draw cells with sides of `N` pixels in pictures, 1 to 1000 (default 40), or with --paper N millimetres")
	d.paths = make(map[*pen.Format]*string)
	for _, f := range pen.Formats {
		d.paths[f] = cmd.Flags().String(f.Name, "", "draw the board and the pieces on one picture, "+f.What+", `FILE`, and write nothing else")
	}
	papers := choices(render.PaperChoices)
	cmd.Flags().Var(word{&d.paper, papers, "PAPER"}, "paper", "draw the board, and each copy of each piece to cut out, on sheets of `PAPER`: "+oneOf(papers))
	complete(cmd, "paper", papers)
}

// chosen is the format that is wanted, or nil, and the file.
func (d *drawing) chosen() (chosen *pen.Format, path string, err error) {
	for _, f := range pen.Formats {
		switch {
		case !d.flagSet.Changed(f.Name):
		case *d.paths[f] == "":
			return nil, "", usage("--%s is empty, want a file", f.Name)
		case chosen != nil:
			return nil, "", usage("both --%s and --%s given, want one or the other", chosen.Name, f.Name)
		default:
			chosen, path = f, *d.paths[f]
		}
	}
	if chosen == nil && d.paper != "" {
		return nil, "", usage("--paper is for pictures, want --svg, --png or --tikz with it")
	}
	return chosen, path, d.check(chosen, "--svg, --png or --tikz")
}

// draw writes the picture, or all sheets of paper: file.svg, or file-1.svg, file-2.svg and so
// on. It tells of more sheets than one.
func (d *drawing) draw(notes io.Writer, p *tiling.Puzzle, format *pen.Format, path string) error {
	if d.paper == "" {
		return atomicfile.Write(path, func(w io.Writer) error { return render.Overview(w, p, d.options(format)) })
	}
	sheets, err := render.NewCutouts(p, render.Paper(d.paper), d.options(format))
	if err != nil {
		return err
	}
	name := func(page int) string { return path }
	if sheets.Pages() > 1 {
		extension := filepath.Ext(path)
		name = func(page int) string {
			return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, extension), page+1, extension)
		}
		fmt.Fprintf(notes, "%d sheets: %s to %s\n", sheets.Pages(), name(0), name(sheets.Pages()-1))
	}
	for page := range sheets.Pages() {
		if err := atomicfile.Write(name(page), func(w io.Writer) error { return sheets.Write(w, page) }); err != nil {
			return err
		}
	}
	return nil
}
