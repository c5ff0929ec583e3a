// Package job describes a piece of work, and does it.
//
// Fill in a request, such as [Count] or [Sample], and call [Do].
//
// # Purpose
//
// A caller with a question about a puzzle makes a [Request]: the puzzle and the question. [Run]
// does the work within [Limits], reports its progress to a [Watch], and returns an [Answer].
// [Do] returns an answer of the type that belongs to the request. The command line, a server,
// its workers and a page in a browser all use this package, so that nothing is written twice:
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
//     again by [Decode]. [Validate] finds mistakes in a request, except in its
//     puzzle, before any work. A request may come from a stranger, so it names no
//     file. The field Name of a [Puzzle] is only for errors.
//   - Limits come from the program that runs the work. [Resolve] makes them once for
//     a process, and [Limits.Share] divides them among pieces of work. They also
//     name the directories that the work may use.
//   - A watch receives reports on the work while it goes on. All its functions may
//     be nil, and are called one at a time. Work that makes many tilings calls
//     Tiling for each of them and waits until the call returns.
//   - An answer is a struct whose JSON is a contract: fields are added, never
//     changed. Numbers that can be large are strings. doc/schema has a JSON Schema
//     of each request and each answer, made from the types.
//
// [Key] returns a digest of a request. Requests that mean the same have the same key, so a cache
// can store answers by key. [Retitle] gives a stored answer the title of the new request.
//
// # Errors
//
// [KindOf] returns the kind of an error: a bad request, a limit, a
// disagreement, an interruption, or a failure. An [Error] also has the cursor or the checkpoint
// from which the work can continue. Its text calls a field of the request by its JSON name:
// "number is 0". A program with other names for fields, such as the command line, uses
// [Error.Spell].
//
// # For servers
//
// [Sample.Prepare] makes a [Source] of tilings, for many draws at the same time. [LoadSource]
// reads a saved source. [Predict] returns the forecast of a request, in at most about 30 ms, so
// that short work need not wait for long work.
//
// # Adding a kind of work
//
// A kind is one file with the request and the answer, and a row of the table in kinds.go. The row
// defines the part of the puzzle that is in the key of a request. The request has the methods Kind
// and do. It has a method check if Validate does not find all its mistakes, a method shared if its
// answer is not always valid for requests with the same key, and a method predict if its time can
// be predicted. If only certain words are values of a field, the tag words lists them, and the tag
// why gives the reason for an error about another word. The command line then has a new verb.
//
// # Non-goals
//
// No flags, no colours, no exit codes, no log: they are in package command. No queue, no users:
// they are in a server. No counting: the engines are in package count. The work writes only to
// the directories in its limits.
package job
