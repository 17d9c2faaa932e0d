package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Servers on one store keep the ages of all backups in it, so that each of them knows that one has
// stopped, whoever made it. ADR 137.

// agesSetting is the setting of [graph.ServerScope] with the ages. No journal names it, because of the
// hyphen: what a round notes is nothing that the next one has to back up.
const agesSetting = "backup-ages"

const (
	// noteEvery is how much later a backup must be known to hold everything before the store is told.
	noteEvery = 20 * time.Second
	// lookedEvery is how often the store is told that a server has looked at the ages.
	lookedEvery = 45 * time.Second
	// unwatched is how long ago that may be before the ages begin anew at the start of a server: nobody
	// wrote meanwhile.
	unwatched = 3 * time.Minute
	// endedKept is how long a backup that has ended is kept, so that the alarm of every server ends.
	endedKept = 24 * time.Hour
)

// ages is what the shared store knows.
type ages struct {
	Looked  time.Time      `json:"looked"` // when a server last looked at the ages
	Backups map[string]age `json:"backups"`
}

type age struct {
	Every  time.Duration `json:"every"`            // nanoseconds; 0: it has ended
	Since  time.Time     `json:"since"`            // when it had everything, advanced or ended
	Target string        `json:"target,omitempty"` // hash of the target of a server
}

// readAges reads the ages. What can't be parsed counts as none: they begin anew.
func readAges(r graph.Reader) (a ages, err error) {
	text, err := r.Setting(agesSetting)
	if known, err := graph.Found(err); err != nil {
		return a, err
	} else if known && json.Unmarshal(text, &a) != nil {
		a = ages{}
	}
	if a.Backups == nil {
		a.Backups = map[string]age{}
	}
	return a, nil
}

// Share makes a watch one of several on a store: from now on the store keeps the ages, and the file of
// the data directory none. If no server has looked at them for minutes, they begin anew.
func (w *Watch) Share(ctx context.Context, store graph.Store) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.store = store
	for _, x := range w.known {
		x.begun = true
	}
	err := w.change(ctx, func(a *ages, now time.Time) {
		for id, x := range a.Backups {
			if here := w.known[id]; here != nil {
				here.begun = false
			}
			if now.Sub(a.Looked) > unwatched && x.Every > 0 && x.Since.Before(now) {
				x.Since = now
				a.Backups[id] = x
			}
		}
		a.Looked = now
	})
	if err != nil {
		return err
	}
	return directory(w.dir).Delete(ctx, watchFile)
}

// change changes the ages of the store, adds what this process knows, and takes over the result. The
// lock is held, so that no process waits for the lock in a transaction.
func (w *Watch) change(ctx context.Context, change func(a *ages, now time.Time)) error {
	var a ages
	_, err := w.store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) (err error) {
		if a, err = readAges(tx); err != nil {
			return err
		}
		now := w.now()
		change(&a, now)
		for id, x := range w.known {
			x.into(a.Backups, id)
		}
		maps.DeleteFunc(a.Backups, func(_ string, x age) bool { return x.Every == 0 && now.Sub(x.Since) > endedKept })
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		return tx.PutSetting(agesSetting, text)
	})
	if err != nil {
		return fmt.Errorf("backup: note the ages in the store: %w", err)
	}
	for _, x := range w.known {
		x.begun = false
	}
	w.adopt(a)
	return nil
}

// into adds what a process knows of a backup and the store does not. What goes on is decided by who
// began or ended it.
func (x *watched) into(all map[string]age, id string) {
	stored, known := all[id]
	if !known && !x.begun {
		return
	}
	if x.begun || x.every > 0 && stored.Every > 0 {
		stored.Every = x.every
	}
	if x.since.After(stored.Since) {
		stored.Since = x.since
	}
	if stored.Target == "" {
		stored.Target = x.target
	}
	all[id] = stored
}

// read takes over what the store knows. It reports false for a store that is not shared.
func (w *Watch) read(ctx context.Context) (shared bool, err error) {
	_, shared, err = w.readAges(ctx)
	return shared, err
}

