package machine

import (
	"math"
	"os"
	"testing"
	"testing/fstest"
)

// TestGroupFree: the tightest group counts, of ours and those above, in both versions.
func TestGroupFree(t *testing.T) {
	const ours, one = "proc/self/cgroup", "sys/fs/cgroup/memory/"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no groups": {nil, math.MaxInt64},
		"no limit": {map[string]string{
			ours: "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n", "sys/fs/cgroup/a/memory.current": "1000\n",
		}, math.MaxInt64},
		"nonsense": {map[string]string{
			ours: "what\n0::/a\n", "sys/fs/cgroup/a/memory.max": "-5\n", "sys/fs/cgroup/a/memory.current": "x",
		}, math.MaxInt64},
		"a limit, old pages": {map[string]string{
			ours: "0::/a\n", "sys/fs/cgroup/a/memory.max": "9000000\n", "sys/fs/cgroup/a/memory.current": "3000000\n",
			"sys/fs/cgroup/a/memory.stat": "anon 5\ninactive_file 1000000\nactive_file 7\n",
		}, 7000000},
		"a tighter one above": {map[string]string{
			ours: "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "9000000\n", "sys/fs/cgroup/a/b/memory.current": "3000000\n",
			"sys/fs/cgroup/a/memory.max": "8000000", "sys/fs/cgroup/a/memory.current": "6000000",
		}, 2000000},
		"inside a container": {map[string]string{
			ours: "0::/\n", "sys/fs/cgroup/memory.max": "9000000\n", "sys/fs/cgroup/memory.current": "4000000\n",
		}, 5000000},
		"version 1": {map[string]string{
			ours: "5:cpu,memory:/x/y\n3:cpuset:/\n0::/\n", one + "x/y/memory.limit_in_bytes": "9000000",
			one + "x/y/memory.usage_in_bytes": "3000000", one + "x/y/memory.stat": "total_inactive_file 500000\n",
		}, 6500000},
		"version 1, mounted from inside": {map[string]string{
			ours: "4:memory:/docker/abc\n", one + "memory.limit_in_bytes": "9000000", one + "memory.usage_in_bytes": "3000000",
		}, 6000000},
		"full": {map[string]string{
			ours: "0::/\n", "sys/fs/cgroup/memory.max": "9000000\n", "sys/fs/cgroup/memory.current": "9100000\n",
		}, 1 << 20},
	} {
		system := fstest.MapFS{}
		for file, text := range c.files {
			system[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := groupFree(system); got != c.want {
			t.Errorf("%s: %d bytes are free, want %d", name, got, c.want)
		}
	}
	if groupFree(os.DirFS("/")) < 1<<20 {
		t.Error("the groups of this process give nothing")
	}
}
