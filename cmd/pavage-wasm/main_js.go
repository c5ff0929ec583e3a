// Command pavage-wasm is the service for a page without a server. It is compiled to WebAssembly and
// runs in Web Workers. In the front worker it answers the requests of the page with the handler of
// server/api. In each of the other workers it does one job, as a child.
//
// The scripts in web/src/engine and this program call functions of each other in the global object:
//
//	functions of the scripts                functions of the program
//	child() bool                            serve(id, method, url, headers, body)
//	memory() bytes, threads() int           abort(id)
//	names() [[kind, key]], in the journal   taken(id, bytes)
//	read(kind, key, then), which calls then(bytes or null)
//	keep(kind, key, bytes), drop(kind, key)
//	ready(), when the program has set its functions
//	head(id, status, headers)
//	piece(id, bytes), over(id, complete)
//	startChild(out, err, end), hear, say    see package child
package main

import (
	"context"
	"embed"
	"os"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/api"
	"github.com/pavage/pavage/server/browser"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/worker"
	"github.com/pavage/pavage/web"
)

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return "pavage " + info.Main.Version
	}
	return "pavage"
}

func main() {
	if js.Global().Call("child").Bool() {
		os.Exit(child.MainOfWorker())
	}
	// The front worker may use memory/4. This includes memory/8 for the sources of samples that
	// the worker keeps, and memory/16 for files.
	memory := int64(js.Global().Call("memory").Float())
	threads := js.Global().Call("threads").Int()
	debug.SetMemoryLimit(memory / 4)
	log := zerolog.New(os.Stderr).Level(zerolog.WarnLevel)
	jobs, files := browser.Restore(journal{}, memory/16)
	w, err := worker.New(jobs, files, worker.Options{
		Limits: job.Limits{Memory: memory, Threads: threads}, Log: log, Metrics: unseen{},
		Try:  15 * time.Second, // a longer job is stopped, and begins again as a long job
		More: "save the puzzle as a file and run the program: pavage count FILE",
	})
	if err != nil {
		panic(err)
	}
	page, err := web.Read(embed.FS{}) // no files: the page comes from a static web server
	if err != nil {
		panic(err) // cannot happen with an empty file system
	}
	f := front{api: api.New(api.Options{Work: w, Jobs: jobs, Version: version(), Page: page}), log: log, open: map[int]*answer{}}
	js.Global().Set("serve", js.FuncOf(f.serve))
	js.Global().Set("abort", js.FuncOf(f.abort))
	js.Global().Set("taken", js.FuncOf(f.taken))
	js.Global().Call("ready")
	w.Work(context.Background())
}

var local = access.Caller{Name: access.Local, Role: access.Run}

type unseen struct{}

func (unseen) Known(job.Kind)          {}
func (unseen) Quick(job.Kind)          {}
func (unseen) Queued(job.Kind)         {}
func (unseen) Counted(job.Kind, int64) {}
func (unseen) Child(string)            {}
