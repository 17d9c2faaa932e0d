package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/doctor"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	rings "github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/ledger"
	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/internal/counted"
)

// errUnsound is returned by doctor if something is wrong.
var errUnsound = errors.New("something is wrong; see above")

func newDoctor(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the data of a stopped server and say what to do",
		Long: "Check the data of a stopped server: checksums and references of all rows, index, recess, ledger of erasures, keys and audit. Each\n" +
			"finding says what to do. The exit code is 1 if something is wrong that a server does not mend by itself.",
		Args: none,
	}
	given := map[string]*string{}
	for name, usage := range map[string]string{
		"data":   "data directory (default: ./data, or SOMNOGRAPH_DATA)",
		"keys":   "directory of keys (default: somnograph/keys in the user's configuration directory)",
		"store":  "badger or dgraph",
		"dgraph": "gRPC addresses of the Dgraph alphas, host:port, comma-separated",
	} {
		given[name] = cmd.Flags().String(name, "", usage)
	}
	asJSON := cmd.Flags().Bool("json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		settings := map[string]string{}
		for name, value := range given {
			settings[name] = *value
		}
		c, err := storedConfig(env, settings)
		if err != nil {
			return err
		}
		o, err := storeOptions(c, c.Logger(env.err))
		if err != nil {
			return err
		}
		if err := hasStore(c, o.Dir); err != nil {
			return err
		}
		report, err := examine(cmd.Context(), env, o, pepperFile(c))
		if err != nil {
			return err
		}
		if *asJSON {
			err = printJSON(env.out, report)
		} else {
			err = printFindings(env, report)
		}
		if err == nil && !report.Sound {
			err = errUnsound
		}
		return err
	}
	return cmd
}

// hasStore returns an error for a data directory without a store, so that a wrong one gets none.
func hasStore(c *config.Config, dir string) error {
	if c.Store == "badger" && !exists(filepath.Join(dir, "store")) {
		return usageError{fmt.Errorf("--data: %s has no store: it is no data directory, or its store is gone; name the directory that serve has as --data", dir)}
	}
	return nil
}

// pepperFile is the file with the pepper of the API keys; empty: it is not known, on a cluster.
func pepperFile(c *config.Config) string {
	if c.Store == "dgraph" {
		return c.Auth.PepperFile
	}
	return cmp.Or(c.Auth.PepperFile, auth.PepperFile(c.Data))
}

// unopened is the part because of which a store can't be opened: itself, or what lies in the directory
// of keys.
func unopened(err error) string {
	switch {
	case errors.As(err, new(*ledger.MismatchError)):
		return "LEDGER"
	case errors.Is(err, rings.ErrWrong), errors.As(err, new(*graph.DamagedKeysError)):
		return "KEYS"
	}
	return "STORE"
}

