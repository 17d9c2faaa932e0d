package backup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"strings"
	"sync"
	"time"
)

// Source makes rounds. *Maker is the one of a store; [Remote] asks a server.
type Source interface {
	Next(ctx context.Context, prev []byte, full bool, put func(name string, object []byte) error) (*Made, error)
	// Committed is told the manifest that the target has.
	Committed(text []byte) error
	// Kept is told the oldest generation that the target has, with the manifest of a later one.
	Kept(ctx context.Context, text []byte, oldest int) error
}

// Status says how a backup goes.
type Status struct {
	Target string    // "directory" or "s3"
	Last   time.Time // when the backup was last known to hold everything; zero: never by this process
	Err    string    // of the last try, if it failed, without names of the target; empty: it did not
	// Advanced is when a round last stored an object that no try since Last had come to; zero: never.
	// A full export of a large store takes longer than a backup may be old.
	Advanced time.Time
}

// Age is how old the backup is: the time since it was last known to hold everything, since a server
// without a backup began, or since a round advanced. A round that fails at the same
// place again and again does not advance.
func (s Status) Age(now, began time.Time) time.Duration {
	since := s.Last
	if since.IsZero() {
		since = began
	}
	if s.Advanced.After(since) {
		since = s.Advanced
	}
	return now.Sub(since)
}

// Options configure a Runner.
type Options struct {
	Source Source
	Target Target
	Every  time.Duration // between two rounds; zero: 5 s
	// FullEvery is the age of a generation at which the next full export begins. Zero: 24 h.
	FullEvery time.Duration
	Keep      int // generations that are kept; 0: all
	// Dir is the data directory, which remembers the targets. Empty: the runner alone does.
	Dir    string
	Now    func() time.Time
	Logger *slog.Logger
	// Watch is told how the backup goes, if the store is shared; nil: nobody is. Before the first round the
	// age counts from Began.
	Watch *Watch
	Began time.Time
}

// Runner backs up a source to a target.
type Runner struct {
	o Options

	looked time.Time // when the target was last seen as it must be
	mark   string    // of the target; empty: not known yet

	own     own    // tells the watch of the server
	toldErr string // the last error of that which was logged

	reported   string // the last error that was logged
	reportedAt time.Time

	mu     sync.Mutex
	status Status
	most   int // objects that a try has stored since the last round that ended well
}

// NewRunner makes a runner.
func NewRunner(o Options) *Runner {
	if o.Every == 0 {
		o.Every = 5 * time.Second
	}
	if o.FullEvery == 0 {
		o.FullEvery = 24 * time.Hour
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{o: o, own: newOwn(o), status: Status{Target: o.Target.Kind()}}
}

// Status returns how the backup goes. It is safe for concurrent use.
func (r *Runner) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// unnamed is a text without what names a target: every tenant of a server reads why its backup fails, and the log says where.
func unnamed(text string, t Target) string {
	for _, name := range t.Names() {
		if name != "" {
			text = strings.ReplaceAll(text, name, "the target")
		}
	}
	return text
}

// note keeps the result of a round that began at an instant.
func (r *Runner) note(ctx context.Context, began time.Time, made *Made, err error) {
	identity := ""
	r.mu.Lock()
	if err != nil {
		r.status.Err = unnamed(err.Error(), r.o.Target)
	} else {
		r.status.Err, r.status.Last, r.most = "", began, 0
		identity = made.Manifest.Backup
	}
	r.mu.Unlock()
	r.tell(ctx, identity)
}

// putter stores the objects of a round after a manifest, and notes how far it has come. undo removes
// what was stored, when the round does not become part of the backup.
func (r *Runner) putter(ctx context.Context, prev []byte) (put func(name string, object []byte) error, undo func()) {
	var stored []string
	put = func(name string, object []byte) error {
		if len(stored) == 0 { // a target that went away is not written to
			if err := r.unchanged(ctx, prev); err != nil {
				return err
			}
		}
		stored = append(stored, name)
		if err := r.o.Target.Put(ctx, name, object); err != nil {
			return err
		}
		r.mu.Lock()
		if len(stored) > r.most {
			r.most, r.status.Advanced = len(stored), r.o.Now()
		}
		r.mu.Unlock()
		r.tellAdvance(ctx, len(stored))
		return nil
	}
	return put, func() { r.remove(ctx, stored) }
}

// remove removes the objects of a round that does not become part of the backup. What stays is removed
// with its generation.
func (r *Runner) remove(ctx context.Context, names []string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTime)
	defer cancel()
	for _, name := range names {
		if err := r.o.Target.Delete(ctx, name); err != nil {
			return
		}
	}
}

