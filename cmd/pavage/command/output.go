package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// output is how sample and list write tilings: by one of render's formats. A
// format that holds any number of tilings goes to standard output, one that holds
// some of them to a file, one that holds a single tiling to files of a folder, or to the one
// that is named.
type output struct {
	flagSet *pflag.FlagSet
	format  *render.Format
	path    string // of the file or the folder
	several bool   // formats were given: a mistake
	picture picture
}

// outputFlag is the flag of a format.
type outputFlag struct {
	o      *output
	format *render.Format
}

var _ pflag.Value = outputFlag{}

func (f outputFlag) String() string { return "" }

func (f outputFlag) Type() string {
	if f.format.Most == 0 {
		return "bool"
	}
	return "string"
}

func (f outputFlag) Set(text string) error {
	switch {
	case f.format.Most == 0 && text == "false":
		return nil
	case f.format.Most == 0 && text != "true":
		return errors.New("want true or false")
	}
	f.o.several = f.o.several || f.o.format != nil && f.o.format != f.format
	f.o.format, f.o.path = f.format, text
	return nil
}

// flags adds the flags of the formats. The first format has none: it is what is
// written without a flag.
func (o *output) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	o.flagSet = flags
	o.picture.flags(cmd, pixelScale)
	flags.BoolVar(&o.picture.heights, "heights", false, "draw the heights of tilings by dominoes or lozenges: numbers at the corners of cells that go up and down with the tiling")
	for _, f := range render.Formats[1:] {
		switch f.Most {
		case 0:
			flags.VarPF(outputFlag{o, f}, f.Name, "", "write "+f.What).NoOptDefVal = "true"
		case 1:
			flags.Var(outputFlag{o, f}, f.Name, "draw each tiling as "+f.What+" in the folder `PATH`; files of earlier runs stay there; if PATH ends in "+f.Extension+", draw one tiling, in that file")
		default:
			flags.Var(outputFlag{o, f}, f.Name, fmt.Sprintf("draw all tilings, at most %d, on %s picture, `FILE`, whose name ends in .svg, .png or .tex", f.Most, f.What))
		}
	}
}

// outputFlags are the flags, as a sentence has them.
func outputFlags() string {
	text, last := "", len(render.Formats)-1
	for i, f := range render.Formats[1:] {
		switch i {
		case 0:
		case last - 1:
			text += " and "
		default:
			text += ", "
		}
		text += "--" + f.Name
	}
	return text
}

// checkOutput reports a wrong choice of outputs for n tilings.
func (o *output) checkOutput(n uint64) error {
	switch {
	case o.flagSet.Changed("number") && o.flagSet.Changed("limit"):
		return usage("both --number and --limit given, want one or the other: they mean the same")
	case o.several:
		return usage("more than one of %s given, want one", outputFlags())
	case o.format == nil || o.format.Most == 0:
		return o.picture.check("", "--svg, --png, --tikz, --sheet, --stl or --gltf")
	case o.path == "":
		return usage("--%s is empty, want a path", o.format.Name)
	case !o.oneFile() && (pen.Of(strings.ToLower(filepath.Ext(o.path))) != nil || n == 1 && meansFile(o.path)):
		return usage("--%s is %s, want a folder, or the name of a file that ends in %s", o.format.Name, o.path, o.format.Extension)
	case o.oneFile() && n > uint64(o.format.Most):
		flag := "-n"
		if o.flagSet.Changed("limit") {
			flag = "--limit"
		}
		if o.format.Most == 1 {
			return usage("%s is %d, and %s is a file for one tiling, want the name of a folder", flag, n, o.path)
		}
		return usage("%s is %d, a --%s holds at most %d tilings", flag, n, o.format.Name, o.format.Most)
	}
	drawn, err := o.drawn()
	if err != nil {
		return err
	}
	if drawn == nil {
		return o.picture.check(o.format.Name, "")
	}
	return o.picture.check(drawn.Name, "")
}

