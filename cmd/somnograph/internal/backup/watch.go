package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// watchFile is the file of a data directory with the backups that commands go on with, and their
// intervals.
const watchFile = "backup-watch.json"

// Watch keeps how old the backups are that commands make over the API and go on with. A command that
// is gone, or whose target is away, is noticed by the age. It is safe for concurrent use.
type Watch struct {
	dir string // data directory; empty: nothing is kept after the process
	now func() time.Time

	mu    sync.Mutex
	known map[string]*watched // by identity of the backup
}

// watched is a backup that a command goes on with.
type watched struct {
	every time.Duration // zero: it has ended
	since time.Time     // when it was last known to hold everything, or a round advanced
	most  int           // objects that a round has sent since the command last reported an age
}

// NewWatch returns the watch of a data directory, with the backups that went on when its server ended:
// their age begins now.
func NewWatch(dir string, now func() time.Time) (*Watch, error) {
	w := &Watch{dir: dir, now: now, known: map[string]*watched{}}
	if dir == "" {
		return w, nil
	}
	b, err := directory(dir).Get(context.Background(), watchFile)
	if errors.Is(err, ErrNoObject) {
		return w, nil
	}
	every := map[string]time.Duration{}
	if err == nil {
		err = json.Unmarshal(b, &every)
	}
	if err != nil {
		return w, fmt.Errorf("read %s of the data directory, which names the backups that commands make: %w", watchFile, err)
	}
	for id, interval := range every {
		w.known[id] = &watched{every: interval, since: now()}
	}
	return w, nil
}

// Goes notes that a command goes on with a backup. age is the age that the command knows; negative: it
// has made no round yet.
func (w *Watch) Goes(id string, every, age time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.known[id]
	begins := x == nil || x.every == 0
	if begins {
		x = &watched{since: w.now()}
		w.known[id] = x
	}
	if age >= 0 {
		x.since, x.most = w.now().Add(-age), 0
	}
	changed := x.every != every
	x.every = every
	if !changed {
		return nil
	}
	return w.save()
}

// Ended notes that a backup does not go on; "": none does.
func (w *Watch) Ended(id string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for known, x := range w.known {
		if id == "" || id == known {
			x.every = 0
		}
	}
	return w.save()
}

// advanced notes that a round has sent so many objects.
func (w *Watch) advanced(id string, objects int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if x := w.known[id]; x != nil && objects > x.most {
		x.most, x.since = objects, w.now()
	}
}

func (w *Watch) save() error {
	if w.dir == "" {
		return nil
	}
	every := map[string]time.Duration{}
	for id, x := range w.known {
		if x.every > 0 {
			every[id] = x.every
		}
	}
	b, err := json.Marshal(every)
	if err != nil {
		return err
	}
	return directory(w.dir).Put(context.Background(), watchFile, b)
}

// Due says by how much a backup is overdue: how much older it is than its interval.
type Due struct {
	Backup string // identity; empty: that of the server itself
	Every  time.Duration
	By     time.Duration
	Spared bool // By is less than the delay, because another backup is up to date
}

// Name names the backup in an alarm; empty: that of the server itself.
func (d Due) Name() string { return d.Backup[:min(len(d.Backup), 8)] }

// Detail says more of the backup in an alarm.
func (d Due) Detail() string {
	var parts []string
	if d.Every > 5*time.Minute {
		parts = append(parts, "beyond its interval of "+d.Every.String())
	}
	if d.Spared {
		parts = append(parts, "or more; another backup is up to date")
	}
	if d.Backup != "" && d.Every > 0 {
		parts = append(parts, "made over the API; if it is to end, run somnograph backup --end")
	}
	return strings.Join(parts, "; ")
}

// Due returns the backups that commands have gone on with since the process began. Those that have ended
// are not overdue. Without a watch there are none.
func (w *Watch) Due() []Due {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Due
	for _, id := range slices.Sorted(maps.Keys(w.known)) {
		d := Due{Backup: id, Every: w.known[id].every}
		if d.Every > 0 {
			d.By = max(0, w.now().Sub(w.known[id].since)-d.Every)
		}
		all = append(all, d)
	}
	return all
}

// Due says by how much the backup of a server that began at an instant is overdue.
func (r *Runner) Due(now, began time.Time) Due {
	return Due{Every: r.o.Every, By: max(0, r.Status().Age(now, began)-r.o.Every)}
}

// Going is the interval of a runner and the age of its backup; negative: it has made no round yet.
func (r *Runner) Going() (every, age time.Duration) {
	s := r.Status()
	if s.Last.IsZero() {
		return r.o.Every, -1
	}
	return r.o.Every, max(0, s.Age(r.o.Now(), s.Last))
}

// Spare limits the delay of each backup to most while another one is overdue by no more than healthy, so
// that an action that protects what no backup has is not taken.
func Spare(all []Due, healthy, most time.Duration) []Due {
	spared := slices.Clone(all)
	for i := range spared {
		other := func(d Due) bool { return d.Backup != spared[i].Backup && d.Every > 0 && d.By <= healthy }
		if spared[i].By > most && slices.ContainsFunc(all, other) {
			spared[i].By, spared[i].Spared = most, true
		}
	}
	return spared
}
