package limits

import (
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
)

// SetMemory sets the soft memory limit and the percentage of garbage. It returns the limit in
// bytes, 0 if none was set.
//
// A configured value comes first, then GOMEMLIMIT and GOGC, then the profile. The limit is at most
// 70 % of what the machine or its cgroup has, unless it was configured or GOMEMLIMIT gives it.
func SetMemory(c *config.Config, environ []string) int64 {
	if c.GCPercent > 0 && !(c.FromProfile("gc-percent") && isSet(environ, "GOGC")) {
		debug.SetGCPercent(c.GCPercent)
	}
	switch {
	case c.MemoryLimit > 0 && !c.FromProfile("memory-limit"):
		debug.SetMemoryLimit(c.MemoryLimit)
		return c.MemoryLimit
	case isSet(environ, "GOMEMLIMIT"):
		return debug.SetMemoryLimit(-1)
	}
	limit := profileLimit(c.MemoryLimit, memoryTotal(os.ReadFile))
	if limit > 0 {
		debug.SetMemoryLimit(limit)
	}
	return limit
}

// isSet reports an environment variable that is not empty.
func isSet(environ []string, name string) bool {
	return slices.ContainsFunc(environ, func(e string) bool { return len(e) > len(name)+1 && strings.HasPrefix(e, name+"=") })
}

// profileLimit is the limit of a profile, but at most 70 % of total. Either may be 0: unknown.
func profileLimit(profile, total int64) int64 {
	most := total / 10 * 7
	if profile > 0 && (most == 0 || profile < most) {
		return profile
	}
	return most
}

// memoryTotal is the smaller of the machine's memory and its cgroup's limit, in bytes; 0 if
// neither can be read.
func memoryTotal(read func(string) ([]byte, error)) int64 {
	var total int64
	least := func(n int64) {
		if n > 0 && (total == 0 || n < total) {
			total = n
		}
	}
	if raw, err := read("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(raw)) {
			if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemTotal:" {
				if kib, err := strconv.ParseInt(f[1], 10, 64); err == nil {
					least(kib << 10)
				}
			}
		}
	}
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if raw, err := read(path); err == nil {
			// "max" means no limit.
			if n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64); err == nil {
				least(n)
			}
		}
	}
	return total
}