// undoTime is how long the removal of the objects of a failed round may take.
const undoTime = 10 * time.Second

// tries is how often a round is made again after another process has written.
const tries = 8

// Once makes one round: a full export if full is set or the target has none. If another process writes
// meanwhile, the round goes on after that.
func (r *Runner) Once(ctx context.Context, full bool) (made *Made, err error) {
	began := r.o.Now()
	for range tries {
		var prev []byte
		if prev, err = r.first(ctx); err == nil {
			made, err = r.round(ctx, prev, full)
		}
		if !errors.Is(err, errOther) {
			break
		}
	}
	r.note(ctx, began, made, err)
	return made, err
}

// after makes the round after a manifest, or after a later one that another process wrote.
func (r *Runner) after(ctx context.Context, prev []byte) (*Made, error) {
	began := r.o.Now()
	made, err := r.round(ctx, prev, false)
	if errors.Is(err, errOther) {
		if made, err = r.Once(ctx, false); err == nil { // otherwise the target may be gone
			r.o.Logger.Info("[BACKUP] another process has written to the backup; going on after it", "target", r.o.Target.String())
		}
		return made, err
	}
	r.note(ctx, began, made, err)
	return made, err
}

// errOther is returned if another process writes the same backup.
var errOther = errors.New("another process writes the backup at the target again and again, or it was replaced")

// round makes the round after prev, which must be the newest manifest of the target.
func (r *Runner) round(ctx context.Context, prev []byte, full bool) (*Made, error) {
	put, undo := r.putter(ctx, prev)
	made, err := r.o.Source.Next(ctx, prev, full, put)
	if err != nil {
		undo()
		return nil, err
	}
	if !made.Changed {
		if r.o.Now().Sub(r.looked) < lookEvery {
			return made, nil
		}
		return made, r.unchanged(ctx, prev)
	}
	return made, r.publish(ctx, prev, made, undo)
}

// publish writes the manifest of a round, which makes it part of the backup, if the one before is still
// there.
func (r *Runner) publish(ctx context.Context, prev []byte, made *Made, undo func()) error {
	if err := r.unchanged(ctx, prev); err != nil {
		undo()
		return err
	}
	old := prev
	if g := generationOf(prev); g != made.Manifest.Generation {
		old = nil
	}
	err := r.o.Target.Swap(ctx, manifestName(made.Manifest.Generation), old, made.Text)
	if errors.Is(err, ErrChanged) {
		undo()
		return errOther
	}
	if err != nil { // it may have been written
		return fmt.Errorf("write the manifest: %w", err)
	}
	return r.o.Source.Committed(made.Text)
}

// generationOf is the generation of a manifest, 0 without one.
func generationOf(text []byte) int {
	if m, err := peekManifest(text); err == nil {
		return m.Generation
	}
	return 0
}

// lookEvery is how often the target is looked at while there is nothing to write, and how often the same
// error is logged.
const lookEvery = time.Minute

// unchanged returns errOther unless the newest manifest of the target is prev.
func (r *Runner) unchanged(ctx context.Context, prev []byte) error {
	if len(prev) == 0 {
		if _, err := latest(ctx, r.o.Target); !errors.Is(err, ErrNoBackup) {
			return cmp.Or(err, errOther)
		}
		return nil
	}
	g := generationOf(prev)
	there, err := r.o.Target.Get(ctx, manifestName(g))
	if err == nil && bytes.Equal(there, prev) {
		if _, err = r.o.Target.Get(ctx, manifestName(g+1)); errors.Is(err, ErrNoObject) {
			r.looked = r.o.Now()
			return nil
		}
	}
	if err != nil && !errors.Is(err, ErrNoObject) {
		return err
	}
	return errOther
}

// fullRound is the result of a full export in the background.
type fullRound struct {
	made  *Made
	began time.Time
	err   error
	undo  func() // removes the objects
}

