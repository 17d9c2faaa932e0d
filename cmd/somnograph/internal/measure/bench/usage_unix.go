//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processorTime is the processor time of this process in user and system mode; 0
// if it is not known.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
