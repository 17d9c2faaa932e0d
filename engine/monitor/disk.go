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

// stepDisk reads the free space of the disk and feeds it into the state of the server. worse: only if it is worse than
// what is known. Reading and step are one, so that no reading is taken after a later one.
func (svc *Service) stepDisk(w *watched, now time.Time, worse bool) []alarm.Event {
	svc.measuring.Lock()
	defer svc.measuring.Unlock()
	reading, ok := svc.diskReading()
	if !ok {
		return nil
	}
	if worse {
		i, _ := alarm.Find(alarm.DiskFree)
		svc.mu.Lock()
		news := w.state.Worse(alarm.Key{Indicator: alarm.DiskFree}, i.Band(reading.Value))
		svc.mu.Unlock()
		if !news {
			return nil
		}
	}
	return svc.step(w, []alarm.Reading{reading}, now)
}

// watchDisk looks at the free space of the disk once, and takes it as a reading if it is worse than what is known. It
// costs one call of the system. What is better waits for the next refresh, so that a disk at its limit changes an
// alarm once a minute. It waits neither for a refresh nor for the store, which may be slow: the alarm is told before it
// is stored.
func (svc *Service) watchDisk() {
	w, err := svc.open(svc.Ctx, graph.ServerScope())
	if err != nil {
		return // the refresh says so
	}
	events := svc.stepDisk(w, svc.Now(), true)
	if len(events) == 0 {
		return
	}
	svc.govern()
	svc.keep(w)
	svc.tell(w, events)
	svc.notify(w, events)
	_ = svc.Spawn(func() { svc.save(audit.As(svc.Ctx, "alarm"), w) }) // at the end of the process the file has it
}
