package bench

import (
	"strconv"
	"strings"
)

// resident is how much memory the process takes now, of that what is its own and no page of
// a file, and how much it has taken at most, in bytes; 0 where the system does not say.
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
