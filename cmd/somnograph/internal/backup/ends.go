package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/internal/strictjson"
)

// endsFile is the file of a data directory with the ends of backups that it made.
const endsFile = "backup-ends.json"

// keptEnds is how many ends of a backup are kept.
const keptEnds = 16

// continues reports whether this data made the end of a backup, so that segments may follow it. A
// data directory that was restored, or that is an older copy, did not: its positions mean other
// commits, and a new generation begins.
func (m *Maker) continues(before *Manifest) (bool, error) {
	if m.Dir == "" {
		return true, nil
	}
	ends, err := m.ends()
	return slices.Contains(ends[before.Backup], before.Chain), err
}

// noteEnd keeps the end of a round before a target has its manifest, so that a crash between the two
// costs nothing.
func (m *Maker) noteEnd(made *Manifest) error {
	if m.Dir == "" {
		return nil
	}
	endsMu.Lock()
	defer endsMu.Unlock()
	ends, err := m.ends()
	if err != nil {
		return err
	}
	all := append(ends[made.Backup], made.Chain)
	ends[made.Backup] = all[max(0, len(all)-keptEnds):]
	b, err := json.Marshal(ends)
	if err != nil {
		return err
	}
	return directory(m.Dir).Put(context.Background(), endsFile, b)
}

// endsMu is held while the ends are replaced: several makers of one data directory may run.
var endsMu sync.Mutex

// ends reads the ends by identity of the backup, the latest last. A file that can't be parsed counts
// as none: a full export begins.
func (m *Maker) ends() (map[string][]string, error) {
	ends := map[string][]string{}
	b, err := directory(m.Dir).Get(context.Background(), endsFile)
	switch {
	case errors.Is(err, ErrNoObject):
		return ends, nil
	case err != nil:
		return nil, fmt.Errorf("backup: read %s of the data directory: %w", endsFile, err)
	case strictjson.DecodeExact(b, &ends) != nil:
		return map[string][]string{}, nil
	}
	return ends, nil
}
