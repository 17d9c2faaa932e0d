package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/counted"
)

// backupTarget is the target of a backup on a command line.
type backupTarget struct {
	where, endpoint, region string
	insecure                bool
	older                   bool // a backup to read may be an older copy
}

// backupFlags adds the flags that name a target.
func backupFlags(fs *pflag.FlagSet, env environment, name, usage string) *backupTarget {
	t := &backupTarget{}
	fs.StringVar(&t.where, name, "", usage)
	fs.StringVar(&t.endpoint, "endpoint", variable(env.environ, "SOMNOGRAPH_BACKUP_ENDPOINT"), "S3-compatible store of an s3:// address, host:port (default: that of AWS)")
	fs.StringVar(&t.region, "region", variable(env.environ, "SOMNOGRAPH_BACKUP_REGION"), "region of the bucket (default: the endpoint is asked)")
	fs.BoolVar(&t.insecure, "insecure", variable(env.environ, "SOMNOGRAPH_BACKUP_INSECURE") == "true", "HTTP without TLS to the endpoint")
	return t
}

// olderFlag adds the flag that accepts an older copy of a backup.
func olderFlag(fs *pflag.FlagSet, t *backupTarget) {
	fs.BoolVar(&t.older, "older", false, "accept a backup that ends before the last segment that the keys know of, such as an older copy")
}

// parse returns the target, which may not exist yet. Keys come from the environment.
func (t *backupTarget) parse(env environment, name string) (backup.Target, error) {
	if t.where == "" {
		return nil, usageError{fmt.Errorf("needs --%s: a directory, or s3://bucket/prefix", name)}
	}
	target, err := backup.ParseTarget(t.where, t.s3(env))
	if err != nil {
		return nil, usageError{fmt.Errorf("--%s: %w", name, err)}
	}
	return target, nil
}

// open opens a target that exists.
func (t *backupTarget) open(ctx context.Context, env environment, name string) (backup.Target, error) {
	if _, err := t.parse(env, name); err != nil {
		return nil, err
	}
	return backup.OpenTarget(ctx, t.where, t.s3(env), false)
}

func (t *backupTarget) s3(env environment) backup.S3 {
	return backup.S3{
		Endpoint: t.endpoint, Region: t.region, Insecure: t.insecure,
		AccessKey: variable(env.environ, "SOMNOGRAPH_BACKUP_ACCESS_KEY"), SecretKey: variable(env.environ, "SOMNOGRAPH_BACKUP_SECRET_KEY"),
	}
}

