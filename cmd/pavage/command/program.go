package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
)

// Program is a program with verbs, such as pavage. It also has the verbs version and help.
type Program struct {
	Name                 string                                // name of the executable file
	Short, Long, Example string                                // texts of its help
	Verbs                map[string]func(*Call) *cobra.Command // verbs by name
	Groups               []Group                               // groups of verbs in the help
	Topics               []Topic
}

// Group is a group of verbs in the help of a program.
type Group struct {
	Title string
	Verbs []string
}

// Watch returns a watch that reports progress and remarks on standard error. If quiet is true, it
// omits remarks. The caller must call done before it writes the answer.
func (c *Call) Watch(doing string, quiet bool) (watch job.Watch, done func()) {
	w := c.watch(doing, quiet)
	return w.Watch, w.tell
}

// JSON writes x on one line.
func (c *Call) JSON(x any) error {
	e := json.NewEncoder(c.Out)
	e.SetEscapeHTML(false)
	return e.Encode(x)
}

// Fail returns err with the exit code of the given kind, whatever errors err wraps.
func Fail(kind job.ErrorKind, err error) error { return fail(codes[kind], err) }

// Main runs a verb and returns the exit code. It returns 130 soon after SIGINT or SIGTERM.
func (p *Program) Main(args []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := p.root(&Call{Streams: streams, Log: zerolog.Nop()}, p.needed(args)...)
	root.SetArgs(args)
	err := longFlag(root, args)
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	if err == nil {
		return codeDone
	}
	var word, of string
	if n, _ := fmt.Sscanf(err.Error(), "unknown command %q for %q", &word, &of); n == 2 {
		cmd, _, _ := root.Find(strings.Fields(of)[1:])
		err = p.unknown(cmd, "command", word)
	}
	fmt.Fprintln(streams.Err, p.Name+": "+human.OneLine(err.Error()))
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	return codeUsage // the error is from cobra, and no verb has run
}

func (p *Program) needed(args []string) []string {
	if len(args) > 0 && p.Verbs[args[0]] != nil {
		return args[:1]
	}
	return slices.Sorted(maps.Keys(p.Verbs))
}

func (p *Program) root(c *Call, verbs ...string) *cobra.Command {
	c.name, c.topics = p.Name, p.Topics
	root := &cobra.Command{
		Use: p.Name, Short: p.Short, Long: p.Long, Example: p.Example,
		Version:       version(p.Name), // adds the flag --version
		SilenceErrors: true,
		SilenceUsage:  true,

		DisableSuggestions: true, // p.unknown makes the errors, with suggestions
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(wrongFlag)
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		c.writeHelp(cmd, slices.Contains(args, "-h") || cmd == root && len(args) == 0)
	})
	for _, g := range p.Groups {
		root.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title})
	}
	config.FileFlag(root.PersistentFlags())
	config.Flags(root.PersistentFlags(), false, "color", "progress", "log.level", "log.format")
	offer(root, root.PersistentFlags())
	root.AddCommand(newVersion(c))
	for _, name := range verbs {
		root.AddCommand(p.Verbs[name](c))
	}
	for _, g := range p.Groups {
		for _, cmd := range root.Commands() {
			if slices.Contains(g.Verbs, cmd.Name()) {
				cmd.GroupID = g.Title
			}
		}
	}
	root.SetHelpCommand(p.help(c, root))
	root.InitDefaultCompletionCmd()
	shells, _, _ := root.Find([]string{"completion"})
	shells.RunE = func(*cobra.Command, []string) error {
		return usage("no shell given, expected %s completion SHELL, such as bash", p.Name)
	}
	return root
}

