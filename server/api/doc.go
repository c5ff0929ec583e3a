// Package api is the service over HTTP: paths, problems, streams, and the document that
// describes them.
//
// # Purpose
//
// People with curl, programs and the page ask for the work of package job, and get its
// answers. A request goes this way:
//
//	request ─► gate ────────► operation ───► Work, Jobs ─► answer, or problem
//	           path, method   puzzle and     package        JSON, lines, picture,
//	           query, body    request        worker, queue  events
//	           limits first   access.Caller
//
// The gate (gate.go, body.go) refuses what is too large or of the
// wrong kind before anything is parsed. An operation (routes.go has them all) makes a
// job.Request of what is left. What happens then depends on how long it takes:
//
//	GET  /v1/count, /v1/puzzle, /v1/puzzles:…    answer at once, or 303 to the job that makes it
//	GET  /v1/samples, /v1/tilings                tilings as they are made, or 303 to a job for their source
//	POST /v1/jobs                                a job: 202, or with wait 200 if it has ended by then
//
// # A puzzle
//
// In a query it is board and piece, or puzzle. In a body it is a text or an object; see
// jsonPuzzle. Or the body is the text of a puzzle file, and all else is in the query.
//
// # Words
//
//   - A problem is an error in the form of RFC 9457. problem.go makes them all: of errors
//     of package job, by their kind, with line and column if the puzzle was a text; of unknown paths and methods. Faults of the service are logged, and
//     the problem does not describe them. (Package server deals with panics, of all
//     handlers.) A mistake in the request is 400; 422 says that the request is right
//     but the work is too large, or there is no tiling.
//   - A page is an answer that never changes, with a strong ETag of its bytes. The last
//     counts are kept in memory as pages, by the text of their query.
//   - A flow is an answer that is sent while it is made. A slow client slows the work, and
//     package server disconnects a client that receives nothing for 30 s. If the work fails
//     in the middle, the connection is cut: so a stream that ends without an error is
//     complete.
//   - Events are Server-Sent Events. The id of one is the version of its job, so that a
//     client that connects again with Last-Event-ID misses only states in between. Each has
//     the whole job, its plan too: a client keeps the last one and puts nothing together.
//
// # The document
//
// huma makes the schemas and the OpenAPI document from Go's types, whose tags (query, header, path,
// doc, …) also tell how their fields are read from a request. A test compares the
// document with a golden copy (testdata/openapi.json). Another test checks the document
// against the schema of OpenAPI 3.1, and each example against its own schema. The page
// /docs is the document for people: docs.html, docs.css, no script, nothing from another
// site.
//
// # Non-goals
//
// This package counts nothing and checks no tokens: package access runs before the
// handler and says who asks. There is no version but v1: fields may be added, but never
// change.
//
// # Cost
//
// A count that is kept in memory takes some 40 µs (BenchmarkKnownCount). A request that is
// refused takes little more memory than its body, which has at most 4 MiB. A waiting request
// or a stream of events takes a goroutine; the queue asks the database for all of them
// at once.
//
// # References
//
// RFC 9110 (HTTP), 9111 (caching), 9457 (problems), 7240 (Prefer: wait); the HTML standard,
// section 9.2 (Server-Sent Events); OpenAPI 3.1.
package api
