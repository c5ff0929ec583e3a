package cover

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Limits of the text form, in bytes. maxLineBytes suffices for an order of MaxItems short names.
const (
	MaxTextBytes = 64 << 20 // the whole input
	maxLineBytes = 16 << 20 // one line
)

// Read reads a problem in the text form. Every line has one item, option or order:
//
//	# the 2x3 board with dominoes (a comment ends with its line)
//	item a 1             exactly once; b to f have such lines, too
//	item domino 0..      MIN..MAX, or MIN.. for no upper bound
//	option a b domino    the items that it uses; NAME*TIMES means several times
//	order a d b e c f    a hint in which order to sweep (Problem.Orders)
//
// A name has no spaces, '*' or '#', and needs an item line before it is used. An item without
// a name is written as its index, from 0. Options may list their items in any order.
//
//	item x 0..1          at most once, or several times with one colour
//	option a x:red       it uses x with the colour red
//
// A word of an option that is the name of an item is that item, even if it contains a ':'. In any
// other word, the part after the last ':' is the colour. Colours get their indices in the order of
// their first use. The uses of an option are ordered by item.
//
// Errors in the text wrap ErrInvalid and have the form "name:line: invalid cover: MISTAKE, expected
// EXPECTATION". The returned problem is valid.
func Read(name string, r io.Reader) (*Problem, error) {
	return ReadWithin(context.Background(), name, r, 0)
}

// ReadWithin is like Read with a limit of memory in bytes; 0 means no limit. It polls ctx.
func ReadWithin(ctx context.Context, name string, r io.Reader, memory int64) (*Problem, error) {
	limit := &io.LimitedReader{R: r, N: MaxTextBytes + 1}
	lines := bufio.NewScanner(limit)
	lines.Buffer(nil, maxLineBytes)
	t := reader{name: name, index: map[string]int{}, colours: map[string]int32{}, looks: interrupt.Context(ctx)}
	for lines.Scan() {
		if limit.N == 0 {
			break // the input is too long, and its last line may be cut off
		}
		t.line++
		uses := t.uses
		if err := t.read(lines.Text()); err != nil {
			return nil, t.at(t.line, err)
		}
		if err := t.looks.Work(1 + t.uses - uses); err != nil {
			return nil, err
		}
		if memory > 0 && t.problem.bytes(t.uses) > memory {
			return nil, fmt.Errorf("%w: %s:%d: the first %d options need over %s of memory",
				ErrMemory, name, t.line, len(t.problem.Options), wording.Plural(memory, "byte"))
		}
	}
	switch err := lines.Err(); {
	case limit.N == 0:
		return nil, t.at(t.line+1, fmt.Errorf("the input is too long, expected at most %d bytes", MaxTextBytes))
	case errors.Is(err, bufio.ErrTooLong):
		return nil, t.at(t.line+1, fmt.Errorf("the line is too long, expected at most %d bytes", maxLineBytes))
	case err != nil:
		return nil, fmt.Errorf("%s:%d: %w", name, t.line+1, err)
	}
	return t.finish(ctx)
}

// IsText reports whether the first line that is not a comment declares an item. This line
// distinguishes the text form from puzzle files.
func IsText(data []byte) bool {
	for line := range bytes.Lines(data) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		if words := bytes.Fields(line); len(words) > 0 {
			return string(words[0]) == "item" && len(words) == 3
		}
	}
	return false
}

// Words returns the words of an option in the text form, one for each use.
func (p *Problem) Words(option int) []string {
	words := make([]string, len(p.Options[option]))
	for k, u := range p.Options[option] {
		words[k] = p.word(cmp.Or(p.Items[u.Item].Name, strconv.Itoa(u.Item)), u)
	}
	return words
}

func (p *Problem) word(name string, u Use) string {
	switch {
	case u.Colour != 0:
		return name + ":" + p.Colours[u.Colour-1]
	case u.Times > 1:
		return name + "*" + strconv.Itoa(int(u.Times))
	}
	return name
}

// Bounds returns the bounds of an item in the text form: 1, 0..2 or 0.. .
func (it Item) Bounds() string {
	switch it.Max {
	case it.Min:
		return strconv.Itoa(it.Min)
	case Unbounded:
		return strconv.Itoa(it.Min) + ".."
	}
	return strconv.Itoa(it.Min) + ".." + strconv.Itoa(it.Max)
}