// examine opens the parts of a data directory and checks them. What can't be opened is a finding.
func examine(ctx context.Context, env environment, o instance.Options, pepper string) (report *doctor.Report, err error) {
	more := doctor.Copies(o.Dir, keysFolder(o)) // a start writes one of them again
	store, err := instance.OpenToCheck(ctx, o)
	if errors.Is(err, graph.ErrLocked) {
		return nil, err // a server runs
	}
	if err != nil {
		what, do := instance.Advice(err)
		do = cmp.Or(do, "mend what it names") + ". Then check again: nothing else was checked"
		return &doctor.Report{Findings: append(more, doctor.Finding{Part: unopened(err), What: what, Do: do})}, nil
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	d := doctor.Options{Data: o.Dir, Store: store}
	if pepper != "" {
		found, err := doctor.Pepper(ctx, store, pepper, time.Now())
		if err != nil {
			return nil, err
		}
		more = append(more, found...)
	}
	ro := recess.Options{Dir: filepath.Join(o.Dir, "recess"), Logger: o.Engine.Logger}
	if o.Keys != "" && foreignKeys(o) {
		more = append(more, doctor.Finding{Part: "LEDGER", What: o.Keys + " has no keys and no record of erasures for this store",
			Do: "name the directory of keys of its server with --keys, or put the newest copy of it back"})
	} else if o.Keys != "" {
		if d.Ledger, err = ledger.OpenToRead(o.Keys, o.Dir); errors.Is(err, graph.ErrUnfinished) {
			d.Ledger, err = ledger.Open(o.Keys, o.Dir, rand.Reader)
		}
		if errors.Is(err, graph.ErrLocked) {
			return nil, fmt.Errorf("%w: stop the server that uses these keys, and check again", err)
		} else if err != nil {
			more = append(more, doctor.Finding{Part: "LEDGER", What: err.Error(), Do: "put the newest copy of the directory of keys back, and check again: the audit was not checked"})
		} else {
			defer func() { err = errors.Join(err, d.Ledger.Close()) }()
			keys := filepath.Join(o.Keys, d.Ledger.Store())
			if modes := doctor.KeyModes(keys); len(modes) > 0 { // such keys are not read, so nothing else can be judged
				return &doctor.Report{Store: d.Ledger.Store(), Findings: modes}, nil
			}
			if _, err := os.Stat(filepath.Join(keys, "recess")); err == nil {
				ro.Keys = filepath.Join(keys, "recess")
			}
		}
	}
	// The keys of the recess are read where the ledger can't be, too: else they would count as lost.
	if keys := filepath.Join(keysFolder(o), "recess"); ro.Keys == "" && keysFolder(o) != "" && exists(keys) {
		ro.Keys = keys
	}
	if folder := keysFolder(o); folder != "" && exists(folder) {
		more = append(more, doctor.BackupSecrets(o.Dir, folder)...)
	}
	if _, err := os.Stat(ro.Dir); err == nil {
		if d.Recess, err = recess.Open(ro); err != nil {
			more = append(more, doctor.Finding{Part: "RECESS", What: err.Error(), Do: "put a copy of the recess and its keys back; without them permanent memories are in the store only"})
		} else {
			defer func() { err = errors.Join(err, d.Recess.Close()) }()
		}
	}
	if dir := filepath.Join(o.Dir, "index"); exists(dir) {
		d.OpenIndex = func(ctx context.Context) (*index.Index, error) {
			return index.Open(ctx, store, index.Options{Dir: dir, Logger: o.Engine.Logger, Topics: lexicon.Topics{}, Claims: attribute.Keys{}})
		}
	}
	bar := newProgress(env.err, "check", 1, time.Now)
	defer bar.end()
	d.Progress = func(done, total int) {
		bar.total = int64(max(total, 1))
		bar.at(int64(done), fmt.Sprintf("%d of %s", done, counted.Of(total, "tenant")))
	}
	if report, err = doctor.Check(ctx, d); err != nil {
		return nil, err
	}
	for _, f := range more {
		report.Findings = append(report.Findings, f)
		report.Sound = report.Sound && f.Minor
	}
	return report, nil
}

// keysFolder is the folder of the store in the directory of keys; empty: there is no such directory, or
// the store has no identity.
func keysFolder(o instance.Options) string {
	id, err := os.ReadFile(filepath.Join(o.Dir, "store.id"))
	if err != nil || o.Keys == "" {
		return ""
	}
	return filepath.Join(o.Keys, strings.TrimSpace(string(id)))
}

// foreignKeys reports whether a store with an identity has no folder in the directory of keys.
func foreignKeys(o instance.Options) bool {
	folder := keysFolder(o)
	return folder != "" && !exists(folder)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func printFindings(env environment, r *doctor.Report) error {
	for _, f := range r.Findings {
		part := f.Part
		if f.Tenant != "" {
			part += " " + f.Tenant
		}
		if _, err := printf(env.out, "%s: %s\n  to do: %s\n", part, f.What, f.Do); err != nil {
			return err
		}
	}
	c := r.Checked
	if _, err := printf(env.out, "checked %s\n", c); err != nil {
		return err
	}
	if r.Sound {
		_, err := fmt.Fprintln(env.out, "the data is sound")
		return err
	}
	return nil
}