func newBackup(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup",
		Short: "Back up the store of a running server to a directory or a bucket",
		Long: "Back up the store of a running server: at first everything, then what changed since. The objects are sealed with a key in the\n" +
			"server's directory of keys, without which nothing can be restored. With --every it goes on until it is interrupted; if it ends\n" +
			"otherwise, the server raises the alarm backup_age. A server does the same by itself with the setting backup.to. Credentials of a\n" +
			"bucket are in SOMNOGRAPH_BACKUP_ACCESS_KEY and SOMNOGRAPH_BACKUP_SECRET_KEY, or those of the environment. See docs/backup.md.",
		Args: none,
	}
	server := serverFlags(cmd, env)
	to := backupFlags(cmd.Flags(), env, "to", "where: a directory, or s3://bucket/prefix")
	every := cmd.Flags().Duration("every", 0, "go on, with this time between two segments, 1s to 1h (default: end after one)")
	full := cmd.Flags().Bool("full", false, "begin with a full export, even if there is a backup")
	fullEvery := cmd.Flags().Duration("full-every", 24*time.Hour, "time between two full exports, 1m to 2160h")
	keep := cmd.Flags().Int("keep", 0, "full exports that are kept, with their segments; 0: all")
	end := cmd.Flags().Bool("end", false, "make no backup: tell the server that none goes on over the API, so that their age raises no alarm")
	cmd.RunE = server.run(func(ctx context.Context, c *client.Client, _ []string) error {
		if *end {
			return c.BackupEnded(ctx, backup.MediaType, nil)
		}
		if err := checkIntervals(cmd.Flags(), *every, *fullEvery, *keep); err != nil {
			return err
		}
		target, err := to.parse(env, "to")
		if err != nil {
			return err
		}
		cfg := config.Config{}
		var last atomic.Pointer[[]byte] // manifest with which the server was told that the backup goes on
		source := &backup.Remote{Post: func(ctx context.Context, manifest []byte, query url.Values) (io.ReadCloser, error) {
			if *every > 0 && len(manifest) > 0 {
				last.Store(&manifest)
			}
			return c.Backup(ctx, backup.MediaType, manifest, query)
		}, Tell: func(manifest []byte) error {
			return c.BackupCommitted(context.WithoutCancel(ctx), backup.MediaType, manifest)
		}, Keep: func(manifest []byte, oldest int) error {
			return c.BackupKept(context.WithoutCancel(ctx), backup.MediaType, manifest, oldest)
		}}
		r := backup.NewRunner(backup.Options{
			Source: source, Target: target, Every: *every, FullEvery: *fullEvery, Keep: *keep, Now: time.Now, Logger: cfg.Logger(env.err),
		})
		if *every > 0 {
			source.Going = r.Going
		}
		if err := backUp(ctx, env, r, target, *full, *every > 0); !errors.Is(context.Cause(ctx), errInterrupted) || last.Load() == nil {
			return err
		}
		return endBackup(ctx, c, *last.Load())
	})
	cmd.AddCommand(newBackupVerify(env))
	return cmd
}

// backUp makes a round, and with on more of them until ctx ends.
func backUp(ctx context.Context, env environment, r *backup.Runner, target backup.Target, full, on bool) error {
	made, err := r.Once(ctx, full)
	if err != nil {
		return err
	}
	if err := r.Prune(ctx); err != nil {
		return err
	}
	if err := printMade(env, target, made); err != nil || !on {
		return err
	}
	r.Run(ctx)
	return nil
}

// endBackup tells the server that a person has interrupted a backup. The age of one that ends in another
// way is to raise an alarm.
func endBackup(ctx context.Context, c *client.Client, manifest []byte) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastRound)
	defer cancel()
	if err := c.BackupEnded(ctx, backup.MediaType, manifest); err != nil {
		return fmt.Errorf("the server was not told that the backup has ended, and will raise an alarm; somnograph backup --end tells it: %w", err)
	}
	return nil
}

// checkIntervals refuses what a server refuses as backup.every, backup.full-every and backup.keep.
func checkIntervals(fs *pflag.FlagSet, every, fullEvery time.Duration, keep int) error {
	switch {
	case fs.Changed("every") && (every < time.Second || every > time.Hour):
		return usageError{fmt.Errorf("--every must be 1s to 1h (got %s); without it the command ends after one segment", every)}
	case fullEvery < time.Minute || fullEvery > 90*24*time.Hour:
		return usageError{fmt.Errorf("--full-every must be 1m to 2160h (got %s)", fullEvery)}
	case keep < 0 || keep > 10_000:
		return usageError{fmt.Errorf("--keep must be 0 (all) to 10000 (got %d)", keep)}
	}
	return nil
}

// printMade prints what a backup has.
func printMade(env environment, t backup.Target, made *backup.Made) error {
	m := made.Manifest
	what := "backed up to"
	if !made.Changed {
		what = "nothing changed in"
	}
	_, err := printf(env.out, "%s %s: generation %d with %s, %s, %s; the last boundary is at %s\n",
		what, t, m.Generation, counted.Of(m.Objects, "segment"), counted.Of(m.Lines, "line"), sizeText(m.Bytes), backup.BoundaryText(m.At))
	return err
}