// meansFile reports whether a path that is not there yet has a name as files have, like
// tiling.jpg; tilings.d/ is a folder.
func meansFile(path string) bool {
	_, name := filepath.Split(path)
	ending := filepath.Ext(strings.TrimLeft(name, "."))
	if len(ending) < 2 || !unicode.IsLetter(rune(ending[1])) {
		return false
	}
	info, err := os.Stat(path)
	return err != nil || !info.IsDir()
}

// oneFile reports whether all goes to one file.
func (o *output) oneFile() bool {
	return o.format.Most > 1 || o.format.Most == 1 && strings.EqualFold(filepath.Ext(o.path), o.format.Extension)
}

// drawn is the format of the pictures, or nil for solids: the name of its file chooses the format of a sheet.
func (o *output) drawn() (*pen.Format, error) {
	if o.format.Most == 1 {
		return pen.Of(o.format.Extension), nil
	}
	if f := pen.Of(strings.ToLower(filepath.Ext(o.path))); f != nil {
		return f, nil
	}
	var known []string
	for _, f := range pen.Formats {
		known = append(known, f.Extension)
	}
	return nil, usage("--%s is %s, want the name of a file that ends in %s", o.format.Name, o.path, wording.List(known))
}

// lines reports whether a program reads standard output.
func (o *output) lines() bool { return o.format != nil && o.format.Most == 0 }

// begin starts the output of n tilings of a puzzle, or of at most n if nobody knows
// how many there are.
func (o *output) begin(a *app, p *tiling.Puzzle, n uint64) (render.Writer, error) {
	options := render.Options{Text: render.TextOptions{Color: colored(a.config.Color, a.Out), Letters: true}}
	f := cmp.Or(o.format, render.Formats[0])
	if f.Most > 0 {
		drawn, err := o.drawn()
		if err != nil {
			return nil, err
		}
		options.Picture = o.picture.options(drawn)
	}
	if p.Board == nil && f.NeedsBoard {
		return nil, usage("--%s draws a board, and a cover has none: want --json, or text", f.Name)
	}
	switch {
	case f.Most == 0:
		return f.Begin(a.Out, p, options), nil
	case !o.oneFile():
		return &folder{format: f, puzzle: p, options: options, dir: o.path, digits: len(fmt.Sprint(n))}, os.MkdirAll(o.path, 0o777)
	}
	return &file{format: f, puzzle: p, options: options, path: o.path}, nil
}

// folder writes tiling k of n to file k of a folder. Leading zeros keep the files
// of a folder in order.
type folder struct {
	format         *render.Format
	puzzle         *tiling.Puzzle
	options        render.Options
	dir            string
	digits, number int
}

func (d *folder) Add(t render.Tiling) error {
	d.number++
	name := fmt.Sprintf("tiling-%0*d%s", d.digits, d.number, d.format.Extension)
	return atomicfile.Write(filepath.Join(d.dir, name), func(w io.Writer) error {
		out := d.format.Begin(w, d.puzzle, d.options)
		return errors.Join(out.Add(t), out.Close())
	})
}

func (d *folder) Close() error { return nil }

// file writes tilings to one file, once all are there.
type file struct {
	format  *render.Format
	puzzle  *tiling.Puzzle
	options render.Options
	path    string
	tilings []render.Tiling
}

func (f *file) Add(t render.Tiling) error {
	if len(f.tilings) == f.format.Most {
		return usage("there are more tilings than the %d that a --%s holds, want a --limit", f.format.Most, f.format.Name)
	}
	f.tilings = append(f.tilings, t)
	return nil
}

func (f *file) Close() error {
	if len(f.tilings) == 0 {
		return nil // as of the other outputs, nothing
	}
	return atomicfile.Write(f.path, func(w io.Writer) error {
		out := f.format.Begin(w, f.puzzle, f.options)
		for _, t := range f.tilings {
			if err := out.Add(t); err != nil {
				return err
			}
		}
		return out.Close()
	})
}
