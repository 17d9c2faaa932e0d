package graph

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// backupsSetting is the setting of [ServerScope] with the state of every backup of the store.
const backupsSetting = "backups"

const (
	maxRemovals = 64             // removals of old generations that are kept of a backup
	maxPending  = 8              // backups without a manifest that are kept
	pendingTime = 24 * time.Hour // a backup without a manifest counts as long as that
)

// BackupState says which generations of a backup may exist. A generation begins with a full export,
// so that what was erased before it began is in none of its objects.
type BackupState struct {
	Begun  int `json:"begun"`  // the highest generation that was begun, from 1
	Oldest int `json:"oldest"` // the lowest that was not removed, from 1
	// Since is when the last generation was begun.
	Since time.Time `json:"since"`
	// Complete: the target has had a manifest. A first generation that ends without one is no backup.
	Complete bool `json:"complete,omitempty"`
	// Removals are the last removals of old generations, the latest last.
	Removals []BackupRemoval `json:"removals,omitempty"`
}

// BackupRemoval is the removal of the old generations of a backup.
type BackupRemoval struct {
	Below int       `json:"below"` // generations below it were removed
	At    time.Time `json:"at"`
}

// Removed reports whether a generation and all before it were removed, and when that was known.
func (s BackupState) Removed(generation int) (at time.Time, removed bool) {
	for _, x := range s.Removals {
		if x.Below > generation {
			return x.At, true
		}
	}
	return time.Time{}, false
}

// Exists reports whether the backup may hold something.
func (s BackupState) Exists(now time.Time) bool {
	return s.Complete || s.Begun > 0 && now.Sub(s.Since) < pendingTime
}

// Begin returns the state once a generation was begun.
func (s BackupState) Begin(generation int, at time.Time) BackupState {
	if generation > s.Begun {
		s.Begun, s.Oldest, s.Since = generation, max(s.Oldest, 1), at
	}
	return s
}

// Remove returns the state once the generations below one were removed.
func (s BackupState) Remove(below int, at time.Time) BackupState {
	if below <= s.Oldest {
		return s
	}
	s.Oldest = below
	s.Removals = append(slices.Clone(s.Removals), BackupRemoval{below, at})
	if extra := len(s.Removals) - maxRemovals; extra > 0 {
		s.Removals = s.Removals[extra:]
	}
	return s
}

// Backups returns the state of every backup of the store, by identity of the backup. The reader is
// one of [ServerScope].
func Backups(r Reader) (map[string]BackupState, error) {
	states := map[string]BackupState{}
	text, err := r.Setting(backupsSetting)
	if known, err := Found(err); !known {
		return states, err
	}
	if err := json.Unmarshal(text, &states); err != nil {
		return nil, fmt.Errorf("%w: the record of backups can't be read", ErrIntegrity)
	}
	return states, nil
}

// PutBackups stores the state of every backup, in a transaction of [ServerScope]. Of those that never
// had a manifest it keeps the last ones.
func PutBackups(tx Tx, states map[string]BackupState) error {
	var pending []string
	for identity, s := range states {
		if !s.Complete {
			pending = append(pending, identity)
		}
	}
	slices.SortFunc(pending, func(a, b string) int { return states[b].Since.Compare(states[a].Since) })
	for _, identity := range pending[min(len(pending), maxPending):] {
		delete(states, identity)
	}
	text, err := json.Marshal(states)
	if err != nil {
		return err
	}
	return tx.PutSetting(backupsSetting, text)
}
