package bench

import (
	"strconv"
	"strings"
)

// resident returns the resident memory of the process, the part of it that is not pages of
// files, and its peak, in bytes; 0 where the system does not tell.
func resident(read func(string) ([]byte, error)) (now, own, peak int64) {
	raw, err := read("/proc/self/status")
	if err != nil {
		return 0, 0, 0
	}
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		kib, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil {
			continue
		}
		switch f[0] {
		case "VmRSS:":
			now = kib << 10
		case "RssAnon:":
			own = kib << 10
		case "VmHWM:":
			peak = kib << 10
		}
	}
	return now, own, peak
}