// sizeText is a number of bytes for people.
func sizeText(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// openBackup opens a backup for reading, with the key of its store.
func openBackup(ctx context.Context, env environment, from *backupTarget, keys string) (*backup.Reader, string, error) {
	t, err := from.open(ctx, env, "from")
	if err != nil {
		return nil, "", err
	}
	store, err := backup.StoreOf(ctx, t)
	if err != nil {
		return nil, "", err
	}
	known, heads, err := backup.KeyOf(keys, store)
	if err != nil {
		return nil, "", err
	}
	r, err := backup.Open(t, store, known, heads)
	if err == nil {
		r.Older = from.older
	}
	return r, store, err
}

// storedConfig is the configuration of a server that does not run, with some settings.
func storedConfig(env environment, settings map[string]string) (*config.Config, error) {
	fs := pflag.NewFlagSet("stored", pflag.ContinueOnError)
	config.Flags(fs)
	for name, value := range settings {
		if value == "" {
			continue
		}
		if err := fs.Set(name, value); err != nil {
			return nil, usageError{err}
		}
	}
	c, _, err := config.Load(fs, serverEnvironment(env))
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

func newBackupVerify(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check a backup: restore it in memory and compare",
		Long: "Check a backup. Every segment of every generation is authenticated and compared with the signed manifests; then the backup is\n" +
			"restored in memory, or in a temporary directory if it is large, and every row is compared with the backup. With --at only what\n" +
			"that time needs is checked. No server is needed, and none is disturbed.\n" +
			"The exit code is 1 if something is wrong.",
		Args: none,
	}
	from := backupFlags(cmd.Flags(), env, "from", "the backup: a directory, or s3://bucket/prefix")
	keys := cmd.Flags().String("keys", "", "directory of keys of the backed up server (default: somnograph/keys in the user's configuration directory)")
	at := cmd.Flags().String("at", "", "check up to this time only, such as 2026-11-26T03:00:00Z")
	olderFlag(cmd.Flags(), from)
	dir := cmd.Flags().String("temp", "", "make a temporary directory here (default: in memory up to 256 MiB, else in the directory of the system); it holds content in clear until the command ends")
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		ctx := cmd.Context()
		c, err := storedConfig(env, map[string]string{"keys": *keys})
		if err != nil {
			return err
		}
		keyDir, err := keysDir(c)
		if err != nil {
			return err
		}
		r, _, err := openBackup(ctx, env, from, keyDir)
		if err != nil {
			return err
		}
		var all backup.Checked
		if *at == "" {
			bar := newProgress(env.err, "check all segments", 1, time.Now)
			all, err = r.CheckAll(ctx, segmentProgress(bar))
			bar.end()
			if err != nil {
				return err
			}
		}
		point, err := findPoint(ctx, env, r, *at)
		if err != nil {
			return err
		}
		if err := printNotes(ctx, env, r, point, *at); err != nil {
			return err
		}
		store, remove, err := backup.OpenScratch(*dir, point.Size())
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
		bar := newProgress(env.err, "restore for the check", 1, time.Now)
		v, err := backup.Verify(ctx, r, point, store, lineProgress(bar))
		bar.end()
		if err = errors.Join(err, store.Close()); err != nil {
			return err
		}
		_, err = printf(env.out, "the backup is intact up to %s: generation %d, %s, %s; %s of a restore compared\n",
			backup.BoundaryText(point.At), point.Generation, counted.Of(point.Objects, "segment"), counted.Of(v.Restored.Memories, "memory"), counted.Of(v.Compared, "row"))
		if err == nil && *at == "" {
			_, err = printf(env.out, "nothing is damaged in %s of %s: --at reaches %s and later\n", counted.Of(all.Objects, "segment"), counted.Of(all.Generations, "generation"), backup.BoundaryText(all.From))
		}
		return err
	}
	return cmd
}

