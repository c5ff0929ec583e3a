package api

// A test compares the service's answers with these examples, except answers that vary.
const (
	examplePuzzleFile = "board: 2x3\npieces:\n  - {name: domino, copies: any}\n"

	exampleCounted = `{"title":"","count":"12988816","engine":"sweep","items":65,"options":112,"effort":{"states":2054,"nodes":0},"seconds":0.001,"peak_memory_bytes":1048576}`

	exampleTiling = `{"rank":"1","placements":[{"piece":"domino","cells":[[0,0],[0,1]]},{"piece":"domino","cells":[[1,0],[1,1]]},{"piece":"domino","cells":[[0,2],[1,2]]}]}`

	exampleText = "tiling 1, rank 1\n┌───────┬───┐\n│   d   │   │\n├───────┤ d │\n│   d   │   │\n└───────┴───┘\n"

	exampleShown = `{"title":"","lattice":"square","cells":6,"optional":0,"pieces":[{"name":"domino","orientations":2,"placements":7,"copies":"any","cells":[[0,0],[0,1]]}],"items":7,"options":7}`

	exampleChecked = `{"ok":true,"puzzle":` + exampleShown + `}`

	exampleEstimation = `{"title":"8x8, pentominoes and a hole","items":73,"options":1604,"search":{"tries":1300000,"seconds":0.4,"error":0.1}}`

	exampleClued = `{"title":"","puzzles":[{"puzzle":{"lattice":"square","board":"2x3","pieces":[{"name":"domino","cells":[[0,0],[0,1]],"copies":"any","motions":"free"}],` +
		`"walls":[[[0,1],[0,2]],[[1,0],[1,1]]]},"clues":[{"kind":"wall","cells":[[0,1],[0,2]]},{"kind":"wall","cells":[[1,0],[1,1]]}],` +
		`"solution":{"placements":[{"piece":"domino","cells":[[0,0],[1,0]]},{"piece":"domino","cells":[[0,1],[1,1]]},{"piece":"domino","cells":[[0,2],[1,2]]}]},` +
		`"grade":"easy","steps":[{"rule":"easy","piece":"domino","cells":[[0,2],[1,2]]},{"rule":"easy","piece":"domino","cells":[[0,0],[1,0]]},{"rule":"easy","piece":"domino","cells":[[0,1],[1,1]]}],"seed":"2"}],"next":"3"}`

	exampleBundled = `{"examples":[{"name":"soma","title":"The Soma cube","kind":"cube","count":"11520","source":"published"}]}`

	exampleLink = `{"id":"qgjzihso2b44q47hz6m5k6zye4","url":"/v1/jobs/qgjzihso2b44q47hz6m5k6zye4"}`

	exampleQueued = `{"id":"qgjzihso2b44q47hz6m5k6zye4","url":"/v1/jobs/qgjzihso2b44q47hz6m5k6zye4","kind":"count","state":"queued","created":"2026-01-02T15:04:05Z","version":1,"attempts":0}`

	exampleRunning = `{"id":"qgjzihso2b44q47hz6m5k6zye4","url":"/v1/jobs/qgjzihso2b44q47hz6m5k6zye4","kind":"count","state":"running","created":"2026-01-02T15:04:05Z","started":"2026-01-02T15:04:06Z","version":3,"attempts":1,` +
		`"progress":{"doing":"counting","fraction":0.25,"done":2000,"unit":"states","left_seconds":3}}`

	exampleDone = `{"id":"qgjzihso2b44q47hz6m5k6zye4","url":"/v1/jobs/qgjzihso2b44q47hz6m5k6zye4","kind":"count","state":"done","created":"2026-01-02T15:04:05Z","started":"2026-01-02T15:04:06Z","ended":"2026-01-02T15:04:07Z",` +
		`"version":4,"attempts":1,"answer":` + exampleCounted + `}`

	exampleCanceled = `{"id":"qgjzihso2b44q47hz6m5k6zye4","url":"/v1/jobs/qgjzihso2b44q47hz6m5k6zye4","kind":"count","state":"canceled","created":"2026-01-02T15:04:05Z","ended":"2026-01-02T15:04:07Z","version":4,"attempts":0}`

	exampleEvents = "id: 1\nevent: job\ndata: " + exampleQueued + "\n\nid: 4\nevent: job\ndata: " + exampleDone + "\n\nid: 4\nevent: end\ndata: {\"state\":\"done\"}\n\n"
)