// Run makes rounds until ctx ends. Full exports are made in the background, while segments go on.
// Errors are logged and kept in the status, and the round is tried again.
func (r *Runner) Run(ctx context.Context) {
	ticks := time.NewTicker(r.o.Every)
	defer ticks.Stop()
	var text []byte
	var manifest *Manifest
	var fulls chan fullRound
	for {
		var made *Made
		var err error
		if manifest == nil {
			made, err = r.Once(ctx, false)
		} else {
			made, err = r.after(ctx, text)
		}
		if err == nil {
			if manifest == nil {
				r.o.Logger.Info("[BACKUP] running", "target", r.o.Target.String(), "generation", made.Manifest.Generation, "objects", made.Manifest.Objects)
			}
			text, manifest = made.Text, made.Manifest
		}
		r.report(ctx, err)
		if manifest != nil && fulls == nil && r.o.Now().Sub(manifest.FullAt) >= r.o.FullEvery {
			fulls = r.beginFull(ctx, text)
		}
		select {
		case <-ctx.Done():
			if fulls != nil {
				<-fulls
			}
			return
		case f := <-fulls:
			fulls = nil
			if f.err == nil {
				f.err = r.adopt(ctx, &f, text)
			}
			switch {
			case errors.Is(f.err, errOther): // it has a newer generation
				f.err, text, manifest = nil, nil, nil
			case f.err == nil:
				text, manifest = f.made.Text, f.made.Manifest
			}
			r.report(ctx, f.err)
		case <-ticks.C:
		}
	}
}

// beginFull makes a full export after a manifest in the background, without its own manifest.
func (r *Runner) beginFull(ctx context.Context, prev []byte) chan fullRound {
	done := make(chan fullRound, 1)
	r.o.Logger.Info("[BACKUP] a full export begins", "target", r.o.Target.String())
	var stored []string
	put := func(name string, object []byte) error {
		stored = append(stored, name)
		return r.o.Target.Put(ctx, name, object)
	}
	go func() {
		f := fullRound{began: r.o.Now(), undo: func() { r.remove(ctx, stored) }}
		if f.made, f.err = r.o.Source.Next(ctx, prev, true, put); f.err != nil {
			f.undo()
		}
		done <- f
	}()
	return done
}

// adopt makes a full export the generation that goes on, and removes old generations. Segments that
// another process added to the generation before are no reason against it.
func (r *Runner) adopt(ctx context.Context, f *fullRound, now []byte) error {
	there, err := latest(ctx, r.o.Target)
	if err != nil && !errors.Is(err, ErrNoBackup) {
		return err
	}
	if generationOf(there) != generationOf(now) {
		f.undo()
		return errOther
	}
	err = r.o.Target.Swap(ctx, manifestName(f.made.Manifest.Generation), nil, f.made.Text)
	if errors.Is(err, ErrChanged) {
		f.undo()
		return errOther
	}
	if err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err := r.o.Source.Committed(f.made.Text); err != nil {
		return err
	}
	r.o.Logger.Info("[BACKUP] a full export is complete", "generation", f.made.Manifest.Generation, "bytes", f.made.Manifest.Bytes, "lines", f.made.Manifest.Lines)
	return r.Prune(ctx)
}

// report logs the error of a round, the same one once a minute.
func (r *Runner) report(ctx context.Context, err error) {
	if err == nil {
		r.reported = ""
		return
	}
	if ctx.Err() != nil || err.Error() == r.reported && r.o.Now().Sub(r.reportedAt) < lookEvery {
		return
	}
	r.reported, r.reportedAt = err.Error(), r.o.Now()
	r.o.Logger.Error("[BACKUP] failed, trying again", "target", r.o.Target.String(), "error", err)
}

// Prune removes all generations but the newest ones, as many as Keep says, and tells the source the
// oldest that is left. The manifest goes first, so that no reader begins with a generation that is being
// removed.
func (r *Runner) Prune(ctx context.Context) error {
	generations, err := generationsOf(ctx, r.o.Target)
	if err != nil || len(generations) == 0 {
		return err
	}
	if err := r.removeOld(ctx, generations); err != nil {
		return err
	}
	if r.o.Keep > 0 && len(generations) > r.o.Keep {
		generations = generations[len(generations)-r.o.Keep:]
	}
	text, err := r.o.Target.Get(ctx, manifestName(generations[len(generations)-1]))
	if err != nil {
		return err
	}
	return r.o.Source.Kept(ctx, text, generations[0])
}

// removeOld removes generations, which are ascending, but as many of the last as Keep says.
func (r *Runner) removeOld(ctx context.Context, generations []int) error {
	if r.o.Keep <= 0 || len(generations) <= r.o.Keep {
		return nil
	}
	for _, g := range generations[:len(generations)-r.o.Keep] {
		if err := r.o.Target.Delete(ctx, manifestName(g)); err != nil {
			return fmt.Errorf("remove generation %d: %w", g, err)
		}
	}
	oldest := manifestName(generations[len(generations)-r.o.Keep])
	names, err := r.o.Target.List(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if path.Base(name) != "manifest" && name < path.Dir(oldest) {
			if err := r.o.Target.Delete(ctx, name); err != nil {
				return fmt.Errorf("remove %s: %w", name, err)
			}
		}
	}
	return nil
}
