package command

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/internal/kit/wording"
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
