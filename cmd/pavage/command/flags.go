package command

import (
	"cmp"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/tiling"
)

// words has lists of the allowed values of flags. If a field has the tag choices, the value of
// this tag is a key of the map.
var words = map[string][]string{
	"formats":  job.Formats(),
	"lattices": tiling.LatticeNames(),
	"motions":  tiling.MotionNames(),
	"roles":    access.Roles(),
	"wraps":    tiling.WrapNames(),
}

// declare adds a flag for each field of a group, if the field has the tag flag. The value of this
// tag is the name of the flag's argument in the help. A group is a request, or a struct that
// several verbs use. A field may have other tags:
//
//	name, query, json  the flag's name; by default the field's name: AtLeast is --at-least
//	short              the letter of the flag
//	help, doc          the help; {words} stands for the allowed words
//	words, choices     the allowed words, or their key in the map words
//	alone              the value of the flag if no value is given
//	list               whether several values may have commas between them
//
// If a group has the method Flags, this method adds more flags.
func declare(cmd *cobra.Command, group any) {
	v := reflect.ValueOf(group).Elem()
	for _, f := range strict.FieldsOf(v.Type()) {
		arg, tagged := f.Field.Tag.Lookup("flag")
		name := fieldFlag(f)
		if !tagged || cmd.Flags().Lookup(name) != nil {
			continue
		}
		tag := f.Field.Tag.Get
		choices := append(f.Words(), words[tag("choices")]...)
		help := strings.ReplaceAll(cmp.Or(tag("help"), tag("doc")), "{words}", wording.List(choices))
		help = byDefault.ReplaceAllString(help, " (default $1)")
		if alone := tag("alone"); alone != "" {
			help += "; alone it means " + alone
		}
		of := pflag.NewFlagSet("", pflag.ContinueOnError)
		to := v.FieldByIndex(f.Field.Index).Addr()
		if f.Type.Kind() == reflect.String {
			to = to.Convert(reflect.TypeFor[*string]())
		}
		switch to := to.Interface().(type) {
		case *bool:
			of.BoolVar(to, name, *to, help)
		case *string:
			of.StringVar(to, name, *to, help)
		case **string:
			of.Func(name, help, func(text string) error { *to = &text; return nil })
		case *int:
			of.IntVar(to, name, *to, help)
		case *float64:
			of.Float64Var(to, name, *to, help)
		case *map[string]string:
			of.StringToStringVar(to, name, nil, help)
		case *[]string:
			if tag("list") != "" {
				of.StringSliceVar(to, name, nil, help+"; separate several by commas")
			} else {
				of.StringArrayVar(to, name, nil, help+"; repeatable")
			}
		case *job.Whole:
			of.TextVar(to, name, *to, help)
		case **job.Whole:
			// TextVar would set a default. Without the flag, *to must stay nil.
			of.Func(name, help, func(text string) error { *to = new(job.Whole); return (*to).UnmarshalText([]byte(text)) })
		default:
			panic("a field of type " + f.Type.String() + " cannot be a flag")
		}
		flag := of.Lookup(name)
		flag.Shorthand, flag.NoOptDefVal = tag("short"), cmp.Or(tag("alone"), flag.NoOptDefVal)
		if f.Type.Kind() != reflect.Bool {
			flag.Value = value{flag.Value, arg, choices}
		}
		if flag.DefValue == "[]" {
			flag.DefValue = ""
		}
		owner := v.Type()
		if path := f.Field.Index; len(path) > 1 {
			owner = owner.FieldByIndex(path[:len(path)-1]).Type
		}
		flag.Annotations = map[string][]string{groupKey: {cmp.Or(groupOf[owner.Name()], ownFlags)}}
		cmd.Flags().AddFlag(flag)
	}
	if more, ok := group.(interface{ Flags(cmd *cobra.Command) }); ok {
		more.Flags(cmd)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Annotations == nil {
				f.Annotations = map[string][]string{groupKey: {outputFlags}}
			}
		})
	}
}

var byDefault = regexp.MustCompile(`; (\w+) by default$`)

var camel = regexp.MustCompile("([a-z])([A-Z])")

func fieldFlag(f strict.Field) string {
	name := cmp.Or(f.Field.Tag.Get("name"), strings.TrimPrefix(f.Field.Tag.Get("query"), "-"), f.Name)
	return strings.ToLower(strings.ReplaceAll(camel.ReplaceAllString(name, "$1-$2"), "_", "-"))
}

type value struct {
	pflag.Value
	arg     string
	choices []string // nil means any string
}

func (v value) Type() string      { return v.arg }
func (v value) Choices() []string { return v.choices }

func (v value) Set(text string) error {
	text = spell.Current(text, v.choices)
	switch { // see wrongFlag for the errors
	case len(v.choices) > 0 && !slices.Contains(v.choices, text):
		return errors.New("expected " + spell.OneOf(text, v.choices))
	case v.arg == "FILE" && text == "":
		return errors.New("expected a file")
	}
	err := v.Value.Set(text)
	if err != nil && v.arg == "NAME=VALUE" {
		return errors.New("expected NAME=VALUE such as day=6")
	}
	return err
}

// offer adds completions of the allowed words. If the help of a flag has a word in back quotes, the
// word becomes the flag's type, and the quotes are removed.
func offer(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if arg, help := pflag.UnquoteUsage(f); help != f.Usage {
			f.Value, f.Usage = value{f.Value, arg, nil}, help
		}
		if of, ok := f.Value.(interface{ Choices() []string }); ok && len(of.Choices()) > 0 {
			complete(cmd, f.Name, cobra.FixedCompletions(of.Choices(), cobra.ShellCompDirectiveNoFileComp))
		}
	})
}

// renew makes flags accept their former names.
func renew(flags *pflag.FlagSet) {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(spell.Current(name, names))
	})
}
