package faults

// ofPipelines are faults in how a run is handed to an engine of Beam.
var ofPipelines = []Fault{
	{
		Name: "tasks-lost-on-the-way", Imitates: "wrong operand",
		Breaks: "a band is joined of its last task alone",
		File:   "beam/pipeline/pipeline.go",
		Old:    "all.Done = append(all.Done, t)",
		New:    "all.Done = []band.Task{t}",
		Test:   "TestTwice",
	},
	{
		Name: "cut-of-another-driver", Imitates: "stale value",
		Breaks: "workers cut a run otherwise than the driver that waits for it",
		File:   "beam/pipeline/process.go",
		Old:    "r.Plan.Cut, r.Disk, r.Notice = p.Cut, p.Disk, p.notice",
		New:    "r.Disk, r.Notice = p.Disk, p.notice",
		Test:   "TestOwnCut",
	},
	{
		Name: "kind-of-failure-lost", Imitates: "wrong operand",
		Breaks: "a task without memory ends the program with the code of a bug",
		File:   "beam/pipeline/failure.go",
		Old:    "Failure{KindOf(err), err.Error()}",
		New:    "Failure{job.Failure, err.Error()}",
		Test:   "TestFound",
	},
}