// lineProgress shows the progress of a restore.
func lineProgress(bar *progress) func(done, total int) {
	return func(done, total int) {
		bar.total = int64(max(total, 1))
		bar.at(int64(done), fmt.Sprintf("%d of %d rows", done, total))
	}
}

// findPoint finds the boundary at or before a time; empty: the last one.
func findPoint(ctx context.Context, env environment, r *backup.Reader, text string) (*backup.Point, error) {
	var at time.Time
	if text != "" {
		var err error
		if at, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return nil, usageError{fmt.Errorf("--at must be a time such as 2026-11-26T03:00:00Z (got %q)", text)}
		}
	}
	bar := newProgress(env.err, "check the segments", 1, time.Now)
	defer bar.end()
	return r.Find(ctx, at, segmentProgress(bar))
}

// segmentProgress shows the progress of reading segments.
func segmentProgress(bar *progress) func(done, total int) {
	return func(done, total int) {
		bar.total = int64(max(total, 1))
		bar.at(int64(done), fmt.Sprintf("%d of %d segments", done, total))
	}
}

// printNotes prints what a person should know about a backup that is restored or checked up to p. at is the flag --at.
func printNotes(ctx context.Context, env environment, r *backup.Reader, p *backup.Point, at string) error {
	notes, err := r.Notes(ctx, p, at == "")
	for _, note := range notes {
		_, printed := printf(env.err, "somnograph: note: %s\n", note)
		err = errors.Join(err, printed)
	}
	return err
}

// newMaker makes the backups of an instance; nil if it has no directory of keys.
func newMaker(data string, in *instance.Instance, log *slog.Logger) *backup.Maker {
	if in.Ledger == nil {
		return nil
	}
	return &backup.Maker{
		Store: in.Store, Dir: data, ID: in.Ledger.Store(), Secrets: in.Ledger.Secrets(), Now: time.Now, Random: rand.Reader,
		Keys: in.Ledger.Dir(), Ledger: in.Ledger.Positions, Logger: log,
		Files: backup.DataFiles(func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(data, filepath.FromSlash(name))) }),
	}
}

// lastRound is how long the last segment may take when a server stops.
const lastRound = 20 * time.Second

// parseBackupTarget returns the target of the configuration, which may not exist yet.
func parseBackupTarget(c *config.Config) (backup.Target, error) {
	b := c.Backup
	t, err := backup.ParseTarget(b.To, backup.S3{Endpoint: b.Endpoint, Region: b.Region, AccessKey: b.AccessKey, SecretKey: b.SecretKey, Insecure: b.Insecure})
	if err != nil {
		return nil, fmt.Errorf("backup.to: %w", err)
	}
	return t, nil
}

// startBackup backs the store up as the configuration says. stop makes a last segment.
func startBackup(ctx context.Context, c *config.Config, in *instance.Instance, o backup.Options) (r *backup.Runner, mender *backup.Mender, stop func() error, err error) {
	maker := newMaker(c.Data, in, o.Logger)
	if maker == nil {
		return nil, nil, nil, errors.New("backup.to: a backup is sealed with a key, and this server has no directory of keys")
	}
	// A target that does not answer is no reason not to serve: the backup fails until it does.
	if o.Target, err = parseBackupTarget(c); err != nil {
		return nil, nil, nil, err
	}
	b := c.Backup
	o.Dir = c.Data
	o.Source, o.Every, o.FullEvery, o.Keep, o.Now = maker, b.Every, b.FullEvery, b.Keep, time.Now
	r = backup.NewRunner(o)
	mender = &backup.Mender{Maker: maker, Target: o.Target, Erased: func(scope graph.Scope, id graph.ID) bool {
		return slices.Contains(in.Ledger.IDs(scope), id) // as of now; damage is rare
	}}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	return r, mender, func() error {
		cancel()
		<-ended
		ctx, done := context.WithTimeout(context.WithoutCancel(ctx), lastRound)
		defer done()
		_, err := r.Once(ctx, false)
		return err
	}, nil
}
