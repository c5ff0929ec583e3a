package faults

// ofServices are faults that are seen from outside the service.
var ofServices = []Fault{
	{
		Name: "count-begins-anew", Imitates: "state kept in the wrong place",
		Breaks:  "a count whose child was killed begins again",
		File:    "server/worker/attempt.go",
		Old:     "limits.Checkpoint, limits.CheckpointEvery = t.folder(t.job.ID), t.options.CheckpointEvery",
		New:     "limits.Checkpoint, limits.CheckpointEvery = t.folder(t.job.ID+string(rune('a'+t.job.Attempts))), t.options.CheckpointEvery",
		Test:    "TestChildKilled",
		Package: "internal/test/endtoend",
	},
}
