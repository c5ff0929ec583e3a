package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/access"
)

// add adds an operation to the service and to its document. Each field of type I is a parameter.
func add[I any](s *service, method, path string, d doc, do func(context.Context, *I) (http.HandlerFunc, error)) {
	known := parameters{what: "query parameter", more: d.options}
	op := d.operation(s.document.Components.Schemas, method, path, strict.FieldsOf(reflect.TypeFor[I]()), &known)
	s.document.AddOperation(op)
	s.order = append(s.order, op)
	s.mux.HandleFunc(method+" "+path, func(w http.ResponseWriter, r *http.Request) {
		ctx, in := r.Context(), new(I)
		var err error
		if p := access.From(ctx).Need(d.role); p != nil {
			err = p
		} else if err = known.check(sentOf(ctx).query); err == nil {
			err = readOwn(r, in)
		}
		var answer http.HandlerFunc
		if err == nil {
			answer, err = do(ctx, in)
		}
		if err != nil {
			access.WriteProblem(w, explain(ctx, err))
			return
		}
		answer(w, r)
	})
}

const (
	countsTag  = "Counts"
	samplesTag = "Tilings"
	puzzlesTag = "Puzzles"
	jobsTag    = "Jobs"
	aboutTag   = "About"
)

func (s *service) routes() {
	s.quickRoutes()
	s.puzzleRoutes()
	s.jobRoutes()
	add(s, http.MethodGet, "/v1/examples", doc{
		id: "list-examples", tag: aboutTag, summary: "Bundled puzzles",
		curl: `curl "http://localhost:8080/v1/examples?word=pentominoes"`,
		text: "Lists the puzzles that come with the program. A name goes into a puzzle as name:NAME.",
		good: []answer{{200, jsonType, job.Bundled{}, exampleBundled, ""}},
	}, s.listExamples)
	add(s, http.MethodGet, "/v1/examples/{name}", doc{
		id: "get-example", tag: aboutTag, summary: "The file of a bundled puzzle",
		curl: `curl http://localhost:8080/v1/examples/soma`,
		text: "Gives the puzzle file of an example, in YAML: a start for a puzzle of your own.",
		good: []answer{{200, yamlTypes[0], "", examplePuzzleFile, ""}},
	}, s.getExample)
	add(s, http.MethodGet, "/v1/version", doc{
		id: "get-version", tag: aboutTag, summary: "Version of the program",
		curl: `curl http://localhost:8080/v1/version`,
		text: "Says which version of Pavage serves.",
		good: []answer{{200, jsonType, client.Version{}, `{"version":"v1.0.0","api":"v1"}`, ""}},
	}, s.getVersion)
	describeBodies(s.document.Components.Schemas)
}

