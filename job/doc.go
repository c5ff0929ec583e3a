// Package job describes a piece of work, and does it.
//
// Fill in a request, such as [Count] or [Sample], and call [Do].
//
// # Purpose
//
// A caller with a question about a puzzle states a [Request]: which
// puzzle, and which question. [Run] does the work within [Limits], reports to a [Watch]
// how it goes, and returns an [Answer]; [Do] returns an answer of the request's own type. The
// command line, a server, its workers and a page in a browser all use it, so that nothing is
// written twice:
//
//	flags ────────┐                                   ┌─► text, pictures, exit code
//	HTTP body ────┼─► Request ──► Run ──► Answer ─────┼─► JSON: the public contract
//	a worker's ───┘                │                  └─► a store of answers
//	standard input                 ├─◄ Limits: memory, threads, time, disk
//	                               └─► Watch: progress, plan, tilings, notes
//
// For the 2x3 board with dominoes:
//
//	Do(ctx, &Count{Puzzle: Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}}, limits, Watch{})
//	{"title":"","count":"3","engine":"sweep","items":7,"options":7,…}
//
// # Words
//
//   - A request is plain data: a struct that can be written as JSON and read
//     again by [Decode]. [Validate] sees all that is wrong with it but for the
//     puzzle, before any work. A request may come from a stranger, so it names no
//     file; only [Puzzle] has a name, for errors.
//   - Limits come from the program that runs the work. They are resolved once for a
//     process ([Resolve]) and divided among pieces of work ([Limits.Share]). What
//     the work may touch of the machine, such as a directory for levels, is in
//     them.
//   - A watch receives reports on the work while it goes on. All its functions may
//     be nil. They are called one at a time. Work that makes many tilings hands
//     them over one by one and waits for each call to return.
//   - An answer is a struct whose JSON is a contract: fields are added, never
//     changed. Numbers that can be large are strings. doc/schema has a JSON Schema
//     of each, made from the types.
//
// [Key] is a digest of a request: a cache finds by it the answer of a request which
// means the same, and [Retitle] gives it the title of the new one.
//
// # Errors
//
// [KindOf] returns the kind of an error: a bad request, a limit, a
// disagreement, an interruption, or a failure. An [Error] also has hints how the work
// can go on. Its text calls a field of the request by its name, "cubes is 0";
// a program with other names for fields, as the command line has, uses [Error.Spell].
//
// # For servers
//
// Sample.Prepare makes the source of tilings once, a Source, for many draws at the
// same time; LoadSource reads a saved source. Predict returns within a moment the forecast of
// a request, so that short work need not wait for long work.
//
// # Adding a kind of work
//
// A kind is one file with the request and the answer, and a row of the table in kinds.go, which
// defines the part of the puzzle that is in the key of a request. The request has the methods Kind
// and do, a method check if it can have more mistakes than Validate finds in all requests, a method
// shared if its answer is not always right for requests with the same key, and a method predict if
// its time can be predicted. A field whose values are some words has them in its tag words, and the
// reason in its tag why. The command line then adds a verb with its flags.
//
// # Non-goals
//
// No flags, no colours, no exit codes, no log: package command has those. No
// queue, no users: a server has those. Nothing is counted here: the engines are in
// package count. No file is touched but those in the directories that the limits
// name.
package job
