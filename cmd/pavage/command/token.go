package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/server/access"
)

type newTokens struct {
	*Call
	Role  string   `flag:"ROLE" choices:"roles" doc:"role of the caller: {words}"`
	Limit []string `flag:"LIMIT" doc:"limit the requests and the jobs of the caller: rate=60 (requests a minute), jobs=4 (jobs that wait or run), or for each job memory=2GiB, threads=2 or time=1h"`
	Again bool     `flag:"" doc:"make one more token for a name that has a token already"`
}

type tokens struct {
	*Call
	AsJSON bool `flag:"" name:"json" doc:"write one JSON object for each token"`
}

func newToken(c *Call) *cobra.Command {
	add, list := &newTokens{Call: c, Role: access.Run.String()}, &tokens{Call: c}
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Make and list the tokens of a service",
		Long: `Make and list the tokens of a service. A token is a secret that a caller sends
with each request, in the header "Authorization: Bearer TOKEN". The file of
tokens has only the SHA-256 of each token, with the name of the caller, a role
and limits. To withdraw a token, delete its line: the service reads the file
again within a second.`,
		Example: `  pavage token new alice --tokens /etc/pavage/tokens
  pavage token list --tokens /etc/pavage/tokens`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage("no command given, expected pavage token new NAME or pavage token list")
		},
	}
	// These verbs require the flag --tokens, so its help is not the same as for the verb serve.
	makes := c.Verb(&cobra.Command{
		Use:   "new NAME",
		Short: "Make a token",
		Long: `Make a token for the caller NAME, write it to standard output, and add its
SHA-256 to the file of tokens. The token is shown only now and stored nowhere.

Roles:
  read   see the jobs of the same name and their answers, the examples, and how
         the service understands a puzzle, but no other counts, even stored ones
  run    also count, sample and start jobs, and cancel jobs of the same name
  admin  also see and cancel the jobs of others, and see /metrics

Jobs belong to the name: a second token of the same name, with --again, sees the
same jobs. To replace a token, make a second one, use it, then delete the line
of the first.`,
		Example: `  pavage token new alice --tokens /etc/pavage/tokens
  pavage token new alice --again --role read --tokens tokens
  pavage token new carol --limit rate=600 --limit memory=2GiB --tokens tokens`,
	}, add.run, []string{"tokens"}, add)
	makes.Flags().Lookup("tokens").Usage = "add to this file of tokens, which is made if it is not there"
	lists := c.Verb(&cobra.Command{
		Use:   "list",
		Short: "List the tokens",
		Long: `List the tokens of the file: the line, the name of the caller, the role, the
first digits of the SHA-256, the remark of the line (the day, if "pavage token
new" has written it) and the limits. The tokens themselves are stored nowhere.`,
		Example: `  pavage token list --tokens /etc/pavage/tokens`,
		Args:    cobra.NoArgs,
	}, list.run, []string{"tokens"}, list)
	lists.Flags().Lookup("tokens").Usage = "list the tokens in FILE"
	cmd.AddCommand(makes, lists)
	return cmd
}

func (c *Call) tokenFile() (string, error) {
	if c.Config.Tokens == "" {
		return "", usage("no file of tokens given, expected --tokens FILE or PAVAGE_TOKENS")
	}
	return c.Config.Tokens, nil
}

func (v *newTokens) run(context.Context) error {
	switch n := len(v.Args); {
	case n == 0:
		return usage("no name given, expected pavage token new NAME")
	case n > 1:
		return usage("%d names given, expected one name", n)
	}
	file, err := v.tokenFile()
	if err != nil {
		return err
	}
	c := access.Caller{Name: v.Args[0]}
	if err := access.CheckName(c.Name); err != nil {
		return usage("%w", err)
	}
	if c.Role, err = access.ParseRole(v.Role); err != nil {
		return usage("--%w", err)
	}
	if c.Limits, err = access.ParseLimits(v.Limit); err != nil {
		return usage("--%w", err)
	}
	tokens, err := access.Tokens(file) // AddToken reports an error in the file
	i := slices.IndexFunc(tokens, func(of access.Token) bool { return of.Name == c.Name })
	if !v.Again && err == nil && i >= 0 {
		return usage("%s has a token already, in line %d of %s: use another name, or --again for one more token of this name", c.Name, tokens[i].Line, file)
	}
	token, err := access.AddToken(file, c)
	if err != nil {
		return err
	}
	fmt.Fprintf(v.Err, "the token of %s is added to %s; the token is shown only now:\n", c.Name, file)
	_, err = fmt.Fprintln(v.Out, token)
	return err
}

type tokenLine struct {
	Line   int    `json:"line"`
	Name   string `json:"name"`
	Role   string `json:"role"`
	Hash   string `json:"hash"` // first digits of the hash
	Remark string `json:"remark"`
	Limits string `json:"limits"`
}

func (v *tokens) run(context.Context) error {
	file, err := v.tokenFile()
	if err != nil {
		return err
	}
	tokens, err := access.Tokens(file)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(v.Out, 0, 0, 2, ' ', 0)
	if !v.AsJSON {
		fmt.Fprintln(t, "LINE\tNAME\tROLE\tHASH\tREMARK\tLIMITS")
	}
	for _, of := range tokens {
		line := tokenLine{of.Line, of.Name, of.Role.String(), fmt.Sprintf("%x", of.Hash[:4]), human.OneLine(of.Remark), of.Limits.Words()}
		if v.AsJSON {
			err = errors.Join(err, v.JSON(line))
			continue
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\n", line.Line, line.Name, line.Role, line.Hash, line.Remark, line.Limits)
	}
	return errors.Join(err, t.Flush())
}
