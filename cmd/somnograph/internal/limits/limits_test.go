package limits

import (
	"os"
	"testing"
)

func TestDescriptorsAreShared(t *testing.T) {
	for limit, want := range map[uint64]Descriptors{
		0: {}, 256: {128, 48}, 1024: {768, 288}, 4096: {3072, 1024}, 1 << 20: {1<<20 - mostKept, 1024}, 1 << 62: {1 << 20, 1024},
	} {
		if got := ShareDescriptors(limit); got != want {
			t.Errorf("limit %d: %+v, want %+v", limit, got, want)
		}
	}
}

// A profile's limit is never above what the machine or its cgroup can give.
func TestProfileLimit(t *testing.T) {
	for _, x := range []struct{ profile, total, want int64 }{
		{0, 0, 0}, {0, 1000, 700}, {500, 0, 500}, {500, 1000, 500}, {900, 1000, 700},
	} {
		if got := profileLimit(x.profile, x.total); got != x.want {
			t.Errorf("a profile of %d on a machine of %d has limit %d, want %d", x.profile, x.total, got, x.want)
		}
	}
}

func TestMemoryTotal(t *testing.T) {
	files := func(m map[string]string) func(string) ([]byte, error) {
		return func(path string) ([]byte, error) {
			if s, ok := m[path]; ok {
				return []byte(s), nil
			}
			return nil, os.ErrNotExist
		}
	}
	const info = "MemFree: 5 kB\nMemTotal:       2048 kB\n"
	for name, x := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"machine":            {map[string]string{"/proc/meminfo": info}, 2 << 20},
		"cgroup v2":          {map[string]string{"/proc/meminfo": info, "/sys/fs/cgroup/memory.max": "1048576\n"}, 1 << 20},
		"cgroup v2 no limit": {map[string]string{"/proc/meminfo": info, "/sys/fs/cgroup/memory.max": "max\n"}, 2 << 20},
		"cgroup v1 no limit": {map[string]string{"/proc/meminfo": info, "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712"}, 2 << 20},
		"unknown":            {nil, 0},
	} {
		if got := memoryTotal(files(x.files)); got != x.want {
			t.Errorf("%s: %d, want %d", name, got, x.want)
		}
	}
}
