// Package decay is the one curve that memories fade along (SPEC section 4):
//
//	retention(t) = e^(−k·t),  k = ln 2 / h,  h = base(class) · stability
//
// t in days since the anchor: the last reinforcement or use. The exponential is
// Ebbinghaus' forgetting curve in its simplest form (Über das Gedächtnis, 1885); the
// stability that grows with use is the S of Woźniak's two-component model. Pure
// functions; days are 24 h.
//
// testdata/golden.json pins the curve for ports to other languages: times in
// milliseconds since 1970, 0 for "none".
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

// HalfLife is the base half-life of a class in days; +Inf for NONE and for classes
// there are none of.
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

// Stability stretches the half-life: (1 + 0.3·ln(1+U)) × (2 where marked important) ×
// (1 + confidence)/1.5. usage ≥ 0, confidence in [0,1]; the result is at least 2/3.
func Stability(usage int, important bool, confidence float64) float64 {
	s := (1 + 0.3*math.Log1p(float64(max(0, usage)))) * (1 + confidence) / 1.5
	if important {
		s *= 2
	}
	return s
}

// Retention is e^(−k·days) for k per day; days below 0 count as 0.
func Retention(k, days float64) float64 { return math.Exp(-k * max(0, days)) }

// Memory is what the curve of one memory hangs on.
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

// Rate is k per day.
func Rate(m Memory) float64 {
	if m.K > 0 {
		return m.K
	}
	return math.Ln2 / (HalfLife(m.Class) * Stability(m.Usage, m.Important, m.Confidence))
}

// RetentionAt is what is left of a memory at t, in [0,1]. The anchor is the latest of
// creation, reinforcement and use that is not behind t: of the uses before the last one
// only the days are known, and each counts from the start of its day.
func RetentionAt(m Memory, t time.Time) float64 {
	if m.Permanent || (m.Class == graph.DecayNone && m.K == 0) {
		return 1
	}
	return Retention(Rate(m), t.Sub(Anchor(m, t)).Hours()/24)
}

// ReachesLevel is when the retention of a memory that is not used again falls to a level in
// (0,1), seen from t; false where it never does. It lies before t where it fell already.
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

// maxForecast is as good as never: a duration holds little more.
const maxForecast = 200 * 365 * 24 * time.Hour

// Anchor is the instant that a memory's decay runs from, as seen at t.
func Anchor(m Memory, t time.Time) time.Time {
	anchor := m.CreatedAt
	consider := func(x time.Time) {
		if x.After(anchor) && !x.After(t) {
			anchor = x
		}
	}
	consider(m.AnchorAt)
	consider(m.LastUse)
	// The last day of use that had begun by t.
	if i := sort.Search(len(m.Days), func(i int) bool { return m.Days[i] > graph.Day(t) }); i > 0 {
		consider(time.Unix(int64(m.Days[i-1])*86400, 0).UTC())
	}
	return anchor
}
