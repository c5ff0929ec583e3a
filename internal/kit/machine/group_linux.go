package machine

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// groups describes a control group of this process, such as a container or a systemd unit. A
// control group is a folder, and can have a limit of the memory of its processes. Each folder above
// it is also a control group:
//
//	/sys/fs/cgroup/kubepods/pod1/server     memory.max  memory.current  memory.stat
//	/sys/fs/cgroup/kubepods/pod1            …
//
// See https://docs.kernel.org/admin-guide/cgroup-v2.html. In version 1 the files have other names.
type groups struct {
	base, path        string // folder of all groups, and path of this group in it
	limit, use, cache string // names of two files, and of a field in the file memory.stat
}

// groupFree returns the free bytes of the control groups, or math.MaxInt64 if there is no limit. It
// never returns 0, which would mean unknown. Inactive pages of files count as free: the kernel
// releases them first.
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

// The second field in proc/self/cgroup is empty in version 2. In version 1 it has the word memory.
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

// A group without a limit has no file g.limit, or this file has the word max.
func (g groups) free(system fs.FS, folder string) int64 {
	limit, limited := number(system, path.Join(folder, g.limit))
	if !limited {
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
