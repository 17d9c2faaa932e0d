package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// watchFile is the file of a data directory with the backups that commands go on with, and their
// intervals.
const watchFile = "backup-watch.json"

// Watch keeps how old the backups are that commands make over the API and go on with. A command that
// is gone, or whose target is away, is noticed by the age. With a shared store it keeps those of all
// servers, also the ones that servers make themselves. It is safe for concurrent use.
type Watch struct {
	dir string // data directory; empty: nothing is kept after the process
	now func() time.Time

	mu    sync.Mutex
	store graph.Store         // that all servers share; nil: there is none
	known map[string]*watched // by identity of the backup
}

// watched is a backup that a command or a server goes on with.
type watched struct {
	every  time.Duration // zero: it has ended
	since  time.Time     // when it was last known to hold everything, or a round advanced
	most   int           // objects that a round has sent since the command last reported an age
	noted  time.Time     // since, as the shared store has it
	target string        // of a backup that a server makes, as a hash; empty: a command does
	begun  bool          // it began or ended, and the shared store does not know that yet
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
		return w, fmt.Errorf("read %s, which names the backups that commands make: %w; the next round of each command writes it again", filepath.Join(dir, watchFile), err)
	}
	for id, interval := range every {
		w.known[id] = &watched{every: interval, since: now()}
	}
	return w, nil
}

// Goes notes that a command goes on with a backup. age is the age that the command knows; negative: it
// has made no round yet.
func (w *Watch) Goes(ctx context.Context, id string, every, age time.Duration) error {
	return w.goes(ctx, id, "", every, age)
}

func (w *Watch) goes(ctx context.Context, id, target string, every, age time.Duration) error {
	shared, err := w.read(ctx)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.known[id]
	begins := x == nil || x.every == 0
	if begins {
		x = &watched{since: w.now(), target: target}
		w.known[id] = x
	}
	if age >= 0 {
		x.since, x.most = w.now().Add(-age), 0
	}
	changed := x.every != every
	x.every = every
	switch {
	case shared && (begins || x.since.Sub(x.noted) >= noteEvery):
		x.begun = begins
		return w.note(ctx)
	case shared || !changed:
		return nil
	}
	return w.save()
}

// Ended notes that a backup does not go on; "": none does.
func (w *Watch) Ended(ctx context.Context, id string) error {
	shared, err := w.read(ctx)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for known, x := range w.known {
		if id == "" || id == known {
			x.every, x.since, x.begun = 0, w.now(), true
		}
	}
	if shared {
		return w.note(ctx)
	}
	return w.save()
}

// advanced notes that a round has sent so many objects.
func (w *Watch) advanced(ctx context.Context, id string, objects int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.known[id]
	if x == nil || objects <= x.most {
		return nil
	}
	x.most, x.since = objects, w.now()
	if w.store == nil || x.since.Sub(x.noted) < noteEvery {
		return nil
	}
	return w.note(ctx)
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
	Server bool   // a server makes it, and its identity is known because the store is shared
	Every  time.Duration
	By     time.Duration
	Spared bool   // By is less than the delay, because another backup is up to date
	Failed string // error of the last try, if it failed and this process made it
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
	if d.Failed != "" {
		parts = append(parts, "the last try failed: "+shortened(d.Failed))
	}
	switch {
	case d.Backup == "" || d.Every == 0:
	case d.Server:
		parts = append(parts, "made by a server (backup-to); if none is to make it any more, run somnograph backup --end")
	default:
		parts = append(parts, "made over the API; if it is to end, run somnograph backup --end")
	}
	return strings.Join(parts, "; ")
}

// maxFailed is how much of an error an alarm carries, in bytes.
const maxFailed = 300

// shortened is a text on one line, of at most maxFailed bytes.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxFailed {
		text = strings.ToValidUTF8(text[:maxFailed], "") + "…"
	}
	return text
}

// due returns the backups that have gone on since the process began, with a shared store those of all
// servers. Those that have ended are not overdue.
func (w *Watch) due() []Due {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Due
	for _, id := range slices.Sorted(maps.Keys(w.known)) {
		x := w.known[id]
		d := Due{Backup: id, Every: x.every, Server: x.target != ""}
		if d.Every > 0 {
			d.By = max(0, w.now().Sub(x.age())-d.Every)
		}
		all = append(all, d)
	}
	return all
}

// age is the instant from which the age counts: the one that all servers know, if they do.
func (x *watched) age() time.Time {
	if x.noted.IsZero() {
		return x.since
	}
	return x.noted
}

// Due returns by how much each backup is overdue: those that commands go on with, and own, that of a
// server that began at an instant; nil: it makes none. With a shared store it returns those of all servers,
// and every server returns the same.
func (w *Watch) Due(ctx context.Context, own *Runner, began time.Time) []Due {
	var all []Due
	var shared bool
	if w != nil {
		shared = w.look(ctx)
		all = w.due()
	}
	if own != nil && !shared {
		all = append(all, own.Due(own.o.Now(), began))
	}
	if own != nil && shared {
		id := w.identity(own.own)
		for i := range all {
			if all[i].Backup == id && all[i].Every > 0 {
				all[i].Failed = own.Status().Err
			}
		}
	}
	return all
}

// Due says by how much the backup of a server that began at an instant is overdue.
func (r *Runner) Due(now, began time.Time) Due {
	s := r.Status()
	return Due{Every: r.o.Every, By: max(0, s.Age(now, began)-r.o.Every), Failed: s.Err}
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
