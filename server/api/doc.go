// Package api is the service over HTTP: paths, problems, streams, and the document that
// describes them.
//
// # Purpose
//
// People with curl, programs and the web page send requests of package job, and get its answers. A
// request goes this way:
//
//	request ─► gate ────────► operation ───► Work, Jobs ─► answer, or problem
//	           path, method,  puzzle and     package        JSON, lines, picture,
//	           query, size    request        worker, queue  events
//	           of the body    access.Caller
//
// The gate (gate.go, body.go) refuses a request that is too large or of the wrong kind before it is
// parsed. An operation (all are in routes.go) makes a job.Request. The answer depends on the path
// and on the time that the work takes:
//
//	GET  /v1/count, /v1/puzzle, /v1/puzzles:…    answer at once, or 303 to the job that makes it
//	GET  /v1/samples, /v1/tilings                tilings as they are made, or 303 to a job for them
//	POST /v1/jobs                                a job: 202; with the parameter wait, 200 if it has ended
//
// # A puzzle
//
// In a query, a puzzle is the parameters board and piece, or the parameter puzzle. In a body of
// JSON it is a string or an object: see jsonPuzzle. Or the body is the text of a puzzle file, and
// the query has all options.
//
// # Words
//
//   - A problem is an error in the form of RFC 9457. problem.go turns an error of package job
//     or another package into a problem. For a mistake in the text of a puzzle, the problem has a
//     line and a column. Faults of the service are logged, and not described. Package server
//     handles panics. A mistake in the request has the status 400. The status 422 means that the
//     request is right, but the work is too large, or there is no tiling.
//   - A page is an answer that never changes, with a strong ETag of its bytes. The cache
//     keeps the last counts as pages, indexed by the query and the content type.
//   - A flow is an answer that is sent while it is made. A slow client slows the work, and package
//     server disconnects a client that receives nothing for 30 s. If the work fails in the middle,
//     the connection is cut. So a stream that ends without an error is complete.
//   - Events are Server-Sent Events. The id of an event is the version of the job, so a client that
//     connects again with Last-Event-ID misses only intermediate states. Each event has the whole
//     job with its plan, so a client needs only the last event.
//
// # The document
//
// huma makes the schemas and the OpenAPI document from Go's types. The tags of their fields (query,
// header, path, doc, …) also define how a request is read. A test compares the document with a
// golden copy (testdata/openapi.json). Another test checks the document against the schema of
// OpenAPI 3.1, and each example against its own schema. The page /docs shows the document to
// people: docs.html, docs.css, no script, nothing from another site.
//
// # Non-goals
//
// This package counts nothing and checks no tokens: package access runs before the handler and
// finds the caller. There is only the version v1: fields may be added, but no field changes.
//
// # Cost
//
// An answer with a count in memory takes about 40 µs (BenchmarkKnownCount). A refused request needs
// little more memory than its body, which has at most 4 MiB. A waiting request or a stream of
// events needs a goroutine. One query to the database serves all of them.
//
// # References
//
// RFC 9110 (HTTP), 9111 (caching), 9457 (problems), 7240 (Prefer: wait); the HTML standard,
// section 9.2 (Server-Sent Events); OpenAPI 3.1.
package api