func (w *Watch) readAges(ctx context.Context) (a ages, shared bool, err error) {
	w.mu.Lock()
	store := w.store
	w.mu.Unlock()
	if store == nil {
		return a, false, nil
	}
	err = store.View(ctx, graph.ServerScope(), func(r graph.Reader) (err error) {
		a, err = readAges(r)
		return err
	})
	if err != nil {
		return a, true, fmt.Errorf("backup: read the ages: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.adopt(a)
	return a, true, nil
}

// adopt makes the ages of the store those of the process. The lock is held.
func (w *Watch) adopt(a ages) {
	maps.DeleteFunc(w.known, func(id string, x *watched) bool { _, known := a.Backups[id]; return !known && !x.begun })
	for id, stored := range a.Backups {
		x := w.known[id]
		if x == nil {
			x = &watched{}
			w.known[id] = x
		}
		x.noted = stored.Since
		if x.begun {
			continue
		}
		x.every, x.target = stored.Every, stored.Target
		if x.since.Before(x.noted) {
			x.since = x.noted
		}
	}
}

// note stores what this process knows. The lock is held.
func (w *Watch) note(ctx context.Context) error {
	return w.change(ctx, func(*ages, time.Time) {})
}

// look reads the ages for an indicator, and notes that a server has looked. It reports false for a store
// that is not shared. While the store is away, the ages are those that the process knows.
func (w *Watch) look(ctx context.Context) (shared bool) {
	a, shared, err := w.readAges(ctx)
	if err != nil || !shared || w.now().Sub(a.Looked) < lookedEvery {
		return shared
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.change(ctx, func(a *ages, now time.Time) { a.Looked = now }) // the next look tries again, or another server's
	return true
}

// own is the part of a runner that tells a watch of its backup.
type own struct {
	watch    *Watch // nil: nobody is told
	began    time.Time
	identity string // of the backup; empty: no round has ended well yet
	target   string // hash
}

// newOwn is that part. Until the identity of the backup is known, the hash of its target stands for it,
// with the name of this machine if the target is a directory.
func newOwn(o Options) own {
	name := targetName(o.Target)
	if host, err := os.Hostname(); err == nil && o.Target.Kind() == "directory" {
		name = host + ":" + name
	}
	sum := sha256.Sum256([]byte(name))
	return own{watch: o.Watch, began: o.Began, target: hex.EncodeToString(sum[:16])}
}

// tell tells the watch how the last round ended. identity is empty after one that failed.
func (r *Runner) tell(ctx context.Context, identity string) {
	o := &r.own
	if o.watch == nil {
		return
	}
	if identity != "" {
		o.identity = identity
	}
	if err := r.telling(ctx); err != nil && ctx.Err() == nil && r.toldErr != err.Error() { // the backup is more important
		r.toldErr = err.Error()
		r.o.Logger.Warn("[BACKUP] other servers are not told of its age", "target", r.o.Target.String(), "error", err)
	}
}

func (r *Runner) telling(ctx context.Context) error {
	w, o := r.own.watch, r.own
	if shared, err := w.read(ctx); err != nil || !shared {
		return err
	}
	every, age := r.Going()
	id := w.identity(o)
	if age < 0 && id == o.target {
		age = max(0, w.now().Sub(o.began))
	}
	if id != o.target && w.goesOn(o.target) { // its identity is known now
		if err := w.Ended(ctx, o.target); err != nil {
			return err
		}
	}
	return w.goes(ctx, id, o.target, every, age)
}

// identity is the identity under which a runner's backup is watched.
func (w *Watch) identity(o own) string {
	if o.identity != "" {
		return o.identity
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(w.known)) {
		if x := w.known[id]; x.every > 0 && x.target == o.target && id != o.target {
			return id // an earlier process made it
		}
	}
	return o.target
}

func (w *Watch) goesOn(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.known[id]
	return x != nil && x.every > 0
}

// tellAdvance tells the watch that a round has stored so many objects.
func (r *Runner) tellAdvance(ctx context.Context, objects int) {
	if r.own.watch == nil {
		return
	}
	if err := r.own.watch.advanced(ctx, r.own.watch.identity(r.own), objects); err != nil && ctx.Err() == nil {
		r.o.Logger.Warn("[BACKUP] other servers are not told that it advances", "target", r.o.Target.String(), "error", err)
	}
}