// Bytes returns an estimate of the memory of p, in bytes.
func (p *Problem) Bytes() int64 {
	uses := 0
	for _, o := range p.Options {
		uses += len(o)
	}
	return p.bytes(uses)
}

func (p *Problem) bytes(uses int) int64 {
	return int64(len(p.Items))*bytesPerItem + int64(len(p.Options))*bytesPerOption +
		int64(uses)*bytesPerUse + int64(len(p.Colours))*bytesPerColour
}

type reader struct {
	name        string
	line        int // line number, from 1
	problem     Problem
	index       map[string]int // indices of items by their names in the text
	colours     map[string]int32
	optionLines []int     // line of each option
	seen        []int     // reused by validateOrder
	words       []useWord // reused by readOption
	uses        int       // number of words in all options and orders
	looks       interrupt.Watch
}

// Estimates in bytes. bytesPerOption includes a line number and an entry of a table of options.
const (
	bytesPerItem   = 128
	bytesPerOption = 24 + 8 + 16
	bytesPerUse    = 16
	bytesPerColour = 128
)

func (t *reader) at(line int, err error) error {
	return fmt.Errorf("%s:%d: %w: %w", t.name, line, ErrInvalid, err)
}

func (t *reader) read(line string) error {
	if !utf8.ValidString(line) {
		return errors.New("the line is not text, expected UTF-8")
	}
	line, _, _ = strings.Cut(line, "#")
	verb, rest := cutWord(line)
	switch verb {
	case "":
		return nil
	case "item":
		return t.readItem(rest)
	case "option":
		return t.readOption(rest)
	case "order":
		return t.readOrder(rest)
	}
	return fmt.Errorf("unknown word %s, expected item, option or order", wording.Quote(verb))
}

func (t *reader) readItem(rest string) error {
	name, rest := cutWord(rest)
	bounds, rest := cutWord(rest)
	if name != "" && bounds == "" {
		return fmt.Errorf("item %s has no bounds, expected item NAME N or item NAME MIN..MAX", wording.Quote(name))
	}
	if extra, _ := cutWord(rest); name == "" || extra != "" {
		return errors.New("the item line is malformed, expected item NAME MIN..MAX")
	}
	if strings.Contains(name, "*") {
		return fmt.Errorf("item name %s has a '*', expected a name without '*'", wording.Quote(name))
	}
	if _, twice := t.index[name]; twice {
		return fmt.Errorf("item %s is declared twice, expected distinct names", wording.Quote(name))
	}
	if item, colour, is := t.cutColour(name); is && t.colours[colour] != 0 {
		return fmt.Errorf("item name %s is ambiguous: an option above uses the name for item %d with the colour %s, expected another name", wording.Quote(name), item, wording.Quote(colour))
	}
	i := len(t.problem.Items)
	if i == MaxItems {
		return fmt.Errorf("too many items, expected at most %d", MaxItems)
	}
	item, err := parseBounds(bounds)
	if err != nil {
		return err
	}
	name = strings.Clone(name) // so that the line is not kept in memory
	t.index[name] = i
	if name != strconv.Itoa(i) {
		item.Name = name
	}
	t.problem.Items = append(t.problem.Items, item)
	return t.problem.validateItem(i)
}

func parseBounds(s string) (Item, error) {
	low, high, isRange := strings.Cut(s, "..")
	least, err := parseNumber(low, 0, Unbounded-1)
	switch {
	case err != nil:
		return Item{}, fmt.Errorf("bounds %s: %w", wording.Quote(s), err)
	case !isRange:
		return Item{Min: least, Max: least}, nil
	case high == "":
		return Item{Min: least, Max: Unbounded}, nil
	}
	most, err := parseNumber(high, 0, Unbounded-1)
	if err == nil && most < least {
		err = fmt.Errorf("the upper bound is less than the lower bound, expected %d or more", least)
	}
	if err != nil {
		return Item{}, fmt.Errorf("bounds %s: %w", wording.Quote(s), err)
	}
	return Item{Min: least, Max: most}, nil
}

