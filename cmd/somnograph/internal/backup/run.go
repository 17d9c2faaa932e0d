package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// Source makes rounds. *Maker is the one of a store; [Remote] asks a server.
type Source interface {
	Next(ctx context.Context, prev []byte, full bool, put func(name string, object []byte) error) (*Made, error)
	// Committed is told the manifest that the target has.
	Committed(text []byte) error
}

// Status says how a backup goes.
type Status struct {
	Target string    // "directory" or "s3"
	Last   time.Time // when the backup was last known to hold everything; zero: never by this process
	Err    string    // of the last try, if it failed; empty: it did not
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
	Now       func() time.Time
	Logger    *slog.Logger
}

// Runner backs up a source to a target.
type Runner struct {
	o Options

	looked time.Time // when the target was last seen as it must be

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
	return &Runner{o: o, status: Status{Target: o.Target.Kind()}}
}

// Status returns how the backup goes. It is safe for concurrent use.
func (r *Runner) Status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// note keeps the result of a round that began at an instant.
func (r *Runner) note(began time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.status.Err = err.Error()
		return
	}
	r.status.Err, r.status.Last, r.most = "", began, 0
}

// putter stores the objects of a round, and notes how far it has come.
func (r *Runner) putter(ctx context.Context) func(name string, object []byte) error {
	stored := 0
	return func(name string, object []byte) error {
		if err := r.o.Target.Put(ctx, name, object); err != nil {
			return err
		}
		stored++
		r.mu.Lock()
		defer r.mu.Unlock()
		if stored > r.most {
			r.most, r.status.Advanced = stored, r.o.Now()
		}
		return nil
	}
}

// Once makes one round: a full export if full is set or the target has none.
func (r *Runner) Once(ctx context.Context, full bool) (*Made, error) {
	began := r.o.Now()
	prev, err := latest(ctx, r.o.Target)
	if err != nil && !errors.Is(err, ErrNoBackup) {
		r.note(began, err)
		return nil, err
	}
	made, err := r.round(ctx, prev, prev, full)
	r.note(began, err)
	return made, err
}

// errOther is returned if another process writes the same backup.
var errOther = errors.New("the backup at the target is not the one that was written last: another process writes it, or it was replaced")

// round makes the round after prev. now is the manifest that the target must have.
func (r *Runner) round(ctx context.Context, prev, now []byte, full bool) (*Made, error) {
	made, err := r.o.Source.Next(ctx, prev, full, r.putter(ctx))
	if err != nil {
		return nil, err
	}
	if !made.Changed {
		if r.o.Now().Sub(r.looked) < lookEvery {
			return made, nil
		}
		return made, r.unchanged(ctx, now)
	}
	if err := r.unchanged(ctx, now); err != nil {
		return nil, err
	}
	if err := r.o.Target.Put(ctx, manifestName(made.Manifest.Generation), made.Text); err != nil {
		return nil, fmt.Errorf("write the manifest: %w", err)
	}
	return made, r.o.Source.Committed(made.Text)
}

// lookEvery is how often the target is looked at while there is nothing to write.
const lookEvery = time.Minute

// unchanged returns errOther unless the target has the manifest.
func (r *Runner) unchanged(ctx context.Context, now []byte) error {
	there, err := latest(ctx, r.o.Target)
	if err != nil && !errors.Is(err, ErrNoBackup) {
		return err
	}
	if !bytes.Equal(there, now) {
		return errOther
	}
	r.looked = r.o.Now()
	return nil
}

// fullRound is the result of a full export in the background.
type fullRound struct {
	made  *Made
	began time.Time
	err   error
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
		switch {
		case manifest == nil:
			made, err := r.Once(ctx, false)
			if err == nil {
				text, manifest = made.Text, made.Manifest
				r.o.Logger.Info("[BACKUP] running", "target", r.o.Target.String(), "generation", manifest.Generation, "objects", manifest.Objects)
			}
			r.report(ctx, err)
		default:
			began := r.o.Now()
			made, err := r.round(ctx, text, text, false)
			r.note(began, err)
			r.report(ctx, err)
			switch {
			case errors.Is(err, errOther):
				manifest = nil
			case err == nil:
				text, manifest = made.Text, made.Manifest
			}
		}
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
			if f.err == nil {
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
	go func() {
		f := fullRound{began: r.o.Now()}
		f.made, f.err = r.o.Source.Next(ctx, prev, true, func(name string, object []byte) error { return r.o.Target.Put(ctx, name, object) })
		done <- f
	}()
	return done
}

// adopt makes a full export the generation that goes on, and removes old generations.
func (r *Runner) adopt(ctx context.Context, f *fullRound, now []byte) error {
	if err := r.unchanged(ctx, now); err != nil {
		return err
	}
	if err := r.o.Target.Put(ctx, manifestName(f.made.Manifest.Generation), f.made.Text); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err := r.o.Source.Committed(f.made.Text); err != nil {
		return err
	}
	r.o.Logger.Info("[BACKUP] a full export is complete", "generation", f.made.Manifest.Generation, "bytes", f.made.Manifest.Bytes, "lines", f.made.Manifest.Lines)
	return r.Prune(ctx)
}

// report logs the error of a round.
func (r *Runner) report(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		r.o.Logger.Error("[BACKUP] failed, trying again", "target", r.o.Target.String(), "error", err)
	}
}

// Prune removes all generations but the newest ones, as many as Keep says. The manifest goes
// first, so that no reader begins with a generation that is being removed.
func (r *Runner) Prune(ctx context.Context) error {
	generations, err := generationsOf(ctx, r.o.Target)
	if err != nil || r.o.Keep <= 0 || len(generations) <= r.o.Keep {
		return err
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
		if strings.HasSuffix(name, ".seg") && name < oldest[:strings.IndexByte(oldest, '/')] {
			if err := r.o.Target.Delete(ctx, name); err != nil {
				return fmt.Errorf("remove %s: %w", name, err)
			}
		}
	}
	return nil
}
