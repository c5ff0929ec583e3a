package spell

import "slices"

var former = map[string]string{
	"walk":         "sweep",  // a method of the command sample
	"levels":       "sweep",  // a method of the command query
	"determinants": "dimer",  // a method of verify; it is still the name of a method of sample
	"cubes":        "spots",  // a flag of verify
	"limit":        "number", // a flag of sample and list; verify still has a flag limit
	"engine":       "method", // a flag of sample and query; verify has both flags
	"method":       "engine", // a flag of count and sequence
}

// Current returns the current name for a former name, if names has the current name and not the
// former name. It returns every other name unchanged.
func Current(name string, names []string) string {
	if now := former[name]; !slices.Contains(names, name) && slices.Contains(names, now) {
		return now
	}
	return name
}