func (s *service) quickRoutes() {
	add(s, http.MethodGet, "/v1/count", doc{
		id: "count", role: access.Run, puzzle: true, tag: countsTag, summary: "Count tilings",
		curl: `curl "http://localhost:8080/v1/count?board=8x8&piece=domino=any"`,
		asks: &job.Count{},
		text: "Counts the tilings of a puzzle. The answer comes at once if it is known or takes less than two seconds. " +
			"If it takes longer, a job counts, and the answer is 303 with the job at Location: curl goes there with -L. " +
			"A count never changes, so the answer may be kept: it has an ETag.",
		good: []answer{
			{200, jsonType, job.Counted{}, exampleCounted, "The count."},
			{200, textType, "", "12988816\n", ""},
			{303, jsonType, client.JobLink{}, exampleLink, "The count takes longer: the job is at Location."},
			{304, "", nil, "", "The answer is still the one whose ETag you sent."},
		},
	}, s.getCount)
	const later = "If the source of the tilings (a diagram, or the levels of a sweep) is not ready after two seconds, a job draws them, and the answer is 303 with the job at Location: " +
		"its output has the tilings, and the same request (of samples: with a seed) finds them when the job is done."
	job303 := answer{303, jsonType, client.JobLink{}, exampleLink, "A job draws the tilings, which are then its output."}
	drawn := "Draws tilings of a puzzle, each with the same chance. They are lines of JSON, sent as they are drawn; with Accept: image/svg+xml or image/png they are " +
		"one picture, at most 100 of them. The header Pavage-Count is the number of tilings from which it draws, Pavage-Method the method. " +
		"A source of tilings that is not large is kept, so that the next draw of the same puzzle is quick. If something goes wrong in the middle, the connection is cut: an answer that ends without an error has all its tilings. " + later
	lines := slices.Concat([]answer{
		{200, linesType, render.TilingJSON{}, exampleTiling, "One tiling a line."},
		{200, textType, "", exampleText, ""},
		job303,
	}, pictures)
	add(s, http.MethodGet, "/v1/samples", doc{
		id: "draw", role: access.Run, puzzle: true, tag: samplesTag, summary: "Draw tilings", text: drawn,
		curl: `curl "http://localhost:8080/v1/samples?puzzle=name:soma&n=10&seed=7"`,
		asks: &job.Sample{},
		good: lines,
	}, s.samples)
	add(s, http.MethodPost, "/v1/samples", doc{
		id: "draw-post", role: access.Run, tag: samplesTag, summary: "Draw tilings of a puzzle that you send", text: drawn,
		curl: `curl http://localhost:8080/v1/samples --json '{"puzzle":"name:soma","number":"10","seed":"7"}'`,
		asks: &job.Sample{}, body: ref("SampleRequest"), example: `{"puzzle":"name:soma","number":"10","seed":"7"}`, puzzleText: true,
		good: lines,
	}, s.samples)
	ranked := "Gives the tiling with a rank: its place among all tilings, from 0, or first, or last. With conditions it is the place among the tilings that keep them. " +
		"The order is always the same. The header Pavage-Count is the number of tilings. " + later
	one := []answer{
		{200, jsonType, render.TilingJSON{}, exampleTiling, "The tiling."},
		{200, textType, "", exampleText, ""},
		job303,
	}
	for _, kind := range drawings {
		one = append(one, answer{200, kind, "", "…", ""})
	}
	add(s, http.MethodGet, "/v1/tilings", doc{
		id: "get-tiling", role: access.Run, puzzle: true, tag: samplesTag, summary: "One tiling by its number", text: ranked,
		curl: `curl "http://localhost:8080/v1/tilings?board=2x3&piece=domino=any&rank=1&format=text"`,
		asks: &client.TilingRequest{},
		good: one,
	}, s.tiling)
	add(s, http.MethodPost, "/v1/tilings", doc{
		id: "get-tiling-post", role: access.Run, tag: samplesTag, summary: "One tiling of a puzzle that you send, by its number", text: ranked,
		curl: `curl http://localhost:8080/v1/tilings --json '{"puzzle":"name:soma","rank":"last"}'`,
		asks: &client.TilingRequest{}, body: client.TilingRequest{}, example: `{"puzzle":"name:soma","rank":"last","with":["soma-T@0,0,0"]}`, puzzleText: true,
		good: one,
	}, s.tiling)
}

var pictures = []answer{
	{200, pictureType, "", "<svg xmlns=\"http://www.w3.org/2000/svg\">…</svg>", ""},
	{200, pixelsType, "", "\x89PNG…", ""},
}

func (s *service) puzzleRoutes() {
	add(s, http.MethodPost, "/v1/clues", doc{
		id: "clues", role: access.Run, tag: puzzlesTag, summary: "Puzzles with exactly one tiling",
		curl: `curl http://localhost:8080/v1/clues --json '{"puzzle":{"board":"6x6","pieces":["domino=any"]},"kinds":["wall"],"number":"3"}'`,
		text: "Draws tilings of a puzzle, each with the same chance, and chooses clues that leave each of them as the only tiling: " +
			"given placements, pieces of cells, walls, joined cells, or sums of marks. Each puzzle of the answer has its file, its clues, its solution, the steps to the solution, and a grade. " +
			"If the puzzles are not ready after two seconds, a job makes them.",
		asks: &job.Clues{}, body: ref("CluesRequest"), example: `{"puzzle":{"board":"2x3","pieces":["domino=any"]},"kinds":["wall"],"number":"1","seed":"2"}`, puzzleText: true,
		good: []answer{
			{200, jsonType, job.Clued{}, exampleClued, "The puzzles."},
			{303, jsonType, client.JobLink{}, exampleLink, "A job makes the puzzles; they are the answer of the job."},
		},
	}, s.clues)
	add(s, http.MethodGet, "/v1/puzzle", doc{
		id: "show", puzzle: true, tag: puzzlesTag, summary: "How a puzzle is understood",
		curl: `curl "http://localhost:8080/v1/puzzle?puzzle=name:soma"`,
		text: "Lists the cells of the board, the pieces with their orientations and placements, and reasons of area or colour why there can be no tiling. " +
			"As image/svg+xml or image/png it is a picture of the board and the pieces.",
		good: slices.Concat([]answer{{200, jsonType, job.Shown{}, exampleShown, "The puzzle."}}, pictures, []answer{
			{303, jsonType, client.JobLink{}, exampleLink, "Placing the pieces takes long: the job is at Location."},
		}),
	}, s.getPuzzle)
	add(s, http.MethodPost, "/v1/puzzles:check", doc{
		id: "check", tag: puzzlesTag, summary: "Check a puzzle",
		curl: `curl http://localhost:8080/v1/puzzles:check -H "Content-Type: application/yaml" --data-binary @puzzle.yaml`,
		text: "Shows how a puzzle is understood, and reasons why there can be no tiling. A puzzle with a mistake is an answer too: ok is false, and the errors have the place.",
		body: ref("Puzzle"), example: `{"board":"2x3","pieces":["domino=any"]}`, puzzleText: true,
		good: []answer{{200, jsonType, client.Checked{}, exampleChecked, "The puzzle, or its errors."}},
	}, s.checkPuzzle)
	add(s, http.MethodPost, "/v1/puzzles:estimate", doc{
		id: "estimate", role: access.Run, tag: puzzlesTag, summary: "The forecast of a count",
		curl: `curl http://localhost:8080/v1/puzzles:estimate --json '"name:pentominoes-8x8-hole"'`,
		text: "Forecasts the states, the memory and the seconds of a count, and does not count.",
		body: ref("Puzzle"), example: `"name:pentominoes-8x8-hole"`, puzzleText: true,
		good: []answer{
			{200, jsonType, job.Estimation{}, exampleEstimation, "The forecast."},
			{303, jsonType, client.JobLink{}, exampleLink, "The forecast takes long: the job is at Location."},
		},
	}, s.estimatePuzzle)
}

