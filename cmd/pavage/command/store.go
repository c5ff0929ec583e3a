package command

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/server"
	"github.com/pavage/pavage/server/store"
)

type storeVerb struct {
	*Call
	jsonFlag
}

func newStore(c *Call) *cobra.Command {
	v := &storeVerb{Call: c}
	cmd := &cobra.Command{
		Use:   "store",
		Short: "Check the files that a service stores",
		Long: `Check the files in the folder store of a service: answers, outputs of jobs,
diagrams.`,
		Example: `  pavage store check --data /var/lib/pavage`,
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage("no command given, expected pavage store check")
		},
	}
	cmd.AddCommand(c.Verb(&cobra.Command{
		Use:   "check",
		Short: "Read all files of a store and compare their checksums",
		Long: `Read all files of a store and compare their checksums. The output is the damaged
files, and the number and size of all files. Nothing is changed, and the service
may run meanwhile. The exit code is 1 if a file is damaged.

A damaged file stays in its place until its answer is made again, and is then
moved to the folder "damaged" of the store. Files there are counted as "moved
aside"; you may delete them.`,
		Example: `  pavage store check
  pavage store check --data /var/lib/pavage --json`,
		Args: cobra.NoArgs,
	}, v.check, []string{"data"}, v))
	return cmd
}

type storeReport struct {
	Folder  string                    `json:"folder"`
	Sound   map[store.Kind]*storeSize `json:"sound"`   // sizes of the undamaged files, indexed by kind
	Damaged []storeFile               `json:"damaged"` // damaged files that were not moved aside
	Aside   storeSize                 `json:"aside"`
	Unended storeSize                 `json:"unended"`
	Foreign []storeFile               `json:"foreign"` // files that do not belong to a store
}

type storeSize struct {
	Files int64 `json:"files"`
	Bytes int64 `json:"bytes"`
}

func (s *storeSize) add(f store.Finding) {
	s.Files++
	s.Bytes += f.Bytes
}

func (s *storeSize) String() string {
	return fmt.Sprintf("%s, %s", human.Count(human.Grouped(s.Files), "file"), human.Bytes(float64(s.Bytes)))
}

type storeFile struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	Error string `json:"error,omitempty"`
}

func (v *storeVerb) check(ctx context.Context) error {
	r := &storeReport{Sound: map[store.Kind]*storeSize{}, Damaged: []storeFile{}, Foreign: []storeFile{}}
	for _, k := range store.Kinds() {
		r.Sound[k] = &storeSize{}
	}
	var err error
	if r.Folder, err = server.CheckStore(ctx, v.Config.Data, r.add); err != nil {
		return err
	}
	if v.AsJSON {
		err = v.JSON(r)
	} else {
		for _, f := range r.Damaged {
			fmt.Fprintln(v.Out, f.Error)
		}
		for _, f := range r.Foreign {
			fmt.Fprintf(v.Out, "%s: not a file of a store\n", f.Path)
		}
		t := tabwriter.NewWriter(v.Out, 0, 0, 2, ' ', 0)
		for _, k := range store.Kinds() {
			if s := r.Sound[k]; s.Files > 0 {
				fmt.Fprintf(t, "%s\t%s\n", k, s)
			}
		}
		if r.Aside.Files > 0 {
			fmt.Fprintf(t, "moved aside\t%s\n", &r.Aside)
		}
		if r.Unended.Files > 0 {
			fmt.Fprintf(t, "unfinished\t%s\n", &r.Unended)
		}
		fmt.Fprintf(t, "damaged\t%s\n", human.Count(human.Grouped(int64(len(r.Damaged))), "file"))
		err = t.Flush()
	}
	if n := len(r.Damaged); err == nil && n > 0 {
		err = fail(codeFailed, fmt.Errorf("%s has damaged files; a damaged answer is made again when a caller asks for it", r.Folder))
	}
	return err
}

func (r *storeReport) add(f store.Finding) {
	file := storeFile{Path: f.Path, Bytes: f.Bytes}
	switch f.State {
	case store.Sound:
		r.Sound[f.Kind].add(f)
	case store.Damaged:
		file.Error = human.OneLine(f.Err.Error())
		r.Damaged = append(r.Damaged, file)
	case store.Aside:
		r.Aside.add(f)
	case store.Leftover:
		r.Unended.add(f)
	case store.Foreign:
		r.Foreign = append(r.Foreign, file)
	}
}
