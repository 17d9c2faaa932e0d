// Package decay computes how memories fade:
//
//	retention(t) = e^(−k·t),  k = ln 2 / h,  h = base(class) · stability
//
// t is in days since the anchor, which is the last reinforcement or use. The exponential is the
// simplest form of Ebbinghaus' forgetting curve (Über das Gedächtnis, 1885). The stability that
// grows with use is S of Woźniak's two-component model. All functions are pure. A day has 24 h.
//
// testdata/golden.json pins the curve for ports to other languages: times in milliseconds since
// 1970, 0 for "none".
package decay

import (
	"math"
	"sort"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Base half-lives in days.
const (
	SlowDays   = 90.0
	MediumDays = 14.0
	FastDays   = 2.0
)

// HalfLife is the base half-life of a class in days; +Inf for NONE and for unknown classes.
func HalfLife(c graph.DecayClass) float64 {
	switch c {
	case graph.DecaySlow:
		return SlowDays
	case graph.DecayMedium:
		return MediumDays
	case graph.DecayFast:
		return FastDays
	}
	return math.Inf(1)
}

// Stability is the factor of the half-life: (1 + 0.3·ln(1+U)) × (2 if marked important) × (1 +
// confidence)/1.5. usage ≥ 0, confidence in [0,1]; the result is at least 2/3.
func Stability(usage int, important bool, confidence float64) float64 {
	s := (1 + 0.3*math.Log1p(float64(max(0, usage)))) * (1 + confidence) / 1.5
	if important {
		s *= 2
	}
	return s
}

// Retention is e^(−k·days) for k per day; days below 0 count as 0.
func Retention(k, days float64) float64 { return math.Exp(-k * max(0, days)) }

// Memory is the input of the curve for one memory.
type Memory struct {
	Class      graph.DecayClass
	K          float64   // per day; 0: from the class and the stability
	CreatedAt  time.Time // the first anchor
	AnchorAt   time.Time // last reinforcement
	Usage      int
	Days       []int32   // distinct UTC days of use, ascending
	LastUse    time.Time // last use; zero: never
	Important  bool
	Confidence float64
	Permanent  bool // core, safety-critical or an engram: never fades
}

// Rate is the decay constant k per day.
func Rate(m Memory) float64 {
	if m.K > 0 {
		return m.K
	}
	return math.Ln2 / (HalfLife(m.Class) * Stability(m.Usage, m.Important, m.Confidence))
}

// RetentionAt is the retention of a memory at t, in [0,1]. The anchor is the latest of
// creation, reinforcement and use at or before t. Of uses before the last one only the day is
// known; each counts from the start of its day.
func RetentionAt(m Memory, t time.Time) float64 {
	if m.Permanent || (m.Class == graph.DecayNone && m.K == 0) {
		return 1
	}
	return Retention(Rate(m), t.Sub(Anchor(m, t)).Hours()/24)
}

// ReachesLevel returns when the retention of a memory that is not used again falls to a level
// in (0,1), as seen from t. The time is before t if it has fallen already. It returns false if
// retention never falls to the level.
func ReachesLevel(m Memory, level float64, t time.Time) (time.Time, bool) {
	if m.Permanent || (m.Class == graph.DecayNone && m.K == 0) || !(level > 0 && level < 1) {
		return time.Time{}, false
	}
	after := -math.Log(level) / Rate(m) * 24 * float64(time.Hour)
	if !(after < float64(maxForecast)) {
		return time.Time{}, false
	}
	return Anchor(m, t).Add(time.Duration(after)), true
}

// maxForecast is treated as never; a time.Duration holds little more.
const maxForecast = 200 * 365 * 24 * time.Hour

// Anchor is the instant from which a memory decays, as seen at t.
func Anchor(m Memory, t time.Time) time.Time {
	anchor := m.CreatedAt
	consider := func(x time.Time) {
		if x.After(anchor) && !x.After(t) {
			anchor = x
		}
	}
	consider(m.AnchorAt)
	consider(m.LastUse)
	// The last day of use that began at or before t.
	if i := sort.Search(len(m.Days), func(i int) bool { return m.Days[i] > graph.Day(t) }); i > 0 {
		consider(time.Unix(int64(m.Days[i-1])*86400, 0).UTC())
	}
	return anchor
}
