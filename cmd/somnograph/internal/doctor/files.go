package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/internal/counted"
)

// Copies returns a finding for each small file with two copies of its content of which one or both
// are damaged. It must be called before the parts are opened, which write the mark again. keys is the
// folder of the store in the directory of keys; empty: there is none.
func Copies(data, keys string) (findings []Finding) {
	master := filepath.Join(data, "recess")
	if dir := filepath.Join(keys, "recess"); keys != "" && isFile(filepath.Join(dir, "master.key")) {
		master = dir
	}
	for _, x := range []struct {
		part, path string
		copies     func() (int, error)
		do         string // if both copies are damaged
	}{
		{"STORE", filepath.Join(data, "store", "mark"), func() (int, error) { return badgerstore.MarkCopies(filepath.Join(data, "store")) }, restoreIt},
		{"RECESS", filepath.Join(master, "master.key"), func() (int, error) { return recess.MasterCopies(master) },
			"put a copy of the file back; without it permanent memories are in the store only"},
		{"KEYS", filepath.Join(keys, "rings", "master"), func() (int, error) { return keyring.MasterCopies(filepath.Join(keys, "rings")) },
			"put the newest copy of the directory of keys back"},
	} {
		if x.part == "KEYS" && keys == "" {
			continue
		}
		whole, err := x.copies()
		switch {
		case errors.Is(err, fs.ErrNotExist), whole == 2: // what needs a missing file says so when it is opened
		case err != nil:
			findings = append(findings, Finding{Part: x.part, What: err.Error(), Do: "make the file readable, and check again"})
		case whole == 1:
			f := Finding{Part: x.part, What: "one of the two copies in " + x.path + " is damaged; the other one is used", Minor: true,
				Do: "check the disk, and copy the file from a machine or backup that has it whole; if the other copy is damaged too, what it opens is lost"}
			if x.part == "STORE" {
				f.Do = "check the disk, unless the power failed; the next start writes it again from the other copy"
			}
			findings = append(findings, f)
		default:
			findings = append(findings, Finding{Part: x.part, What: "both copies in " + x.path + " are damaged", Do: x.do})
		}
	}
	return findings
}

// Pepper returns a finding if the pepper of the API keys is damaged, is missing although there are keys, or
// is not the one under which the keys that are valid now were made.
// It reads the keys from the store.
func Pepper(ctx context.Context, store graph.Store, path string, now time.Time) (findings []Finding, err error) {
	info, err := os.Stat(path)
	if err == nil && info.Size() >= access.MinPepper {
		return comparePepper(ctx, store, path, now)
	}
	made := 0
	e := store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
		made = 0
		for _, err := range graph.AllNotes(r, graph.NoteAPIKey, "", false) {
			if err != nil {
				return err
			}
			made++
		}
		return nil
	})
	if e != nil {
		return nil, e
	}
	f := Finding{Part: "KEYS", Do: "put a copy of the file back; if there is none, remove the file and make new keys (somnograph keys create): those made before are refused then"}
	switch {
	case err == nil:
		f.What = fmt.Sprintf("the pepper of the API keys in %s has %s, fewer than %d; a server with --auth keys does not start", path, counted.Of(info.Size(), "byte"), access.MinPepper)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case made == 0:
		return nil, nil // there is none before the first key
	default:
		f.What = fmt.Sprintf("the pepper of the API keys in %s is missing; keys that were made under it: %d", path, made)
	}
	return []Finding{f}, nil
}

// comparePepper compares the pepper in a file with the API keys.
func comparePepper(ctx context.Context, store graph.Store, path string, now time.Time) (findings []Finding, err error) {
	pepper, err := os.ReadFile(path)
	if err != nil {
		return []Finding{{Part: "KEYS", What: fmt.Sprintf("the pepper of the API keys can't be read: %v", err), Do: "make the file readable for the user of the server, and check again"}}, nil
	}
	former, err := os.ReadFile(path + ".former")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var c access.PepperCheck
	err = store.View(ctx, graph.ServerScope(), func(r graph.Reader) (err error) {
		c, err = access.CheckPepper(r, pepper, former, now)
		return err
	})
	if err != nil {
		return nil, err
	}
	if c.Other > 0 {
		findings = append(findings, Finding{Part: "KEYS", What: fmt.Sprintf("the pepper in %s is not the one under which %d of %d API keys were made: a server can't verify these and refuses them", path, c.Other, c.Other+c.Present+c.Unknown),
			Do: "put the former file back, or beside it with the ending .former; if there is no copy, revoke these keys and make new ones (somnograph keys create)"})
	}
	if c.Unknown > 0 {
		findings = append(findings, Finding{Part: "KEYS", Minor: true, What: fmt.Sprintf("of %s that an earlier version made and that had no use since it is not known whether the pepper in %s is theirs", counted.Of(c.Unknown, "API key"), path),
			Do: "nothing: a key can be checked from its next use on"})
	}
	return findings, nil
}

// BackupSecrets returns a finding for each secret of the backups that is missing or damaged, and for a damaged file of targets. keys is the folder
// of the store in the directory of keys.
func BackupSecrets(data, keys string) (findings []Finding) {
	for _, p := range backup.CheckSecrets(keys, isFile(filepath.Join(data, "backup-targets.json"))) {
		findings = append(findings, Finding{Part: "BACKUP", What: p.What, Do: p.Do})
	}
	if what, do := backup.CheckTargets(data); what != "" {
		findings = append(findings, Finding{Part: "BACKUP", What: what, Do: do})
	}
	return findings
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
