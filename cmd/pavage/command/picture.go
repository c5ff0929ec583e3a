package command

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/render/solid"
	"github.com/pavage/pavage/tiling"
)

// picture are the flags that say how pictures and solids look.
type picture struct {
	flagSet              *pflag.FlagSet
	scale, explode       int
	label, colorBy, view string
	fragment             bool
	gap                  float64
	heights              bool
}

// pictureFlag is a flag, and what it has something to say to.
type pictureFlag struct {
	name, goal string
	formats    []string // their names; nil: all but text
}

// pictureFlags are the flags.
var pictureFlags = func() []pictureFlag {
	var flat []string
	for _, f := range pen.Formats {
		flat = append(flat, f.Name)
	}
	return []pictureFlag{
		{"scale", "pictures", nil},
		{"label", "flat pictures", flat},
		{"color-by", "pictures with colours", append(slices.Clone(flat), solid.GLTF.Name)},
		{"heights", "flat pictures", flat},
		{"fragment", "TikZ", []string{pen.TikZ.Name}},
		{"gap", "STL and glTF", []string{solid.STL.Name, solid.GLTF.Name}},
		{"explode", "flat pictures and glTF", append(slices.Clone(flat), solid.GLTF.Name)},
		{"view", "flat pictures", flat},
	}
}()

// flags adds the flags. scale is what --scale says, besides that N is the side of a cell.
func (p *picture) flags(cmd *cobra.Command, scale string) {
	p.flagSet = cmd.Flags()
	p.flagSet.IntVar(&p.scale, "scale", 0, scale)
	p.flagSet.BoolVar(&p.fragment, "fragment", false, "of TikZ write only the picture, to put into a document by \\input")
	p.flagSet.Float64Var(&p.gap, "gap", 0, "in STL and glTF leave a gap of `MM` millimetres between pieces (default 0)")
	p.flagSet.IntVar(&p.explode, "explode", 0, "lift the layers of a box `N` cells apart, in the stack and in glTF (default 0)")
	p.choice(cmd, &p.label, "label", "write on each piece of a picture `WHAT`: ", choices(render.LabelChoices))
	p.choice(cmd, &p.colorBy, "color-by", "in a picture, give a colour of its own to each `WHAT`: ", choices(render.ColorChoices))
	p.choice(cmd, &p.view, "view", "beside the stack of a box draw `WHAT`: ", choices(render.ViewChoices))
}

func (p *picture) choice(cmd *cobra.Command, to *string, name, usage string, words []string) {
	p.flagSet.Var(word{to, words, "WHAT"}, name, usage+wording.List(words))
	complete(cmd, name, words)
}

// pixelScale is what --scale says where a file has one tiling.
const pixelScale = "draw cells with sides of `N` pixels in pictures, 1 to 1000 (default 40), of N millimetres in STL and glTF (default 20)"

// choices are the words for a choice.
func choices[C ~string](all []C) (words []string) {
	for _, c := range all {
		words = append(words, string(c))
	}
	return words
}

// check reports flags that have nothing to say: what is written is of the format of that name, or
// is no picture if that is "".
func (p *picture) check(format, want string) error {
	for _, flag := range pictureFlags {
		switch {
		case !p.flagSet.Changed(flag.name):
		case format == "":
			return usage("--%s is for pictures, want %s with it", flag.name, want)
		case flag.formats != nil && !slices.Contains(flag.formats, format):
			return usage("--%s is for %s, want a picture of that kind", flag.name, flag.goal)
		case flag.name == "scale" && (p.scale < 1 || p.scale > 1000):
			return usage("--scale is %d, want 1 to 1000", p.scale)
		}
	}
	return nil
}

// options are those for a format, which is nil for solids.
func (p *picture) options(format *pen.Format) render.PictureOptions {
	return render.PictureOptions{
		Format: format, Cell: p.scale, Label: render.Label(p.label), ColorBy: render.ColorBy(p.colorBy), Fragment: p.fragment,
		Gap: p.gap, Explode: p.explode, View: render.View(p.view), Heights: p.heights,
	}
}

// target is what show can write in place of text: a picture, or a solid.
type target struct {
	Name  string
	path  string
	pen   *pen.Format
	solid *solid.Format
}

// wantEnding refuses the name of a file that does not end as files of its format do.
func wantEnding(flag, path, extension string) error {
	if !strings.EqualFold(filepath.Ext(path), extension) {
		return usage("--%s is %s, want the name of a file that ends in %s", flag, path, extension)
	}
	return nil
}

// drawing is a target in the making.
type drawing struct {
	picture
	targets []*target
	paper   string
}

func (d *drawing) flags(cmd *cobra.Command) {
	d.picture.flags(cmd, "draw cells with sides of `N` pixels in pictures, 1 to 1000 (default 40), or of N millimetres with --paper, and in STL and glTF (default 20)")
	for _, f := range pen.Formats {
		t := &target{Name: f.Name, pen: f}
		d.targets = append(d.targets, t)
		cmd.Flags().StringVar(&t.path, f.Name, "", "draw the board and the pieces on one picture, "+f.What+", `FILE`, and write nothing else")
	}
	for _, f := range solid.Formats {
		t := &target{Name: f.Name, solid: f}
		d.targets = append(d.targets, t)
		cmd.Flags().StringVar(&t.path, f.Name, "", "write all copies of the pieces, side by side, as "+f.What+", `FILE`, and nothing else")
	}
	papers := choices(render.PaperChoices)
	cmd.Flags().Var(word{&d.paper, papers, "PAPER"}, "paper", "draw the board, and each copy of each piece to cut out, on sheets of `PAPER`: "+wording.List(papers))
	complete(cmd, "paper", papers)
}

// chosen is what is wanted, or nil.
func (d *drawing) chosen() (chosen *target, err error) {
	const want = "--svg, --png or --tikz"
	for _, t := range d.targets {
		switch {
		case !d.flagSet.Changed(t.Name):
		case t.path == "":
			return nil, usage("--%s is empty, want a file", t.Name)
		case chosen != nil:
			return nil, usage("both --%s and --%s given, want one or the other", chosen.Name, t.Name)
		default:
			chosen = t
			if t.pen != nil {
				if err := wantEnding(t.Name, t.path, t.pen.Extension); err != nil {
					return nil, err
				}
			}
		}
	}
	switch {
	case chosen == nil && d.paper != "", chosen != nil && chosen.solid != nil && d.paper != "":
		return nil, usage("--paper is for pictures, want %s with it", want)
	case chosen == nil:
		return nil, d.check("", want+", or --stl or --gltf,")
	}
	return chosen, d.check(chosen.Name, "")
}

// draw writes the picture or the solid, or all sheets of paper: file.svg, or file-1.svg, file-2.svg and so
// on. It writes the number of sheets to notes if there are several.
func (d *drawing) draw(notes io.Writer, p *tiling.Puzzle, t *target) error {
	switch {
	case t.solid != nil:
		return atomicfile.Write(t.path, func(w io.Writer) error { return render.Plate(w, p, t.solid, d.options(nil)) })
	case d.paper == "":
		return atomicfile.Write(t.path, func(w io.Writer) error { return render.Overview(w, p, d.options(t.pen)) })
	}
	sheets, err := render.NewCutouts(p, render.Paper(d.paper), d.options(t.pen))
	if err != nil {
		return err
	}
	name := func(page int) string { return t.path }
	if sheets.Pages() > 1 {
		extension := filepath.Ext(t.path)
		name = func(page int) string {
			return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(t.path, extension), page+1, extension)
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
