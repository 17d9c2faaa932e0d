package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/internal/counted"
)

func newRestore(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "restore",
		Short: "Restore a backup into a new data directory",
		Long: "Restore a backup into a new data directory, as the store was at the last boundary at or before --at. Every segment is\n" +
			"authenticated before anything is written. What the ledger of erasures names is written without content, and a server erases it,\n" +
			"with what was derived from it, before it answers. The content is sealed under the present keys unless --seal is off. With\n" +
			"--store dgraph the backup goes into an empty cluster. See docs/backup.md.",
		Args: none,
	}
	from := backupFlags(cmd.Flags(), env, "from", "the backup: a directory, or s3://bucket/prefix")
	olderFlag(cmd.Flags(), from)
	data := cmd.Flags().String("data", "", "data directory to make; it must not exist, or be empty")
	at := cmd.Flags().String("at", "", "restore to the last boundary at or before this time, such as 2026-11-26T03:00:00Z (default: the last one)")
	settings := map[string]*string{}
	for name, usage := range map[string]string{
		"accept-keys": "true: restore although the directory of keys is older than the backup: what was erased or revoked since that copy can return",
		"keys":        "directory of keys of the backed up server (default: somnograph/keys in the user's configuration directory)",
		"seal":        "seal the content under keys in the directory of keys: on or off (default: on)",
		"store":       "where to restore: badger (the data directory) or dgraph (an empty cluster)",
		"dgraph":      "gRPC addresses of the Dgraph alphas, host:port, comma-separated",
	} {
		settings[name] = cmd.Flags().String(name, "", usage)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *data == "" {
			return usageError{errors.New("needs --data: the data directory to make")}
		}
		given := map[string]string{"data": *data}
		for name, value := range settings {
			given[name] = *value
		}
		c, err := storedConfig(env, given)
		if err != nil {
			return err
		}
		return restore(cmd.Context(), env, c, from, *at)
	}
	return cmd
}

// restore makes the data directory of the configuration from a backup. It is made under another
// name and renamed when it is complete.
func restore(ctx context.Context, env environment, c *config.Config, from *backupTarget, at string) (err error) {
	if err := wantNoData(c.Data); err != nil {
		return err
	}
	keys, err := keysDir(c)
	if err != nil {
		return err
	}
	r, store, err := openBackup(ctx, env, from, keys)
	if err != nil {
		return err
	}
	began := time.Now()
	point, err := findPoint(ctx, env, r, at)
	if err != nil {
		return err
	}
	if err := checkLedger(ctx, c, r, keys, store); err != nil {
		return err
	}
	if err := printNotes(ctx, env, r, point, at); err != nil {
		return err
	}
	final := c.Data
	temp := filepath.Clean(final) + ".restoring"
	if err := os.RemoveAll(temp); err != nil { // of an interrupted restore
		return err
	}
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return fmt.Errorf("can't create the data directory: %w", err)
	}
	c.Data = temp
	done, revoked, err := restoreInto(ctx, env, c, r, point, store)
	if c.Store != "dgraph" && errors.Is(err, graph.ErrUnavailable) {
		err = fmt.Errorf("%s is not restored, and nothing is left of it: free some space on its disk, and restore again: %w", final, err)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	if err := os.Remove(final); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty directory
		return err
	}
	if err := os.Rename(temp, final); err != nil {
		return err
	}
	note := ""
	if done.Withheld > 0 {
		note = fmt.Sprintf("; %s erased since: their texts are left out, and the server erases the rest, such as names of entities, when it starts", counted.Of(done.Withheld, "memory"))
	}
	if revoked > 0 {
		note += fmt.Sprintf("; %s revoked since, and still revoked", counted.Of(revoked, "API key"))
	}
	_, err = printf(env.out, "restored %s as of %s into %s in %.1f s%s\n", counted.Of(done.Memories, "memory"), backup.BoundaryText(done.At), final, time.Since(began).Seconds(), note)
	return err
}

// checkLedger refuses keys whose records are older than those that the backup was made with: what was
// erased or revoked since would return.
func checkLedger(ctx context.Context, c *config.Config, r *backup.Reader, keys, store string) error {
	positions, err := r.Ledger(ctx)
	if err != nil {
		return err
	}
	lacks, err := ledger.Lacks(keys, store, positions)
	if err != nil || len(lacks) == 0 || c.AcceptKeys {
		return err
	}
	return fmt.Errorf("%s in %s is missing, or older than the backup: what was erased or revoked since would return; put the newest copy of the keys back. Only if there is none, --accept-keys=true restores all the same: erase and revoke again what returns",
		strings.Join(lacks, " and "), filepath.Join(keys, store))
}

