package spell

import "slices"

var former = map[string]string{
	"walk":         "sweep",  // a method of sample
	"levels":       "sweep",  // a method of query
	"determinants": "dimer",  // a method of verify; sample still has the former name
	"cubes":        "spots",  // a flag of verify
	"limit":        "number", // a flag of sample and list; verify still has the former name
	"engine":       "method", // count and sequence have the flag engine; verify has both
	"method":       "engine", // sample and query have the flag method
}

// Current returns the current name for a former name, if names has the current name and not the
// former name. It returns every other name unchanged.
func Current(name string, names []string) string {
	if now := former[name]; !slices.Contains(names, name) && slices.Contains(names, now) {
		return now
	}
	return name
}
