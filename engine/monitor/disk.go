package monitor

import (
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
)

// diskInterval is the time between two looks at the free space of the disk. The store refuses writes at once, and
// the alarm that says so comes first.
const diskInterval = 2 * time.Second

// spacious is a store that knows the space on its disk.
type spacious interface {
	// Space returns the free bytes of the disk, and the limit below which writes are refused.
	Space() (free, limit uint64, err error)
}

// diskReading reads the free space of the disk. ok is false if the store has no disk of its own, or it can't be read.
func (svc *Service) diskReading() (r alarm.Reading, ok bool) {
	d, ok := svc.Store.(spacious)
	if !ok {
		return r, false
	}
	free, limit, err := d.Space()
	if err != nil || limit == 0 {
		return r, false
	}
	return alarm.Reading{Indicator: alarm.DiskFree, Value: float64(free) / float64(limit), Detail: fmt.Sprintf("%d MiB free, limit %d MiB", free>>20, limit>>20)}, true
}

// watchDisk looks at the free space of the disk once, and takes it as a reading if it is worse than what is known. It
// costs one call of the system. What is better waits for the next refresh, so that a disk at its limit changes an
// alarm once a minute.
func (svc *Service) watchDisk() {
	svc.refreshing.Lock()
	defer svc.refreshing.Unlock()
	reading, ok := svc.diskReading()
	if !ok {
		return
	}
	w, err := svc.open(svc.Ctx, graph.ServerScope())
	if err != nil {
		return // the refresh says so
	}
	i, _ := alarm.Find(alarm.DiskFree)
	svc.mu.Lock()
	worse := w.state.Worse(alarm.Key{Indicator: alarm.DiskFree}, i.Band(reading.Value))
	svc.mu.Unlock()
	if worse {
		svc.take(audit.As(svc.Ctx, "alarm"), w, []alarm.Reading{reading}, svc.Now())
	}
}
