package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// output has the format that a flag has chosen for tilings, and the path of the file or folder.
type output struct {
	render.PictureOptions
	format *render.Format
	path   string
}

func (o *output) set(f *render.Format) func(string) error {
	return func(text string) error {
		switch {
		case f.Most == 0 && text == "false":
			return nil
		case f.Most == 0 && text != "true":
			return errors.New("expected true or false")
		case text == "":
			return errors.New("expected a path")
		case o.format != nil && o.format != f:
			return usage("both --%s and --%s given, expected one or the other", o.format.Name, f.Name)
		}
		o.format, o.path = f, text
		return nil
	}
}

// Flags adds a flag for each format except the first, which is the default.
func (o *output) Flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	for _, f := range render.Formats[1:] {
		switch f.Most {
		case 0:
			flags.BoolFunc(f.Name, "write "+f.What, o.set(f))
		case 1:
			flags.Func(f.Name, "draw in the folder `PATH` (one file if PATH ends in "+f.Extension+"): the folder gets "+f.What+" for each tiling and keeps the files of earlier runs; the file gets one picture", o.set(f))
		default:
			flags.Func(f.Name, fmt.Sprintf("draw all tilings, at most %d, on %s picture, `FILE`; the name ends in .svg, .png or .tex", f.Most, f.What), o.set(f))
		}
	}
}

// checkPicture checks the options of a picture of the format. If format is empty, no picture is
// drawn, and an error lists those of the flags draws that accept the option.
func (o *output) checkPicture(c *Call, format string, draws ...string) error {
	for _, f := range strict.FieldsOf(reflect.TypeFor[render.PictureOptions]()) {
		name, kinds := fieldFlag(f), strings.Fields(f.Field.Tag.Get("for"))
		for _, picture := range pen.Formats {
			if slices.Contains(kinds, "flat") {
				kinds = append(kinds, picture.Name)
			}
			if slices.Contains(kinds, picture.Name) {
				kinds = append(kinds, "sheet") // a sheet has any flat format
			}
		}
		accepts := func(format string) bool { return len(kinds) == 0 || slices.Contains(kinds, format) }
		switch {
		case !c.Given(name):
		case format == "":
			var want []string
			for _, draw := range draws {
				if accepts(draw) {
					want = append(want, "--"+draw)
				}
			}
			if want == nil {
				return usage("--%s is only for %s, but here no such picture can be drawn", name, f.Field.Tag.Get("goal"))
			}
			return usage("--%s given without %s", name, wording.List(want))
		case !accepts(format):
			return usage("--%s is only for %s, but the picture has the format %s", name, f.Field.Tag.Get("goal"), format)
		case name == "scale" && (o.Cell < 1 || o.Cell > 1000):
			return usage("--scale is %d, expected 1 to 1000", o.Cell)
		}
	}
	return nil
}

func (o *output) checkFile(c *Call) error {
	f := o.format
	o.Format = pen.Of(f.Extension)
	if o.Double {
		return usage("--double draws two tilings in a picture, but here no tilings are drawn")
	}
	if o.Format != nil && !strings.EqualFold(filepath.Ext(o.path), f.Extension) {
		return usage("--%s is %s, expected the name of a file that ends in %s", f.Name, o.path, f.Extension)
	}
	return o.checkPicture(c, o.format.Name)
}

func (o *output) checkOutput(c *Call, n uint64) error {
	pictures := n / uint64(o.Tilings())
	switch {
	case o.Double && n%2 > 0:
		return usage("%s requested, but --double draws two tilings in each picture, expected an even number of tilings", wording.Plural(int(n), "tiling"))
	case o.format == nil || o.format.Most == 0:
		return o.checkPicture(c, "", "svg", "png", "tikz", "sheet", "stl", "gltf")
	case !o.oneFile() && (pen.Of(strings.ToLower(filepath.Ext(o.path))) != nil || pictures == 1 && meansFile(o.path)):
		return usage("--%s is %s, expected a folder, or the name of a file that ends in %s", o.format.Name, o.path, o.format.Extension)
	case o.oneFile() && pictures > uint64(o.format.Most):
		if o.format.Most == 1 {
			return usage("%d tilings do not fit in %s, a file for one picture, expected the name of a folder", n, o.path)
		}
		return usage("%d tilings on one picture of --%s, expected at most %d tilings", n, o.format.Name, o.format.Most*o.Tilings())
	case o.format.Most == 1:
		o.Format = pen.Of(o.format.Extension)
		return o.checkPicture(c, o.format.Name)
	}
	if o.Format = pen.Of(strings.ToLower(filepath.Ext(o.path))); o.Format == nil {
		var known []string
		for _, f := range pen.Formats {
			known = append(known, f.Extension)
		}
		return usage("--%s is %s, expected the name of a file that ends in %s", o.format.Name, o.path, wording.List(known))
	}
	return o.checkPicture(c, o.Format.Name)
}

// meansFile reports whether a path is a file. A path that does not exist is a file if its name has
// an extension, such as tiling.jpg, and does not end in a slash.
func meansFile(path string) bool {
	_, name := filepath.Split(path)
	ending := filepath.Ext(strings.TrimLeft(name, "."))
	if len(ending) < 2 || !unicode.IsLetter(rune(ending[1])) {
		return false
	}
	info, err := os.Stat(path)
	return err != nil || !info.IsDir()
}

func (o *output) oneFile() bool {
	return o.format.Most > 1 || o.format.Most == 1 && strings.EqualFold(filepath.Ext(o.path), o.format.Extension)
}

func (o *output) lines() bool { return o.format != nil && o.format.Most == 0 }

func (o *output) begin(c *watcher, p *tiling.Puzzle, n uint64) (render.Writer, error) {
	options := render.Options{Picture: o.PictureOptions, Text: render.TextOptions{Color: colored(c.Config.Color, c.Out), Letters: true}}
	f := cmp.Or(o.format, render.Formats[0])
	if p.Board == nil && f.NeedsBoard {
		return nil, usage("--%[1]s draws a board, but a cover has no board: use --json, or omit --%[1]s for text", f.Name)
	}
	if f.Most == 0 {
		return f.Begin(c, p, options), nil
	}
	out := file{format: f, puzzle: p, options: options, path: o.path}
	if o.oneFile() {
		return &out, nil
	}
	return &folder{file: out, digits: len(fmt.Sprint(n / uint64(o.Tilings())))}, os.MkdirAll(o.path, 0o777)
}

type folder struct {
	file
	digits, number int
}

func (d *folder) Add(t render.Tiling) error {
	if d.tilings = append(d.tilings, t); len(d.tilings) < d.options.Picture.Tilings() {
		return nil
	}
	return d.Close()
}

func (d *folder) Close() error {
	one := d.file
	d.number++
	one.path = filepath.Join(d.path, fmt.Sprintf("tiling-%0*d%s", d.digits, d.number, d.format.Extension))
	d.tilings = nil
	return one.Close()
}

type file struct {
	format  *render.Format
	puzzle  *tiling.Puzzle
	options render.Options
	path    string
	tilings []render.Tiling
}

func (f *file) Add(t render.Tiling) error {
	if most := f.format.Most * f.options.Picture.Tilings(); len(f.tilings) == most {
		return usage("--%s can hold at most %s, but there are more tilings: limit them with --number", f.format.Name, wording.Plural(most, "tiling"))
	}
	f.tilings = append(f.tilings, t)
	return nil
}

func (f *file) Close() error {
	if len(f.tilings) == 0 {
		return nil // if there is no tiling, make no file
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
