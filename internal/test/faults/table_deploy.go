package faults

// ofDeployment are faults that show where others run the service.
var ofDeployment = []Fault{
	{
		Name: "own-group-alone", Imitates: "wrong bound",
		Breaks: "a container takes more memory than the groups around it have",
		File:   "internal/kit/machine/group_linux.go",
		Old:    `if at == "/" || at == "." {`,
		New:    `if at == g.path {`,
		Test:   "TestGroupFree",
	},
	{
		Name: "health-of-another", Imitates: "check left out",
		Breaks: "a service is well because another address says so",
		File:   "cmd/pavage/command/health.go",
		Old:    "return http.ErrUseLastResponse",
		New:    "return nil",
		Test:   "TestHealth",
	},
	{
		Name: "any-answer-is-health", Imitates: "check left out",
		Breaks: "a service that says it is not well is taken as one that is",
		File:   "cmd/pavage/command/health.go",
		Old:    "if answer.StatusCode != http.StatusOK {",
		New:    "if answer.StatusCode == 0 {",
		Test:   "TestHealth",
	},
}
