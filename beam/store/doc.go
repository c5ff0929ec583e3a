// Package store holds the files that the machines of a run share: in a folder, in an object
// store (gs://, s3://), or in whatever else Beam has a file system for.
//
// # Purpose
//
// Workers of a run know each other by files alone. So the files must do what the run relies
// on, the same on every kind of storage:
//
//	s.Stage ──► Write, Write, … ──► Commit(name)    from here on everybody sees it, whole
//	                │
//	                └─► Discard, or the process dies: nobody ever sees anything
//
// # What it promises
//
//   - A file is there whole or not at all. Who has opened it reads it to its end, even if it is
//     removed or replaced meanwhile, or gets an error.
//   - When Commit has returned nil, whoever reads, on any machine, finds the file; [Store].List has
//     its name; and it outlives a loss of power.
//   - Commit replaces a file of the same name. The files of a run have names that tell their content,
//     so two who commit the same name commit the same bytes.
//   - A range that is read has the length that was asked for, or ends with an error.
//
// # What must be promised to it
//
// Amazon S3, Google Cloud Storage and local file systems keep these promises: a read that begins
// after a write has ended sees it, lists too, and a new object is whole. NFS does with the mount option
// lookupcache=positive: by default a machine that asked for a file before it was there may be
// told for up to a minute that it is missing. A run would do work twice then, and be right.
//
// # Words
//
// A name is a path with "/" between its parts, such as "levels/000096-5f0c". A part has letters,
// digits, "-", "_" and ".", and does not begin with ".". A folder in a name needs not be made.
//
// # Non-goals
//
// No locks, no leases, no notices of new files, no checksums: what lies here must say itself
// whether it is sound, as slabs and levels do.
//
// # References
//
// "Amazon S3 Strong Consistency" (2020); "Google Cloud Storage consistency"; nfs(5).
package store
