// Package schedule says when a tenant sleeps by itself: at a time of day, and when a cause reaches
// its threshold.
package schedule

import (
	"cmp"
	"time"
)

// Automatic configures when a tenant sleeps automatically.
type Automatic struct {
	// Hour and Minute are the time of day of the nightly deep sleep in Zone. The default is 02:00 UTC.
	Hour, Minute int
	Zone         *time.Location
	// Pressure is the number of ACTIVE memories in L1 above which a deep sleep starts. A tenth of
	// it is the number of new memories in one dense cluster above which one does. The default is
	// 10,000.
	Pressure int
	// CheckEvery is the interval between checks whether a sleep is due. The default is 30 s.
	CheckEvery time.Duration
}

// WithDefaults returns the configuration with defaults for what is not set.
func (a Automatic) WithDefaults() Automatic {
	if a.Zone == nil {
		a.Zone = time.UTC
	}
	a.Pressure, a.CheckEvery = cmp.Or(a.Pressure, 10_000), cmp.Or(a.CheckEvery, 30*time.Second)
	return a
}

// NextAt returns the first nightly sleep strictly after an instant.
func (a Automatic) NextAt(after time.Time) time.Time {
	local := after.In(a.Zone)
	for day := 0; ; day++ {
		at := time.Date(local.Year(), local.Month(), local.Day()+day, a.Hour, a.Minute, 0, 0, a.Zone)
		if at.After(after) {
			return at.UTC()
		}
	}
}

const (
	minFiringInterval = time.Hour // between two sleeps for the same cause
	refiringGrowth    = 11        // tenths of the level at the last firing at which a cause fires again
)

// Firing records when a cause last started a sleep, and its level then.
type Firing struct {
	At    time.Time `json:"at"`
	Level int       `json:"level"`
	Below bool      `json:"below"` // the level has been below the threshold since
}

// firesAgain reports whether a cause starts a sleep now. It fires on a rising edge, at
// least an hour after its last firing. If the level never fell below the threshold, it must
// have grown by a tenth.
func (e Firing) firesAgain(level, threshold int, now time.Time) bool {
	if level < threshold || now.Sub(e.At) < minFiringInterval {
		return false
	}
	return e.At.IsZero() || e.Below || level*10 >= e.Level*refiringGrowth
}

// Cause is a condition that can start a sleep.
type Cause struct {
	Name      string
	Threshold int
	Level     int
}

// FirstToFire returns the index of the first cause that starts a sleep (−1: none does), and updates the
// last firing of each cause.
func FirstToFire(causes []Cause, last map[string]Firing, now time.Time) (start int, changed bool) {
	start = -1
	for i, c := range causes {
		was := last[c.Name]
		switch {
		case start < 0 && was.firesAgain(c.Level, c.Threshold, now):
			start = i
			last[c.Name], changed = Firing{At: now, Level: c.Level}, true
		case c.Level < c.Threshold && !was.Below && !was.At.IsZero():
			was.Below = true
			last[c.Name], changed = was, true
		}
	}
	return start, changed
}
