package main

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// limitMemory sets the soft memory limit: the configured one, else GOMEMLIMIT, else 70 % of
// what the machine or its cgroup has. It returns the limit in bytes, 0 if none was set.
func limitMemory(configured int64, environ []string) int64 {
	switch {
	case configured > 0:
		debug.SetMemoryLimit(configured)
		return configured
	case variable(environ, "GOMEMLIMIT") != "":
		return debug.SetMemoryLimit(-1)
	}
	total := memoryTotal(os.ReadFile)
	if total == 0 {
		return 0
	}
	limit := total / 10 * 7
	debug.SetMemoryLimit(limit)
	return limit
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
