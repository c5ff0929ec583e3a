package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized" // with this, Beam needs no reflection for the types of this program
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/cmd/pavage/command"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
)

type engine struct {
	name, about string
	needs       []string
}

var engines = []engine{
	{"prism", "Beam's own engine, in this process; nothing to install", nil},
	{"universal", "any engine that accepts Beam's jobs at --endpoint, such as a separate Prism", []string{"endpoint"}},
	{"flink", "Apache Flink, through Beam's job server for it at --endpoint", []string{"endpoint"}},
	{"spark", "Apache Spark, through Beam's job server for it at --endpoint", []string{"endpoint"}},
	{"dataflow", "Google Cloud Dataflow", []string{"project", "region", "staging_location"}},
}

type runner string

func (runner) Choices() (names []string) {
	for _, e := range engines {
		names = append(names, e.name)
	}
	return names
}

// isWorker reports whether an engine has started this process as a worker. Then Beam reads the
// other arguments.
func isWorker(args []string) bool {
	return len(args) > 0 && (args[0] == "--worker" || args[0] == "--worker=true")
}

// work runs this process as a worker of Beam. It does not return.
func work() {
	flag.Parse()
	beam.Init()
}

// beamFlag sets a flag of Beam by name. Beam passes flags that were set by name to the workers.
type beamFlag struct{ *flag.Flag }

var _ pflag.Value = beamFlag{}

func (f beamFlag) String() string        { return f.Value.String() }
func (f beamFlag) Set(text string) error { return flag.Set(f.Name, text) }

func (f beamFlag) Type() string {
	if f.isBool() {
		return "bool"
	}
	return "string"
}

func (f beamFlag) isBool() bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// notOurs lists the flags of Beam that this program does not offer: flags of workers, and flags
// with which the driver would not wait for the end of the run.
var notOurs = []string{
	"worker", "id", "logging_endpoint", "control_endpoint", "semi_persist_dir", "options",
	"async", "execute_async", "dry_run", "update", "transform_name_mapping", "template_location",
}

func beamFlags(do func(*flag.Flag)) {
	flag.VisitAll(func(f *flag.Flag) {
		if !slices.Contains(notOurs, f.Name) && !strings.Contains(f.Name, ".") {
			do(f)
		}
	})
}

func takeBeamFlags(flags *pflag.FlagSet) {
	beamFlags(func(f *flag.Flag) {
		if flags.Lookup(f.Name) != nil {
			return
		}
		taken := flags.VarPF(beamFlag{f}, f.Name, "", f.Usage)
		taken.Hidden = true
		if (beamFlag{f}).isBool() {
			taken.NoOptDefVal = "true"
		}
	})
}

func (r runner) engine() engine {
	return engines[slices.Index(r.Choices(), string(r))]
}

func (r runner) check() error {
	for _, flagName := range r.engine().needs {
		if flag.Lookup(flagName).Value.String() == "" {
			return usage("--runner is %s, but --%s is missing", r, flagName)
		}
	}
	environment := *jobopts.EnvironmentType
	switch {
	case r == "prism" && *jobopts.Endpoint != "":
		return usage("--runner prism does not use --endpoint; for a Prism server that runs already, use --runner universal")
	case environment != "" && !slices.Contains(environments, strings.ToUpper(environment)):
		return usage("--environment_type is %.40q, expected %s", environment, wording.List(environments))
	}
	return nil
}

// environments lists the values of --environment_type. Beam reads any other word as DOCKER.
var environments = []string{"DOCKER", "PROCESS", "LOOPBACK", "EXTERNAL"}

const lookWait = 10 * time.Second // time limit for a connection; Beam would wait for two minutes without a message

func (r runner) lookEndpoint(ctx context.Context) error {
	if !slices.Contains(r.engine().needs, "endpoint") {
		return nil
	}
	endpoint := *jobopts.Endpoint
	if _, _, err := net.SplitHostPort(endpoint); err != nil {
		return usage("--endpoint is %.80q, expected HOST:PORT", endpoint)
	}
	within, cancel := context.WithTimeout(ctx, lookWait)
	defer cancel()
	switch c, err := new(net.Dialer).DialContext(within, "tcp", endpoint); {
	case err == nil:
		return c.Close()
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return command.Fail(job.Failure, fmt.Errorf("no server answers at %s: %w", endpoint, err))
	}
}

// startBeam calls beam.Init at most once in a process.
var startBeam = sync.OnceFunc(func() { beam.Init() })

func prepareBeam(name string, log zerolog.Logger) error {
	startBeam()
	slog.SetDefault(slog.New(quiet{zerolog.NewSlogHandler(log)})) // Init has replaced the default
	if name == "prism" || jobopts.IsLoopback() || *jobopts.WorkerBinary != "" {
		return nil
	}
	self, err := os.Executable()
	if err != nil || runtime.GOOS != "linux" {
		return command.Fail(job.BadInput, errors.New("--worker_binary is missing: workers run on Linux, expected the path of this program built for Linux with CGO_ENABLED=0 GOOS=linux go build"))
	}
	*jobopts.WorkerBinary = self
	return nil
}

// quiet logs Beam's messages at the level debug, since important events are returned as errors.
type quiet struct{ slog.Handler }

func (q quiet) Enabled(ctx context.Context, _ slog.Level) bool {
	return q.Handler.Enabled(ctx, slog.LevelDebug)
}

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelDebug
	return q.Handler.Handle(ctx, r)
}

func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }
func (q quiet) WithGroup(name string) slog.Handler       { return quiet{q.Handler.WithGroup(name)} }

func newEngines(c *command.Call) *cobra.Command {
	return c.Verb(&cobra.Command{
		Use:   "engines",
		Short: "List the engines that hand out the work, and Beam's flags for them",
		Long: `List the engines that --runner can name, and all flags of Apache Beam that
"count" accepts besides its own. Beam's own pages describe them:
https://beam.apache.org/documentation/runners/capability-matrix/`,
		Args: cobra.NoArgs,
	}, func(context.Context) error { return writeEngines(c.Out) }, nil)
}

func writeEngines(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range engines {
		fmt.Fprintf(t, "%s\t%s\n", e.name, e.about)
		if len(e.needs) > 0 {
			fmt.Fprintf(t, "\tneeds --%s\n", strings.Join(e.needs, ", --"))
		}
	}
	fmt.Fprintln(t)
	beamFlags(func(f *flag.Flag) {
		if f.Name != "runner" {
			usage, _, _ := strings.Cut(strings.TrimSpace(f.Usage), "\n")
			fmt.Fprintf(t, "--%s\t%s\n", f.Name, cmp.Or(usage, "(Beam does not describe this flag)"))
		}
	})
	return t.Flush()
}
