package exchange

import (
	"context"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// format is a row of the table: a format of another program.
type format struct {
	name       string
	about      string   // whose format it is
	extensions []string // of files' names, the first that of files that are written
	cover      bool     // a file holds a cover, not a puzzle
	binary     bool     // a file may have bytes that are not text
	several    bool     // a file may have several problems
	// recognises reports whether the first bytes of a file are of this format. It says no to
	// every puzzle file and every cover of Pavage's own.
	recognises func(data []byte) bool
	read       func(*source) (*Content, error) // nil: not read
	// Nil: not written
	write      func(context.Context, io.Writer, *tiling.Model) error
	needsBoard bool // to be written
}

// formats are all formats, the surest to be recognised first.
var formats = []format{
	{
		name: "xmpuzzle", about: "puzzles of BurrTools, packed or not",
		extensions: []string{".xmpuzzle"}, binary: true, several: true,
		recognises: isBurrTools, read: readBurrTools, write: writeBurrTools, needsBoard: true,
	},
	{
		name: "polycube", about: "puzzle definitions of M. Busche's polycube",
		extensions: []string{".def"}, several: true,
		recognises: isPolycube, read: readPolycube,
	},
	{
		name: "dimacs", about: "formulas that state an exact cover",
		extensions: []string{".cnf"}, cover: true,
		recognises: isDIMACS, read: readDIMACS,
	},
	{
		name: "letters", about: "blocks of letters, each letter a piece",
		recognises: isLetters, read: readLetters,
	},
	{
		name: "dlx", about: "items and options of Knuth's DLX1, DLX2 (XCC) and DLX3 (MCC)",
		extensions: []string{".dlx", ".xcc", ".mcc"}, cover: true,
		recognises: isDLX, read: readDLX, write: writeDLX,
	},
	{
		name: "puzzle", about: "Pavage's own puzzle files",
		write: writePuzzle, needsBoard: true,
	},
	{
		name: "json", about: "Pavage's own puzzle files in JSON, for programs",
		write: writeJSON, needsBoard: true,
	},
}

// find is the format of that name, nil if there is none.
func find(name string) *format {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return &formats[i]
}

// Readable are the names of the formats that Read reads.
func Readable() []string {
	var names []string
	for _, f := range formats {
		if f.read != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// writable are the names of the formats that Write writes.
func writable() []string {
	var names []string
	for _, f := range formats {
		if f.write != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// About says whose format it is, "" of an unknown one.
func About(name string) string {
	if f := find(name); f != nil {
		return f.about
	}
	return ""
}

// IsCover reports whether files of a format hold covers, which have no board.
func IsCover(name string) bool {
	f := find(name)
	return f != nil && f.cover
}

// HasSeveral reports whether a file of a format may have several problems.
func HasSeveral(name string) bool {
	f := find(name)
	return f != nil && f.several
}

// Recognise is the format of a file that begins with these bytes, "" if it is of none.
func Recognise(data []byte) string {
	for _, f := range formats {
		if f.recognises != nil && f.recognises(data) {
			return f.name
		}
	}
	return ""
}

// ByExtension is the format of a file of that name, "" if its extension is of none.
func ByExtension(name string) string {
	extension := strings.ToLower(path.Ext(name))
	for _, f := range formats {
		if slices.Contains(f.extensions, extension) {
			return f.name
		}
	}
	return ""
}
