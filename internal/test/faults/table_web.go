package faults

// ofWeb are faults in how the page is sent to browsers.
var ofWeb = []Fault{
	{
		Name: "page-kept-a-year", Imitates: "prefix taken for the whole",
		Breaks: "after an update a browser shows the old page for a year",
		File:   "web/web.go",
		Old:    `strings.HasPrefix(name, "assets/") {`,
		New:    `strings.HasPrefix("assets/", "assets/") {`,
		Test:   "TestFiles",
	},
	{
		Name: "one-tag-for-both", Imitates: "key of something else",
		Breaks: "a cache sends packed bytes to a client that does not read gzip",
		File:   "web/web.go",
		Old:    `h.Set("ETag", send.tag)`,
		New:    `h.Set("ETag", f.plain.tag)`,
		Test:   "TestPacked",
	},
	{
		Name: "gzip-for-all", Imitates: "option left out",
		Breaks: "a client that refuses gzip is sent gzip",
		File:   "web/web.go",
		Old:    "return !given || err == nil && quality > 0",
		New:    "return !given || err == nil && quality >= 0",
		Test:   "TestPacked",
	},
	{
		Name: "page-without-policy", Imitates: "check not made",
		Breaks: "a script that somebody has put into the page runs",
		File:   "web/web.go",
		Old:    `p.files["/"] = newFile(name, data, policy)`,
		New:    `p.files["/"] = newFile(name, data, closed)`,
		Test:   "TestPolicy",
	},
	{
		Name: "hidden-files-served", Imitates: "check not made",
		Breaks: "files that begin with a dot are shown to all",
		File:   "web/web.go",
		Old:    `strings.HasPrefix(path.Base(name), ".")`,
		New:    `strings.HasPrefix(path.Base(name), "/")`,
		Test:   "TestFiles",
	},
	{
		Name: "asset-missing-in-silence", Imitates: "error passed over",
		Breaks: "a file that is not there is an empty answer that says it is right",
		File:   "server/api/about.go",
		Old:    "refuse(w, nothingHere())",
		New:    "w.WriteHeader(http.StatusOK)",
		Test:   "TestPage",
	},
	{
		Name: "every-site-navigates", Imitates: "check not made",
		Breaks: "a web site sees in a frame, or asks by a form, what the service of this machine says",
		File:   "server/access/site.go",
		Old:    `r.Method == http.MethodGet && g.o.Open != nil && g.o.Open(r.URL.Path) &&`,
		New:    `g.o.Open != nil && g.o.Open("/") &&`,
		Test:   "TestLinks",
	},
}
