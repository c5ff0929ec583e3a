package faults

// ofHostile are faults in what hostile clients of the service come upon.
var ofHostile = []Fault{
	{
		Name: "hostile-texts-at-once", Imitates: "limit not held",
		Breaks: "large texts of puzzles are read all at once",
		File:   "server/worker/reading.go",
		Old:    "room, weight := r.large, min(int64(len(text))*treeBytes, readingMemory)",
		New:    "room, weight := r.large, min(int64(len(text)), readingMemory)",
		Test:   "TestReading",
	},
	{
		Name: "hostile-small-waits", Imitates: "queue of the wrong kind",
		Breaks: "small texts wait for large ones",
		File:   "server/worker/reading.go",
		Old:    "if len(text) <= smallText {",
		New:    "if len(text) < 0 {",
		Test:   "TestReading",
	},
	{
		Name: "hostile-files-for-all", Imitates: "check not made",
		Breaks: "others may read the database in a data folder that they may look into",
		File:   "server/data.go",
		Old:    "	alone()\n",
		New:    "",
		Test:   "TestAlone",
	},
}
