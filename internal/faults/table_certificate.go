package faults

// ofCertificates are faults of what is written for others to check, each of which
// the checker must refuse or the count must show.
var ofCertificates = []Fault{
	{
		Name: "certificate-pruned", Imitates: "pruned too much",
		Breaks: "states that lead nowhere are left out of a certificate",
		File:   "internal/frontier/run.go",
		Old:    "if r.c.Whole {",
		New:    "if r.c.Whole && r.a.pockets != nil {",
		Test:   "TestCertificates", Package: "internal/evidence",
	},
	{
		Name: "certificate-min-forgotten", Imitates: "missing bound",
		Breaks: "states with too few copies of a piece count at the end of a certified sweep",
		File:   "count/certificate.go",
		Old:    "if s.Uses(f) < c.problem.Items[f.Item].Min {",
		New:    "if s.Uses(f) < 0 {",
		Test:   "TestCertifyCounts",
	},
	{
		Name: "certificate-differences-of-one", Imitates: "stale table",
		Breaks: "the child that a choice had last is that of another choice",
		File:   "count/certificate.go",
		Old:    "choice = int(v) - from",
		New:    "choice = 0",
		Test:   "TestCertificates", Package: "internal/evidence",
	},
	{
		Name: "certificate-wide-numbers", Imitates: "64-bit wrap",
		Breaks: "counts of several words lose what passes from one to the next",
		File:   "count/certificate.go",
		Old:    "w[i] |= w[i+1] << (64 - digit)",
		New:    "w[i] |= w[i+1] << (63 - digit)",
		Test:   "TestCertificatesOfFacts", Package: "internal/evidence",
	},
	{
		Name: "certificate-diagram-trusted", Imitates: "check left out",
		Breaks: "the diagram's count is not compared with that of the certified levels",
		File:   "count/certificate.go",
		Old:    "if diagram.Cmp(levels) != 0 {",
		New:    "if diagram.Cmp(levels) > 0 {",
		Test:   "TestCertifyDisagrees",
	},
	{
		Name: "cube-not-compared", Imitates: "check left out",
		Breaks: "a part of the solutions has as many by SAT whatever it finds",
		File:   "internal/evidence/spots.go",
		Old:    "if n.Cmp(big.NewInt(c.want)) != 0 {",
		New:    "if n.Sign() < 0 {",
		Test:   "TestCubeAgrees",
	},
	{
		Name: "root-not-taken-off", Imitates: "wrong offset",
		Breaks: "a counter's field in a certificate begins at its bias, not at 0",
		File:   "internal/frontier/layout.go",
		Old:    "do(s.Sub(root), r.in.ways(i))",
		New:    "do(s.Sub(root.Sub(root)), r.in.ways(i))",
		Test:   "TestCertificates", Package: "internal/evidence",
	},
}
