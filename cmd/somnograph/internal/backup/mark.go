package backup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

const (
	// markName is the object of a target that says that backups are kept there. A directory whose disk is
	// not mounted does not have it.
	markName = "somnograph-backup.id"
	// targetsFile is the file of a data directory with the marks of the targets that it was backed up to.
	targetsFile = "backup-targets.json"
)

// first returns the newest manifest of the target, nil if there is none. It marks a target at its first
// use, and makes it if it does not exist. One that was used before must have its mark or a backup.
func (r *Runner) first(ctx context.Context) ([]byte, error) {
	known, err := r.known(ctx)
	if err != nil {
		return nil, err
	}
	text, err := latest(ctx, r.o.Target)
	switch {
	case errors.Is(err, ErrNoTarget) && known == "":
		if err := r.o.Target.Make(ctx); err != nil {
			return nil, err
		}
	case errors.Is(err, ErrNoTarget):
		return nil, fmt.Errorf("%w, where the store was backed up before: is its disk mounted? To begin a new backup there, run somnograph backup --to %s", err, r.o.Target)
	case err != nil && !errors.Is(err, ErrNoBackup):
		return nil, err
	}
	mark, err := r.o.Target.Get(ctx, markName)
	if err != nil && !errors.Is(err, ErrNoObject) {
		return nil, err
	}
	found := strings.TrimSpace(string(mark))
	if text == nil && known != "" {
		if found != known {
			return nil, fmt.Errorf("%s is empty, and the store was backed up there before: is its disk mounted? To begin a new backup there, run somnograph backup --to %s", r.o.Target, r.o.Target)
		}
		r.o.Logger.Warn("[BACKUP] the target has no manifest any more; a new backup begins", "target", r.o.Target.String())
	}
	if found == "" {
		var b [16]byte
		if _, err := rand.Read(b[:]); err != nil {
			return nil, err
		}
		found = hex.EncodeToString(b[:])
		err := r.o.Target.Swap(ctx, markName, nil, []byte(found+"\n"))
		if errors.Is(err, ErrChanged) {
			return nil, errOther
		}
		if err != nil {
			return nil, fmt.Errorf("mark %s: %w", r.o.Target, err)
		}
	}
	return text, r.remember(ctx, found)
}

// targetName names a target in the file of targets.
func targetName(t Target) string {
	if t.Kind() == "directory" {
		if path, err := filepath.Abs(t.String()); err == nil {
			return path
		}
	}
	return t.String()
}

// known is the mark that the target had; empty: it was not used.
func (r *Runner) known(ctx context.Context) (string, error) {
	if r.mark != "" || r.o.Dir == "" {
		return r.mark, nil
	}
	marks, err := r.marks(ctx)
	r.mark = marks[targetName(r.o.Target)]
	return r.mark, err
}

func (r *Runner) marks(ctx context.Context) (map[string]string, error) {
	marks := map[string]string{}
	b, err := directory(r.o.Dir).Get(ctx, targetsFile)
	if errors.Is(err, ErrNoObject) {
		return marks, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &marks)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s of the data directory: %w", targetsFile, err)
	}
	return marks, nil
}

// remember keeps the mark of the target.
func (r *Runner) remember(ctx context.Context, mark string) error {
	if r.mark == mark {
		return nil
	}
	if r.o.Dir != "" {
		marks, err := r.marks(ctx)
		if err != nil {
			return err
		}
		marks[targetName(r.o.Target)] = mark
		b, err := json.Marshal(marks)
		if err != nil {
			return err
		}
		if err := directory(r.o.Dir).Put(ctx, targetsFile, b); err != nil {
			return err
		}
	}
	r.mark = mark
	return nil
}