func (p *Program) help(c *Call, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND|TOPIC]",
		Short: "Describe a command or a topic",

		DisableFlagsInUseLine: true,

		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (words []cobra.Completion, _ cobra.ShellCompDirective) {
			of, _, err := root.Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			for _, below := range available(of) {
				words = append(words, cobra.CompletionWithDesc(below.Name(), below.Short))
			}
			for _, t := range p.Topics {
				if of == root {
					words = append(words, cobra.CompletionWithDesc(t.Name, t.title()))
				}
			}
			return words, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			of, rest, err := root.Find(args)
			i := slices.IndexFunc(p.Topics, func(t Topic) bool { return len(args) > 0 && t.Name == args[0] })
			if i >= 0 {
				rest = args[1:]
			}
			switch {
			case len(rest) > 0 && (i >= 0 || !of.HasAvailableSubCommands()):
				described := strings.Join(args[:len(args)-len(rest)], " ")
				return usage("argument %.40q given, expected no argument after %s help %s", rest[0], p.Name, described)
			case i >= 0:
				return c.coded(c.writeTopic(p.Topics[i]))
			case of == root && len(rest) > 0 && len(p.Topics) > 0:
				return p.unknown(of, "command or topic", rest[0])
			case err != nil || len(rest) > 0:
				return p.unknown(of, "command", rest[0])
			}
			c.writeHelp(of, of == root)
			return nil
		},
	}
}

func (p *Program) unknown(cmd *cobra.Command, expected, word string) error {
	if !cmd.HasAvailableSubCommands() {
		return usage("argument %.40q given, expected no argument after %s", word, cmd.CommandPath())
	}
	var commands, topics []string
	for _, below := range available(cmd) {
		commands = append(commands, below.Name())
	}
	for _, t := range p.Topics {
		topics = append(topics, t.Name)
	}
	err := usage("unknown %s %.40q", expected, word)
	if near := spell.Nearest(word, commands); near != "" {
		return fmt.Errorf("%w, did you mean %s %s?", err, cmd.CommandPath(), near)
	}
	if near := spell.Nearest(word, topics); near != "" && !cmd.HasParent() {
		return fmt.Errorf("%w, did you mean %s help %s?", err, p.Name, near)
	}
	if !cmd.HasParent() {
		return fmt.Errorf("%w; %s help lists all commands", err, p.Name)
	}
	return fmt.Errorf("%w, expected %s", err, wording.List(commands))
}

// longFlag rejects the name of a flag after one dash. (-output would mean -o with the value utput.)
func longFlag(root *cobra.Command, args []string) error {
	cmd, rest, err := root.Find(args)
	if err != nil || cmd.DisableFlagParsing {
		return nil //nolint:nilerr // the error of an unknown command is reported later
	}
	cmd.InitDefaultHelpFlag()
	for _, arg := range rest {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		switch {
		case arg == "--":
			return nil
		case len(name) > 1 && strings.HasPrefix(arg, "-") && cmd.Flag(name) != nil:
			return usage("unknown flag -%s, did you mean --%s?", name, name)
		}
	}
	return nil
}

// wrongFlag rewrites an error of pflag in the style of the errors of this package.
func wrongFlag(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	if errors.As(err, &invalid) {
		is, wrong := "empty", invalid.Unwrap()
		if invalid.GetValue() != "" {
			is = fmt.Sprintf("%.40q", invalid.GetValue())
		}
		if errors.As(wrong, &number) {
			kinds := map[string]string{"ParseBool": "true or false", "ParseFloat": "a number"}
			wrong = errors.New("expected " + cmp.Or(kinds[number.Func], "a whole number"))
		}
		if strings.HasPrefix(wrong.Error(), "expected ") {
			return fmt.Errorf("--%s is %s, %w", invalid.GetFlag().Name, is, wrong)
		}
	}
	var without *pflag.ValueRequiredError
	if errors.As(err, &without) {
		f := without.GetFlag()
		return usage("--%s needs a value: --%s %s", f.Name, f.Name, f.Value.Type())
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	name, _, _ := strings.Cut(cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()), "=")
	dashes := "--"
	if unknown.GetSpecifiedShortnames() != "" {
		dashes = "-"
	}
	if near := spell.Nearest(name, names); near != "" && len(name) > 1 {
		return usage("unknown flag %s%.40s, did you mean --%s?", dashes, name, near)
	}
	return usage("unknown flag %s%.40s; %s --help lists all flags", dashes, name, cmd.CommandPath())
}
