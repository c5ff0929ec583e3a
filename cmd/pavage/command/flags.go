package command

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
)

// whole is a flag of a whole number, 0 to 2^64-1.
type whole job.Whole

var _ pflag.Value = (*whole)(nil)

func (w *whole) String() string        { return job.Whole(*w).String() }
func (w *whole) Type() string          { return "N" }
func (w *whole) Set(text string) error { return (*job.Whole)(w).UnmarshalText([]byte(text)) }

// declare adds a flag for each field of a request with the tag flag, which is the name of
// the argument in the help. The name of the flag is that of the parameter in a URL, with
// - in place of _, and its help is the tag doc.
func declare(cmd *cobra.Command, request any) {
	flags, v := cmd.Flags(), reflect.ValueOf(request).Elem()
	for _, f := range strict.FieldsOf(v.Type()) {
		arg, tagged := f.Field.Tag.Lookup("flag")
		name := strings.ReplaceAll(cmp.Or(f.Field.Tag.Get("query"), f.Name), "_", "-")
		if !tagged || flags.Lookup(name) != nil {
			continue
		}
		help := f.Field.Tag.Get("doc")
		switch to := v.FieldByIndex(f.Field.Index).Addr().Interface().(type) {
		case *bool:
			flags.BoolVar(to, name, *to, help)
		case *string:
			flags.Var(field[string]{to, arg, func(text string) (string, error) { return text, nil }}, name, help)
		case *[]string:
			flags.Var(field[[]string]{to, arg, func(text string) ([]string, error) { return append(*to, text), nil }}, name, help+"; repeatable")
		case **job.Whole:
			flags.Var(optional(to, arg), name, help)
		default:
			panic("a field of type " + f.Type.String() + " cannot be a flag")
		}
	}
}

// field is the flag of a field of a request, which has no default.
type field[T any] struct {
	to    *T
	arg   string
	parse func(text string) (T, error)
}

// optional is the flag of a whole number that need not be there: 0 is a number.
func optional(to **job.Whole, arg string) pflag.Value {
	return field[*job.Whole]{to, arg, func(text string) (*job.Whole, error) {
		w := new(job.Whole)
		return w, w.UnmarshalText([]byte(text))
	}}
}

func (f field[T]) Type() string   { return f.arg }
func (f field[T]) String() string { return "" }

func (f field[T]) Set(text string) (err error) {
	*f.to, err = f.parse(text)
	return err
}

// distinctFlag adds --distinct to a verb's flags; does says what the verb does with it.
func distinctFlag(cmd *cobra.Command, d *job.Distinct, does string) {
	words, flags := choices(job.DistinctChoices), cmd.Flags()
	flags.Var(word{(*string)(d), words, ""}, "distinct", does+" by more than a symmetry of the board: =usual, the default, uses rotations and reflections on flat boards, rotations on solid ones; =rotations and =all (also reflections) choose")
	flags.Lookup("distinct").NoOptDefVal = string(job.DistinctUsual)
	complete(cmd, "distinct", words)
}

// word is a flag of one of some words.
type word struct {
	to    *string
	words []string
	arg   string
}

var _ pflag.Value = word{}

func (w word) Type() string { return w.arg }

func (w word) String() string {
	if w.to == nil {
		return ""
	}
	return *w.to
}

func (w word) Set(text string) error {
	if !slices.Contains(w.words, text) {
		return errors.New("want " + wording.List(w.words))
	}
	*w.to = text
	return nil
}

// numberFlags adds the two names of the flag for a number of tilings.
func numberFlags(flags *pflag.FlagSet, value pflag.Value, usage string) {
	flags.VarP(value, "number", "n", usage)
	flags.Var(value, "limit", "the same as --number, `N`")
}