func (t *reader) readOption(rest string) error {
	p := &t.problem
	if len(p.Options) == MaxOptions {
		return fmt.Errorf("too many options, expected at most %d", MaxOptions)
	}
	words := t.words[:0]
	for text := range strings.FieldsSeq(rest) {
		word, err := t.parseUse(text)
		if err != nil {
			return err
		}
		words = append(words, word)
	}
	t.words = words
	slices.SortFunc(words, func(a, b useWord) int { return cmp.Compare(a.Item, b.Item) })
	option := make(Option, len(words))
	for k, w := range words {
		var err error
		if w.Colour, err = t.colour(w.colour); err != nil {
			return err
		}
		option[k] = w.Use
	}
	if err := p.validateOption(option); err != nil {
		return fmt.Errorf("the option %w (a line of an option is: option NAME NAME:COLOUR NAME*TIMES …)", err)
	}
	p.Options = append(p.Options, option)
	t.uses += len(option)
	t.optionLines = append(t.optionLines, t.line)
	return nil
}

// useWord is a word of an option. Colours are numbered after the words are sorted.
type useWord struct {
	Use
	colour string // "" for none
}

func (t *reader) parseUse(text string) (useWord, error) {
	name, times, several := strings.Cut(text, "*")
	word, err := t.lookUpUse(name)
	if err != nil || !several {
		return word, err
	}
	n, err := parseNumber(times, 1, MaxTimes)
	if err != nil {
		return word, fmt.Errorf("the multiplicity in %s: %w", wording.Quote(text), err)
	}
	word.Times = int32(n)
	return word, nil
}

func (t *reader) lookUpUse(name string) (useWord, error) {
	item, colour, is := 0, "", false
	if _, known := t.index[name]; !known {
		item, colour, is = t.cutColour(name)
	}
	if !is {
		item, err := t.lookUp(name)
		return useWord{Use: Use{Item: item, Times: 1}}, err
	}
	if colour == "" {
		return useWord{}, fmt.Errorf("%s has no colour, expected NAME:COLOUR", wording.Quote(name))
	}
	return useWord{Use{Item: item, Times: 1}, colour}, nil
}

func (t *reader) cutColour(word string) (item int, colour string, is bool) {
	at := strings.LastIndexByte(word, ':')
	if at < 0 {
		return 0, "", false
	}
	item, is = t.index[word[:at]]
	return item, word[at+1:], is
}

func (t *reader) colour(name string) (int32, error) {
	number := t.colours[name]
	if name == "" || number != 0 {
		return number, nil
	}
	if len(t.problem.Colours) == MaxColours {
		return 0, fmt.Errorf("too many colours, expected at most %d", MaxColours)
	}
	name = strings.Clone(name) // so that the line is not kept in memory
	t.problem.Colours = append(t.problem.Colours, name)
	number = int32(len(t.problem.Colours))
	t.colours[name] = number
	return number, nil
}

func (t *reader) readOrder(rest string) error {
	p := &t.problem
	if len(p.Orders) == MaxOrders {
		return fmt.Errorf("too many orders, expected at most %d", MaxOrders)
	}
	order := []int{}
	for word := range strings.FieldsSeq(rest) {
		item, err := t.lookUp(word)
		if err != nil {
			return err
		}
		order = append(order, item)
	}
	for len(t.seen) < len(p.Items) { // items may be declared between orders
		t.seen = append(t.seen, 0)
	}
	p.Orders = append(p.Orders, slices.Clip(order))
	t.uses += len(order)
	if err := p.validateOrder(order, t.seen, len(p.Orders)); err != nil {
		return fmt.Errorf("the order %w, expected distinct items of max 0 or 1", err)
	}
	return nil
}

func (t *reader) lookUp(name string) (int, error) {
	i, known := t.index[name]
	if !known {
		return 0, fmt.Errorf("unknown item %s, expected an item that a line above defines", wording.Quote(name))
	}
	return i, nil
}

