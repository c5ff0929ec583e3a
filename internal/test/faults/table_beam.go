package faults

// ofShared are faults in the files that machines share.
var ofShared = []Fault{
	{
		Name: "upload-ended-by-failing", Imitates: "half a file committed",
		Breaks: "an upload that fails in the middle leaves half a file",
		File:   "beam/store/objects.go",
		Old:    "if cancel(); u.to.aborts {",
		New:    "if u.to.aborts || true {",
		Test:   "TestWriteFails",
	},
	{
		Name: "shared-range-ends-early", Imitates: "end of file taken for end of range",
		Breaks: "less is read than was asked for, without an error",
		File:   "beam/store/folder.go",
		Old:    "if e.left -= int64(n); errors.Is(err, io.EOF) && e.left > 0 {",
		New:    "if e.left -= int64(n); errors.Is(err, io.EOF) && e.left < 0 {",
		Test:   "TestKinds",
	},
	{
		Name: "range-of-two-files", Imitates: "check not made",
		Breaks: "a range whose connection breaks goes on in another file of the same name",
		File:   "beam/store/clients.go",
		Old:    `case version != "" && version != aws.ToString(out.ETag):`,
		New:    `case version != "" && version == "":`,
		Test:   "TestReplacedMeanwhile",
	},
	{
		Name: "tried-again-in-vain", Imitates: "wrong set",
		Breaks: "a user without the right to a bucket waits before the error",
		File:   "beam/store/retries.go",
		Old:    "return !gone(err) && (code < 400 ||",
		New:    "return !gone(err) && (code < 1000 ||",
		Test:   "TestTriedAgain",
	},
	{
		Name: "names-that-leave", Imitates: "check not made",
		Breaks: "a name can lead out of the store",
		File:   "beam/store/store.go",
		Old:    "if fs.ValidPath(name) && !strings",
		New:    "if (name != \"\" || fs.ValidPath(name)) && !strings",
		Test:   "TestKinds",
	},
}
