package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/job"
)

// whole is a flag of a whole number, 0 to 2^64-1.
type whole job.Whole

var _ pflag.Value = (*whole)(nil)

func (w *whole) String() string        { return job.Whole(*w).String() }
func (w *whole) Type() string          { return "N" }
func (w *whole) Set(text string) error { return (*job.Whole)(w).UnmarshalText([]byte(text)) }

// optional is a flag of a whole number that need not be there: 0 is a number, not
// the default.
type optional struct{ to **job.Whole }

var _ pflag.Value = optional{}

func (o optional) Type() string { return "N" }

func (o optional) String() string {
	if o.to == nil || *o.to == nil {
		return ""
	}
	return (*o.to).String()
}

func (o optional) Set(text string) error {
	var w job.Whole
	err := w.UnmarshalText([]byte(text))
	*o.to = &w
	return err
}

// distinct is the flag --distinct: up to which symmetries of the board tilings
// are the same. Alone it is the usual ones.
type distinct job.Distinct

var _ pflag.Value = (*distinct)(nil)

// distinctAlone is what help shows as the flag's value.
const distinctAlone = "rotations|all"

func (d *distinct) String() string { return string(*d) }
func (d *distinct) Type() string   { return "" } // help needs no word for the value

func (d *distinct) Set(text string) error {
	switch {
	case text == distinctAlone:
		*d = distinct(job.DistinctUsual)
	case isGroup(text):
		*d = distinct(text)
	default:
		return errors.New("want rotations, all, or nothing")
	}
	return nil
}

// isGroup reports whether the flag may have that value.
func isGroup(text string) bool {
	return text == string(job.DistinctRotations) || text == string(job.DistinctAll)
}

// distinctFlag adds --distinct to a verb's flags; does says what the verb does with it.
func distinctFlag(cmd *cobra.Command, d *job.Distinct, does string) {
	flags := cmd.Flags()
	flags.Var((*distinct)(d), "distinct", does+" by more than a symmetry of the board: =rotations uses rotations, =all also reflections; alone it means all on flat boards, rotations on solid ones")
	flags.Lookup("distinct").NoOptDefVal = distinctAlone
	complete(cmd, "distinct", []string{string(job.DistinctRotations), string(job.DistinctAll)})
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
		return errors.New("want " + oneOf(w.words))
	}
	*w.to = text
	return nil
}

// oneOf are words as a sentence has them.
func oneOf(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// numberFlags adds the two names of the flag for a number of tilings.
func numberFlags(flags *pflag.FlagSet, value pflag.Value, usage string) {
	flags.VarP(value, "number", "n", usage)
	flags.Var(value, "limit", "the same as --number, `N`")
}