func (s *service) jobRoutes() {
	add(s, http.MethodPost, "/v1/jobs", doc{
		id: "submit", role: access.Run, tag: jobsTag, summary: "Submit a job",
		curl: `curl "http://localhost:8080/v1/jobs?wait=10s" --json '{"kind":"count","puzzle":"name:soma"}'`,
		text: "Accepts a job: it is done even if the service is stopped and started meanwhile. With wait the answer comes with the job, if it is there by then. " +
			"Each kind has its own options: CountOptions and so on in openapi.json, and the table of kinds at /docs. The body may also be the text of a puzzle; then kind, options and limits are in the query.",
		body: client.Submission{}, example: `{"kind":"count","puzzle":{"board":"8x8","pieces":["domino=any"]},"options":{"distinct":"usual"}}`, puzzleText: true, options: true,
		good: []answer{
			{200, jsonType, client.Job{}, exampleDone, "The job has ended."},
			{202, jsonType, client.Job{}, exampleQueued, "The job is accepted: it is at Location."},
		},
	}, s.postJob)
	add(s, http.MethodGet, "/v1/jobs", doc{
		id: "list-jobs", tag: jobsTag, summary: "Your jobs",
		curl: `curl "http://localhost:8080/v1/jobs?state=running"`,
		text: "Lists your jobs, the newest first, without their answers. The field next is the cursor of the next page.",
		good: []answer{{200, jsonType, client.Jobs{}, `{"jobs":[` + exampleQueued + `]}`, "A page of jobs."}},
	}, s.listJobs)
	add(s, http.MethodGet, "/v1/jobs/{id}", doc{
		id: "get-job", tag: jobsTag, summary: "A job",
		curl: `curl "http://localhost:8080/v1/jobs/ID?wait=30s"`,
		text: "The state and progress of a job and, once it is done, its answer. With request=true also its request, so that a program can open it again. The ETag changes with the job.",
		good: []answer{{200, jsonType, client.Job{}, exampleDone, "The job."}, {304, "", nil, "", "The job has not changed."}},
	}, s.getJob)
	add(s, http.MethodDelete, "/v1/jobs/{id}", doc{
		id: "cancel", role: access.Run, tag: jobsTag, summary: "Cancel a job",
		curl: `curl -X DELETE http://localhost:8080/v1/jobs/ID`,
		text: "Ends a job within a second. A job that has ended stays as it is.",
		good: []answer{{200, jsonType, client.Job{}, exampleCanceled, "The job has ended."}, {202, jsonType, client.Job{}, exampleRunning, "The job is being ended."}},
	}, s.deleteJob)
	add(s, http.MethodGet, "/v1/jobs/{id}/events", doc{
		id: "watch", tag: jobsTag, summary: "Follow a job",
		curl: `curl -N http://localhost:8080/v1/jobs/ID/events`,
		text: "Sends the job whenever it has changed, as Server-Sent Events: event job with the job as JSON, and at last the event end. " +
			"The id of an event is the version of the job. After a break send the last one as Last-Event-ID, as a browser's EventSource does.",
		good: []answer{{200, "text/event-stream", "", exampleEvents, "The events."}},
	}, s.getEvents)
	add(s, http.MethodGet, "/v1/jobs/{id}/output", doc{
		id: "get-output", tag: jobsTag, summary: "What a job has made",
		curl: `curl http://localhost:8080/v1/jobs/ID/output`,
		text: "Gives the tilings of a job of the kind sample or list, one JSON object a line, or the file of a job that writes one.",
		good: []answer{{200, linesType, render.TilingJSON{}, exampleTiling, "The tilings, or the file."}, {200, "application/octet-stream", "", "…", ""}},
	}, s.getOutput)
}