// wantNoData refuses a data directory that holds anything.
func wantNoData(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%s is not empty: a backup is restored into a new data directory; move the present one away, or choose another with --data", dir)
}

// restoreInto restores a boundary into the data directory of the configuration, and the store that
// it names.
func restoreInto(ctx context.Context, env environment, c *config.Config, r *backup.Reader, point *backup.Point, store string) (done *backup.Restored, revoked int, err error) {
	log := c.Logger(env.err)
	o, err := storeOptions(c, log)
	if err != nil {
		return nil, 0, err
	}
	// The data directory belongs to the store of the backup: its ledger and its keys.
	if err := os.WriteFile(filepath.Join(c.Data, "store.id"), []byte(store+"\n"), 0o600); err != nil {
		return nil, 0, err
	}
	if c.AcceptKeys {
		if err := ledger.Accept(o.Keys, c.Data); err != nil {
			return nil, 0, err
		}
	}
	erasures, err := ledger.Open(o.Keys, c.Data, rand.Reader)
	if err != nil {
		if errors.Is(err, graph.ErrLocked) {
			return nil, 0, fmt.Errorf("a server uses the keys of this store in %s: stop it before a restore; somnograph backup verify needs no stop", o.Keys)
		}
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, erasures.Close()) }()
	s, err := instance.OpenStore(ctx, o)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	archive, err := openRestoredRecess(o, store, log)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	bar := newProgress(env.err, "restore", 1, time.Now)
	defer bar.end()
	x := &backup.Restore{
		Reader: r, Store: s, Erased: backup.ErasedBy(erasures), Progress: lineProgress(bar),
		Engrave: func(ctx context.Context, scope graph.Scope, m *graph.Memory, v []float32) error {
			return archive.Append(ctx, scope, recess.Engram{Memory: *m, Vector: v, EngravedAt: m.State().From})
		},
	}
	if done, err = x.Run(ctx, point); err != nil {
		return nil, 0, err
	}
	// Revocations are later than what the backup says of the keys.
	if revoked, err = access.RevokeAgain(ctx, s, erasures); err != nil {
		return nil, 0, fmt.Errorf("revoke the API keys again: %w", err)
	}
	if err := noteRestore(ctx, s, erasures.Secrets(), done.At); err != nil {
		return nil, 0, instance.Explain(c.Data, err)
	}
	return done, revoked, backup.WriteFiles(c.Data, done.Files)
}

// noteRestore records in each tenant which rows of its audit are missing because of the restore, and numbers its change feed anew: cursors
// from before are refused. Of tenants that the store does not know it records that all rows are missing.
func noteRestore(ctx context.Context, s graph.Store, keys ledger.Secrets, to time.Time) error {
	tenants, err := s.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		scope := graph.Scope{Tenant: t}
		feed, err := rand.Int(rand.Reader, big.NewInt(math.MaxUint32))
		if err != nil {
			return err
		}
		_, err = s.Update(ctx, scope, func(tx graph.Tx) error {
			if err := audit.NoteRestore(tx, keys, scope, to, time.Now()); err != nil {
				return err
			}
			return workspace.RenumberFeed(tx, 1+uint32(feed.Uint64()))
		})
		if err != nil {
			return fmt.Errorf("record the restore in the tenant %s: %w", t, err)
		}
	}
	names, err := keys.Names()
	if err != nil {
		return err
	}
	_, err = s.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
		return audit.NoteRestoreOfOthers(tx, keys, names, tenants, to, time.Now())
	})
	return err
}

// openRestoredRecess opens the recess of a data directory that is being restored. Its keys lie with
// those of a sealed store.
func openRestoredRecess(o instance.Options, store string, log *slog.Logger) (*recess.Recess, error) {
	ro := recess.Options{Dir: filepath.Join(o.Dir, "recess"), Logger: log}
	if o.Seal || o.SealNew {
		ro.Keys = filepath.Join(o.Keys, store, "recess")
	}
	return recess.Open(ro)
}
