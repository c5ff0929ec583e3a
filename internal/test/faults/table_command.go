package faults

// ofCommands are faults in what users see.
var ofCommands = []Fault{
	{
		Name: "exit-code-of-limits", Imitates: "wrong exit code",
		Breaks: "a limit that is reached looks like a failure",
		File:   "job/errors.go",
		Old:    "errors.Is(err, ErrMemory), errors.Is(err, verify.ErrUndecided),",
		New:    "errors.Is(err, verify.ErrUndecided),",
		Test:   "TestScripts/limits", Package: "cmd/pavage/command",
	},
	{
		Name: "disagreement-is-failure", Imitates: "wrong exit code",
		Breaks: "numbers that disagree look like any failure",
		File:   "job/errors.go",
		Old:    "errors.Is(err, count.ErrDisagrees), errors.Is(err, verify.ErrWrong), ",
		New:    "errors.Is(err, verify.ErrWrong), ",
		Test:   "TestScripts/verify", Package: "cmd/pavage/command",
	},
	{
		Name: "undecided-agrees", Imitates: "wrong verdict",
		Breaks: "a verification that a limit has ended is told as one that agrees",
		File:   "job/verify.go",
		Old:    "case err == nil || r.Disagreement != \"\":",
		New:    "case err == nil || r.Result != nil:",
		Test:   "TestScripts/verify", Package: "cmd/pavage/command",
	},
	{
		Name: "count-as-float", Imitates: "float",
		Breaks: "the count is written with the 15 digits of a float",
		File:   "job/count.go",
		Old:    "Count:   r.Count.String(),",
		New:    "Count:   new(big.Float).SetPrec(53).SetInt(r.Count).Text('f', 0),",
		Test:   "TestScripts/large", Package: "cmd/pavage/command",
	},
	{
		Name: "logarithm-of-low-bits", Imitates: "64-bit wrap",
		Breaks: "the logarithm of a count is that of its lowest word",
		File:   "cmd/pavage/command/count.go",
		Old:    "top := new(big.Int).Rsh(n, uint(shift)).Uint64()",
		New:    "top := n.Uint64()",
		Test:   "TestLog10",
	},
	{
		Name: "flag-below-environment", Imitates: "wrong order",
		Breaks: "the environment overrides what the command line says",
		File:   "config/load.go",
		Old:    "if flag := s.flag(); f != nil {",
		New:    `if flag := s.flag(); f != nil && os.Getenv("PAVAGE_"+strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))) == "" {`,
		Test:   "TestPrecedence",
	},
	{
		Name: "drawn-mirrored", Imitates: "swapped axis",
		Breaks: "a picture has rows for columns",
		File:   "tiling/lattice_square.go",
		Old:    "x, y := c[2], c[1]",
		New:    "x, y := c[1], c[2]",
		Test:   "TestGolden", Package: "render",
	},
}
