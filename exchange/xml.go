package exchange

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
)

// Limits of a file in XML: how much a packed one may unpack to, how deep elements may lie
// in one another, and how many signs '=' may stand between two signs '<', which is as many
// attributes as an element may have.
const (
	maxXMLBytes = 16 << 20
	maxXMLDepth = 16
	maxXMLSigns = 10_000
)

var gzipMark = []byte{0x1f, 0x8b}

// xmlReader reads elements one after another. What nobody asks for is passed over, so that
// memory is taken for one token at a time. Entities other than the five of XML, and document
// types, which could define some, are refused.
type xmlReader struct {
	*source
	tokens *xml.Decoder
	depth  int
}

// element is the beginning of an element, and where it ends in the file.
type element struct {
	name         string
	attributes   map[string]string
	line, column int
}

var (
	errUnpacked = errors.New("unpacked too long")
	errSigns    = errors.New("too many signs")
	errCharset  = errors.New("want UTF-8")
)

// capped is a reader of so many bytes, with an error behind them. The decoder keeps all
// attributes of an element, so it is held to a number of them before it sees them.
type capped struct {
	from  io.Reader
	left  int
	signs int // '=' since the last '<'
}

func (c *capped) Read(b []byte) (int, error) {
	if c.left == 0 {
		return 0, errUnpacked
	}
	n, err := c.from.Read(b[:min(len(b), c.left)])
	c.left -= n
	for _, sign := range b[:n] {
		switch sign {
		case '<':
			c.signs = 0
		case '=':
			c.signs++
		}
		if c.signs > maxXMLSigns {
			return 0, errSigns
		}
	}
	return n, err
}

// here is a mistake where the reader stands.
func (x *xmlReader) here(format string, args ...any) error {
	line, column := x.tokens.InputPos()
	return x.errorf(line, column, format, args...)
}

// next is the next token that matters, nil at the end of the file.
func (x *xmlReader) next() (xml.Token, error) {
	for {
		if err := x.looks.Look(); err != nil {
			return nil, err
		}
		t, err := x.tokens.Token()
		if err == io.EOF {
			return nil, nil
		}
		if err != nil {
			return nil, x.broken(err)
		}
		switch t := t.(type) {
		case xml.Directive:
			return nil, x.here("a document type or another declaration, want elements alone (entities are not read)")
		case xml.StartElement, xml.EndElement, xml.CharData:
			return t, nil
		}
	}
}

// broken says what is wrong with the bytes.
func (x *xmlReader) broken(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, errUnpacked):
		return x.here("the file is longer than %d bytes once it is unpacked, want at most that many", maxXMLBytes)
	case errors.Is(err, errSigns):
		return x.here("an element with more than %d attributes or signs '=', want at most that many", maxXMLSigns)
	case errors.As(err, &syntax):
		return x.here("no XML: %s", clipped(syntax.Msg))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return x.here("the file ends too early, want all of what was packed")
	case errors.Is(err, gzip.ErrChecksum):
		return x.here("the file is damaged: its checksum is wrong")
	}
	return x.here("the file cannot be read as XML: %s", clipped(err.Error()))
}

// root reads the beginning of the outermost element, which must have this name.
func (x *xmlReader) root(name string) (*element, error) {
	for {
		t, err := x.next()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case nil:
			return nil, x.here("no element, want <%s>", name)
		case xml.StartElement:
			e, err := x.element(t)
			if err == nil && e.name != name {
				err = x.at(e, "an element <%s>, want <%s>", quoted(e.name), name)
			}
			return e, err
		case xml.CharData:
			if len(bytes.TrimSpace(t)) > 0 {
				return nil, x.here("text outside of an element, want <%s>", name)
			}
		}
	}
}

// end reads what may follow the outermost element: nothing.
func (x *xmlReader) end() error {
	for {
		t, err := x.next()
		if t == nil {
			return err
		}
		if text, ok := t.(xml.CharData); !ok || len(bytes.TrimSpace(text)) > 0 {
			return x.here("something behind the end of the puzzle, want nothing")
		}
	}
}

// element takes the beginning of an element over.
func (x *xmlReader) element(t xml.StartElement) (*element, error) {
	if x.depth++; x.depth > maxXMLDepth {
		return nil, x.here("elements more than %d deep in one another, want at most that many", maxXMLDepth)
	}
	line, column := x.tokens.InputPos()
	e := &element{t.Name.Local, map[string]string{}, line, column}
	for _, a := range t.Attr {
		if _, twice := e.attributes[a.Name.Local]; twice {
			return nil, x.at(e, "attribute %s a second time, want it once", wording.Quote(a.Name.Local))
		}
		e.attributes[a.Name.Local] = a.Value
	}
	return e, nil
}

// children calls do for each element in the one that has begun, which do must read to its
// end, and reads to the end.
func (x *xmlReader) children(do func(*element) error) error {
	for {
		t, err := x.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case nil:
			return x.here("the file ends too early, want the end of an element")
		case xml.EndElement:
			x.depth--
			return nil
		case xml.StartElement:
			e, err := x.element(t)
			if err != nil {
				return err
			}
			if err := do(e); err != nil {
				return err
			}
		}
	}
}

// skip passes over the rest of the element that has begun.
func (x *xmlReader) skip() error {
	return x.children(func(*element) error { return x.skip() })
}

// text is the text of the element that has begun, without that of elements in it.
func (x *xmlReader) text() (string, error) {
	var text []byte
	for {
		t, err := x.next()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case nil:
			return "", x.here("the file ends too early, want the end of an element")
		case xml.CharData:
			text = append(text, t...)
		case xml.StartElement:
			if _, err := x.element(t); err != nil {
				return "", err
			}
			if err := x.skip(); err != nil {
				return "", err
			}
		case xml.EndElement:
			x.depth--
			return string(text), nil
		}
	}
}

func (x *xmlReader) at(e *element, format string, args ...any) error {
	return x.errorf(e.line, e.column, format, args...)
}

// number is that of an attribute, a number from 0 to most.
func (x *xmlReader) number(e *element, attribute string, most int) (int, error) {
	text, given := e.attributes[attribute]
	if !given {
		return 0, x.at(e, "<%s> without %s, want a number from 0 to %d", quoted(e.name), attribute, most)
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n > uint64(most) {
		return 0, x.at(e, "%s of <%s> is %s, want a number from 0 to %d", attribute, quoted(e.name), wording.Quote(text), most)
	}
	return int(n), nil
}

// has reports whether an element has an attribute.
func (e *element) has(attribute string) bool {
	_, given := e.attributes[attribute]
	return given
}

// quoted is a word shortened as quote does it, without the marks around it.
func quoted(name string) string {
	q := wording.Quote(name)
	return q[1 : len(q)-1]
}

// clipped is a message of the reader of XML on one line, and not too long: it may repeat names.
func clipped(message string) string {
	const most = 120
	q := fmt.Sprintf("%.*q", most, message)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
