package machine

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// A control group is a container or a systemd unit: processes with a limit of their memory. Groups are
// folders. Each folder above a process has a limit of its own:
//
//	/sys/fs/cgroup/kubepods/pod1/server     memory.max  memory.current  memory.stat
//	/sys/fs/cgroup/kubepods/pod1            …
//
// See https://docs.kernel.org/admin-guide/cgroup-v2.html; version 1 has other names.
type groups struct {
	base, path        string // folder of all groups, and path of the group of this process below it
	limit, use, cache string
}

// groupFree returns MaxInt64 without a limit, and never 0, which would mean unknown. Old pages of files
// count as free, since the kernel releases them first.
func groupFree(system fs.FS) int64 {
	const least = 1 << 20
	free := int64(math.MaxInt64)
	for _, g := range ourGroups(system) {
		for at := g.path; ; at = path.Dir(at) {
			free = min(free, g.free(system, path.Join(g.base, at)))
			if at == "/" || at == "." {
				break
			}
		}
	}
	return max(least, free)
}

// In version 2 the line has no name, in version 1 it has the word memory.
func ourGroups(system fs.FS) (found []groups) {
	text, _ := fs.ReadFile(system, "proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(part) < 3:
		case part[1] == "":
			found = append(found, groups{"sys/fs/cgroup", path.Clean("/" + part[2]), "memory.max", "memory.current", "inactive_file"})
		case strings.Contains(","+part[1]+",", ",memory,"):
			found = append(found, groups{"sys/fs/cgroup/memory", path.Clean("/" + part[2]), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"})
		}
	}
	return found
}

// The file of a group without a limit has the word max, or does not exist.
func (g groups) free(system fs.FS, folder string) int64 {
	limit, limited := number(system, path.Join(folder, g.limit))
	if !limited { // as in most groups: there is no need to open the other files
		return math.MaxInt64
	}
	used, known := number(system, path.Join(folder, g.use))
	if !known {
		return math.MaxInt64
	}
	stat, _ := fs.ReadFile(system, path.Join(folder, "memory.stat"))
	if _, after, ok := strings.Cut("\n"+string(stat), "\n"+g.cache+" "); ok {
		line, _, _ := strings.Cut(after, "\n")
		old, _ := strconv.ParseInt(line, 10, 64)
		used -= min(used, max(0, old))
	}
	return max(0, limit-used)
}

func number(system fs.FS, file string) (int64, bool) {
	text, err := fs.ReadFile(system, file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil && n >= 0
}
