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
//   - A file is there whole or not at all. Who has opened a range of it gets bytes of that file, even if it
//     is removed or replaced meanwhile, or an error.
//   - When Commit has returned nil, whoever reads, on any machine, finds the file; [Store].List has
//     its name; and it outlives a loss of power.
//   - Commit replaces a file of the same name. The files of a run have names that tell their content,
//     so two who commit the same name commit the same bytes.
//   - A range that is read has the length that was asked for, or ends with an error.
//   - What fails for now is tried again for some 20 s, unless the context ends: see retries.go.
//
// # What must be promised to it
//
// That a read or a list that begins after a write has ended sees it, and that a new file is whole. Amazon
// S3, Google Cloud Storage and local file systems do so. NFS does with the mount option lookupcache=positive:
// by default a machine that asked for a file before it was there may be told for up to a minute
// that it is missing. A run would do work twice then, and be right. Of another scheme the file system
// that is registered with Beam must promise it.
//
// # How
//
//	            in the making                      committed by        a range is read by
//	folder      FOLDER/.staged, synced             rename              pread
//	gs://       a file without a name in $TMPDIR   an upload of Beam   the client of the scheme, HTTP Range
//	s3://       the same                           the same            the same
//	others      the same                           the same            Seek if the file can, else it is read from its beginning
//
// An upload appears when it ends. One that fails is not ended: its context ends first. $TMPDIR needs
// room for the largest file, on a disk rather than in memory.
//
// What a killed process leaves: in $TMPDIR nothing. In .staged a file, which the next process that writes removes if it is
// a day old and nobody has it locked; where files cannot be locked, after a week. In s3:// perhaps parts
// of an upload, which nobody sees but the bill: a rule of the bucket (AbortIncompleteMultipartUpload) removes them. In
// gs:// a soft delete policy keeps what was removed, and costs as much as the store: turn it off.
//
// # Where the clients look
//
// As everywhere: for s3:// in AWS_ACCESS_KEY_ID, AWS_REGION, AWS_ENDPOINT_URL (for MinIO and the like), ~/.aws or the
// machine's role; for gs:// in GOOGLE_APPLICATION_CREDENTIALS, gcloud's files or the machine's account;
// STORAGE_EMULATOR_HOST is a server for tests.
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
// # Cost
//
// A file in a folder costs two syncs. An upload keeps 16 MiB (gs://) or 25 MiB (s3://) in memory, and in s3:// has at
// most 50 GB (10,000 parts of 5 MiB). A list asks for all names below the folder, 1000 a request.
//
// # References
//
// "Amazon S3 Strong Consistency" (2020); "Google Cloud Storage consistency"; nfs(5), lookupcache.
package store
