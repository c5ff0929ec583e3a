package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server"
)

// serviceVerb is the verb serve or the verb work. Its process runs until a signal ends it.
type serviceVerb struct {
	*Call
	run         func(context.Context, server.Config, zerolog.Logger) error
	keys        []string
	PrintConfig bool `flag:"" doc:"write the settings with their sources, in the form of a file for --config, and end"`
}

var serviceKeys = []string{
	"checkpoint.every", "data", "database", "disk", "drain", "health", "log.format", "log.level", "memory", "pprof", "quota", "retention", "threads",
}

const logWords = `The log goes to standard error: one JSON object a line, or text if
standard error is a terminal.

Temporary files are in --disk, or else in the folder tmp of the data folder.
Name a disk of this machine if the data folder is on the network. To keep the
password of the database out of the command line and the environment, write the
URL to a file, and name that file in PAVAGE_DATABASE_FILE.`

func (v *serviceVerb) fill(cmd *cobra.Command, keys ...string) *cobra.Command {
	v.keys = append(keys, serviceKeys...)
	config.Flags(cmd.Flags(), true, v.keys...)
	declare(cmd, v)
	offer(cmd, cmd.Flags())
	cmd.Args = cobra.NoArgs
	cmd.RunE = v.start
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	return cmd
}

// start does not set job.Limits, because the service limits the time and the memory of each job.
func (v *serviceVerb) start(cmd *cobra.Command, args []string) error {
	format := "json"
	if wanted("auto", v.Err) {
		format = "text"
	}
	c, values, err := config.Read(cmd.Flags(), map[string]string{"log.format": format})
	if err != nil {
		return fail(codeUsage, err)
	}
	if v.PrintConfig {
		values = slices.DeleteFunc(values, func(of config.Value) bool { return !slices.Contains(v.keys, of.Key) })
		at := slices.IndexFunc(values, func(of config.Value) bool { return of.Key == "data" })
		if folder, err := server.DataFolder(""); values[at].Text == "" && err == nil {
			values[at].From += ": " + folder // the folder that the service would use
		}
		_, err := io.WriteString(v.Out, config.YAML(values))
		return v.coded(err)
	}
	v.Config = c
	v.begin(cmd, args)
	if c.Disk == job.NoDisk {
		at := slices.IndexFunc(values, func(of config.Value) bool { return of.Key == "disk" })
		return usage("%s is %q, expected a folder: jobs that do not fit in memory need a folder", values[at].From, c.Disk)
	}
	err = v.run(cmd.Context(), server.Config{
		Origins: strings.FieldsFunc(c.Cors, func(r rune) bool { return r == ',' || r == ' ' }),
		Listen:  c.Listen, Data: c.Data, Database: c.Database, Temp: c.Disk, Tokens: c.Tokens, PerMinute: c.Rate,
		Memory: int64(c.Memory), Threads: c.Threads, Quota: int64(c.Quota),
		Retention: c.Retention, Checkpoint: c.Checkpoint.Every, Drain: c.Drain,
		Health: c.Health, Pprof: c.Pprof, Version: version(v.name), Ready: v.ready,
	}, v.Log)
	if errors.Is(err, server.ErrSetting) {
		return fail(codeUsage, err)
	}
	return v.coded(err)
}

func (v *serviceVerb) ready(at server.At) {
	if at.Address == nil {
		fmt.Fprintf(v.Err, "pavage is ready for jobs. Data: %s\n", at.Data)
		return
	}
	who := "No tokens, so only this machine can reach the service."
	if at.Tokens {
		who = "Callers need tokens."
	}
	url := ownURL(at.Address.String())
	fmt.Fprintf(v.Err, "pavage serves at %s, open it in a browser; help for programs is at %s/docs. Data: %s. %s\n", url, url, at.Data, who)
}