func (t *reader) finish(ctx context.Context) (*Problem, error) {
	if err := t.problem.validateTotals(&t.looks); err != nil && err != ctx.Err() {
		return nil, t.at(t.line, err)
	} else if err != nil {
		return nil, err
	}
	a, b, found, err := t.problem.findDuplicate(&t.looks)
	if err != nil {
		return nil, err
	}
	if found {
		return nil, t.at(t.optionLines[b], fmt.Errorf("the option repeats the option of line %d, expected distinct options", t.optionLines[a]))
	}
	return &t.problem, nil
}

func cutWord(s string) (word, rest string) {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}

func parseNumber(s string, least, most int) (int, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || n < uint64(least) || n > uint64(most) {
		return 0, fmt.Errorf("%s is not a whole number in range, expected %d..%d", wording.Quote(s), least, most)
	}
	return int(n), nil
}

// WriteText writes items, options and orders in the text form of [Read], in the order of p. Read
// returns the same problem, except that an item named by its own index has no name, and colours are
// in the order of their first use. WriteText writes nothing if p is invalid or has a name that Read
// would not accept: names must be different and in UTF-8, without spaces, '*' and '#'. The name of
// a colour must not be empty or have a ':'. If an option uses item x with the colour red, no item
// may have the name "x:red". Unlike Read, WriteText does not limit the length of the text.
func (p *Problem) WriteText(to io.Writer) error {
	if err := p.Validate(); err != nil {
		return err
	}
	names, err := p.textNames()
	if err == nil {
		err = p.checkColourNames(names)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	w := bufio.NewWriter(to)
	for i, it := range p.Items {
		fmt.Fprintf(w, "item %s %s\n", names[i], it.Bounds())
	}
	for _, o := range p.Options {
		w.WriteString("option")
		for _, u := range o {
			w.WriteByte(' ')
			w.WriteString(p.word(names[u.Item], u))
		}
		w.WriteByte('\n')
	}
	for _, order := range p.Orders {
		w.WriteString("order")
		for _, i := range order {
			w.WriteByte(' ')
			w.WriteString(names[i])
		}
		w.WriteByte('\n')
	}
	return w.Flush() // Flush returns the first error of all writes
}

func (p *Problem) textNames() ([]string, error) {
	names := make([]string, len(p.Items))
	first := make(map[string]int, len(p.Items))
	for i, it := range p.Items {
		name := cmp.Or(it.Name, strconv.Itoa(i))
		if !utf8.ValidString(name) || strings.ContainsFunc(name, unwritable) {
			return nil, fmt.Errorf("item %d is named %s, expected a name without spaces, '*' and '#'", i, wording.Quote(name))
		}
		if k, twice := first[name]; twice {
			return nil, fmt.Errorf("items %d and %d are both called %s, expected distinct names", k, i, wording.Quote(name))
		}
		first[name], names[i] = i, name
	}
	return names, nil
}

func unwritable(c rune) bool { return unicode.IsSpace(c) || c == '*' || c == '#' }

func (p *Problem) checkColourNames(items []string) error {
	number := make(map[string]int32, len(p.Colours))
	for k, name := range p.Colours {
		if name == "" || strings.Contains(name, ":") || !utf8.ValidString(name) || strings.ContainsFunc(name, unwritable) {
			return fmt.Errorf("colour %d is named %s, expected a name without spaces, '*', '#' and ':'", k+1, wording.Quote(name))
		}
		if number[name] != 0 {
			return fmt.Errorf("colours %d and %d are both called %s, expected distinct names", number[name], k+1, wording.Quote(name))
		}
		number[name] = int32(k) + 1
	}
	return p.checkClashes(items, number)
}

func (p *Problem) checkClashes(items []string, number map[string]int32) error {
	if len(number) == 0 {
		return nil
	}
	index := make(map[string]int, len(items))
	for i, name := range items {
		index[name] = i
	}
	clashes := map[Use]int{}
	for i, name := range items {
		if at := strings.LastIndexByte(name, ':'); at >= 0 {
			if item, is := index[name[:at]]; is {
				clashes[Use{item, 1, number[name[at+1:]]}] = i
			}
		}
	}
	for o, option := range p.Options {
		for _, u := range option {
			if i, clash := clashes[u]; clash && u.Colour != 0 {
				return fmt.Errorf("item %d is named %s, which is also the text of a use with a colour in option %d, expected another name", i, wording.Quote(items[i]), o)
			}
		}
	}
	return nil
}
