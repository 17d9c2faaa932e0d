package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	path := filepath.Join(r.o.Dir, targetsFile)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if what := damagedTargets(b, &marks); what != "" {
		return nil, fmt.Errorf("%s %s; %s", path, what, restoreTargets)
	}
	return marks, nil
}

// restoreTargets is what a person does about a damaged file of targets.
const restoreTargets = "it says where the data was backed up before, so that a directory whose disk is not mounted is not taken for a new target: " +
	"mount the disks of all targets and remove the file; the next round writes it again"

// damagedTargets reads a file of targets, and says what is wrong with it; empty: nothing.
func damagedTargets(b []byte, marks *map[string]string) string {
	if len(bytes.TrimSpace(b)) == 0 {
		return "is empty"
	}
	if err := json.Unmarshal(b, marks); err != nil {
		return fmt.Sprintf("is damaged (%v)", err)
	}
	if *marks == nil {
		return "is damaged (it holds null)"
	}
	return ""
}

// CheckTargets says what is wrong with the file of targets of a data directory and what to do; empty: nothing.
func CheckTargets(data string) (what, do string) {
	path := filepath.Join(data, targetsFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ""
	}
	if err != nil {
		return err.Error(), "let the user of the server read the file"
	}
	if what = damagedTargets(b, &map[string]string{}); what != "" {
		return path + " " + what + ", so that the server makes no backup", restoreTargets
	}
	return "", ""
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
