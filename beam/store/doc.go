// Package store holds the files that the machines of a run share: in a folder, in an object store
// (gs://, s3://), or on any other file system of Beam.
//
// # Purpose
//
// The workers of a run communicate only by files. So files must behave in the same way on every
// kind of storage:
//
//	s.Stage ──► Write, Write, … ──► Commit(name)    from here on all readers see the whole file
//	                │
//	                └─► Discard, or the process dies: no reader ever sees the file
//
// # Promises of a store
//
//   - A file exists as a whole or not at all. A reader that has opened a range of a file gets the
//     bytes of that file or an error, even if the file is removed or replaced meanwhile.
//   - When Commit has returned nil, every reader on every machine finds the file, [Store].List has
//     its name, and it survives a loss of power.
//   - Commit replaces a file of the same name. The names of a run's files determine their content,
//     so two processes that commit the same name commit the same bytes.
//   - A range that is read has the length that was asked for, or ends with an error.
//   - A call that fails for a temporary reason is tried again for about 20 s, unless the context
//     ends: see retries.go.
//
// # Promises of the storage
//
// A read or a list that begins after a write has ended must see the whole file. Amazon S3, Google
// Cloud Storage and local file systems do so. NFS does so with the mount option
// lookupcache=positive. By default, NFS may tell a machine for up to a minute that a file is
// missing, if the machine has looked for the file too early. A run would then do work twice, but
// its count is right. For another scheme, the file system that is registered with Beam must promise
// this.
//
// # Implementation
//
//	            in the making                      committed by        a range is read by
//	folder      FOLDER/.staged, synced             rename              pread
//	gs://       a file without a name in $TMPDIR   an upload of Beam   the client of the scheme, HTTP Range
//	s3://       the same                           the same            the same
//	others      the same                           the same            Seek, or reading the file from its beginning
//
// A file appears when its upload ends. A failed upload is canceled before it ends, so its file
// never appears. $TMPDIR needs room for the largest file, on a disk rather than in memory.
//
// A killed process leaves nothing in $TMPDIR, but may leave a file in .staged. The next process
// that writes to the folder removes the file if it is a day old and not locked, or a week old where
// files cannot be locked. In s3:// a killed process may leave parts of an upload, which cost money.
// These parts are not listed. A rule of the bucket (AbortIncompleteMultipartUpload) removes them.
// In gs:// a soft delete policy keeps files that a run has removed, at the full price of storage:
// turn it off.
//
// # Credentials
//
// Credentials are read in the usual places. For s3:// these are AWS_ACCESS_KEY_ID, AWS_REGION,
// AWS_ENDPOINT_URL (for servers such as MinIO), ~/.aws, and the machine's role; for gs:// they are
// GOOGLE_APPLICATION_CREDENTIALS, gcloud's files, and the machine's account. For tests,
// STORAGE_EMULATOR_HOST has the address of an emulator of gs://.
//
// # Words
//
// A name is a path with "/" between its parts, such as "levels/000096-5f0c". A part has letters,
// digits, "-", "_" and ".", and does not begin with ".". Missing folders in a name are made.
//
// # Non-goals
//
// A store has no locks, no leases and no notices of new files. Files must contain checksums, as
// slabs and levels do.
//
// # Cost
//
// To write a file in a folder, two syncs are needed. An upload keeps 16 MiB (gs://) or 25 MiB
// (s3://) in memory. A file in s3:// has at most 50 GB (10,000 parts of 5 MiB). A list asks for all
// names below the folder, 1000 names in a request.
//
// # References
//
// "Amazon S3 Strong Consistency" (2020); "Google Cloud Storage consistency"; nfs(5), lookupcache.
package store
