package clock

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// MaxOffset is the largest offset of a simulated clock from the machine's.
const MaxOffset = 200 * 365 * 24 * time.Hour

// ErrBackwards is returned for an attempt to move a clock back.
var ErrBackwards = errors.New("a clock only moves forward")

// ErrTooFar is returned for an attempt to move a clock further than MaxOffset.
var ErrTooFar = fmt.Errorf("a clock can be at most %d days ahead", MaxOffset/(24*time.Hour))

// Simulated is the machine's clock plus an offset, which a file keeps over restarts.
type Simulated struct {
	Clock
	path string
}

// offsetFile is the content of the file.
type offsetFile struct {
	Offset string `json:"offset"` // as time.Duration prints it
}

// OpenSimulated opens the clock whose offset is in the file at path; without a file it is
// zero. If the clock would be before floor, the latest instant recorded in the store, the
// offset grows until it is not.
func OpenSimulated(path string, source Source, floor time.Time) (*Simulated, error) {
	c := &Simulated{Clock: Clock{source: source, last: floor.UTC()}, path: path}
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("clock: %w", err)
	default:
		if c.offset, err = parseOffset(raw); err != nil {
			return nil, fmt.Errorf("clock: %s: %w", path, err)
		}
	}
	if behind := floor.Sub(source().Round(0).Add(c.offset)); behind > 0 {
		offset := c.offset + behind
		if err := writeOffset(path, offset); err != nil {
			return nil, err
		}
		c.offset = offset
	}
	return c, nil
}

// Advance moves the clock forward by d ≥ 0 and returns the new present. The offset is durable
// when Advance returns. After an error the clock is unchanged.
func (c *Simulated) Advance(d time.Duration) (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d < 0 {
		return time.Time{}, ErrBackwards
	}
	// The clock may stand still at its floor, ahead of source and offset. Advance moves the
	// instant that Now returns.
	offset := c.now().Sub(c.source().Round(0))
	if offset > MaxOffset || d > MaxOffset-offset {
		return time.Time{}, ErrTooFar
	}
	if err := writeOffset(c.path, offset+d); err != nil {
		return time.Time{}, err
	}
	c.offset = offset + d
	for a := range c.alarms {
		c.ring(a)
	}
	return c.now(), nil
}

// Offset is the difference to the machine's clock.
func (c *Simulated) Offset() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.offset
}

func parseOffset(raw []byte) (time.Duration, error) {
	var f offsetFile
	if err := json.Unmarshal(raw, &f); err != nil {
		return 0, fmt.Errorf("is damaged: %w", err)
	}
	d, err := time.ParseDuration(f.Offset)
	if err != nil {
		return 0, fmt.Errorf("is damaged: %w", err)
	}
	if d < 0 || d > MaxOffset {
		return 0, fmt.Errorf("is damaged: offset %s is out of range", d)
	}
	return d, nil
}

// writeOffset replaces the file atomically.
func writeOffset(path string, d time.Duration) (err error) {
	raw, err := json.Marshal(offsetFile{Offset: d.String()})
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".clock-*")
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("clock: %w", err), os.Remove(f.Name()))
		}
	}()
	_, werr := f.Write(append(raw, '\n'))
	if err := errors.Join(werr, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
