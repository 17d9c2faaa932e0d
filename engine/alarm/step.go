package alarm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Reading is a value of an indicator.
type Reading struct {
	Indicator string
	Subject   string // which of several, such as the name of a part; empty: there is one
	Value     float64
	Detail    string // for the message, such as the id of the node; never content
}

// Point is a reading that was kept.
type Point struct {
	At    time.Time
	Value float64
}

// Alarm is a fault, from its begin to its end.
type Alarm struct {
	ID        graph.ID  `json:"id"`
	Indicator string    `json:"indicator"`
	Subject   string    `json:"subject,omitempty"`
	Severity  Severity  `json:"severity"` // the worst since it began; of an indicator that eases, the present one
	Message   string    `json:"message"`
	Detail    string    `json:"detail,omitempty"`
	Action    Action    `json:"action,omitempty"` // under way, or last taken if it has ended
	Value     float64   `json:"value"`            // when its severity last changed
	Since     time.Time `json:"since"`
	Until     time.Time `json:"until,omitzero"`    // zero: it is active
	EndedBy   string    `json:"endedBy,omitempty"` // the principal of a reset; empty: it ended by itself
}

// Active reports whether the alarm has not ended.
func (a Alarm) Active() bool { return a.Until.IsZero() }

// FromNote reads a stored alarm. The error wraps graph.ErrIntegrity if it is none.
func FromNote(n *graph.Note) (a Alarm, err error) {
	if err := json.Unmarshal(n.Data, &a); err != nil {
		return a, fmt.Errorf("%w: %w", graph.ErrIntegrity, err)
	}
	if a.ID != n.ID {
		return a, fmt.Errorf("%w: it has the id %q", graph.ErrIntegrity, a.ID)
	}
	return a, a.Check()
}

// Check returns an error that wraps graph.ErrIntegrity if the alarm lacks what every alarm has.
func (a Alarm) Check() error {
	if a.ID == "" || a.Indicator == "" || a.Severity.rank() == Healthy.rank() || a.Since.IsZero() {
		return fmt.Errorf("%w: it has no id, indicator, severity or begin", graph.ErrIntegrity)
	}
	return nil
}

// Change is what a step did to an alarm.
type Change string

// The changes.
const (
	Began   Change = "BEGAN"
	Changed Change = "CHANGED" // it became worse, or better if its indicator eases
	Ended   Change = "ENDED"
)

// Event is a change of an alarm.
type Event struct {
	Change Change
	Alarm  Alarm
}

// Key names a series of readings.
type Key struct{ Indicator, Subject string }

// Series is the state of an indicator for one subject.
type Series struct {
	Points   []Point // at most MaxPoints, oldest first
	Bad      int     // bad readings in a row
	BadSince time.Time
	Good     int // good readings in a row
	// Acknowledged is the severity up to which a person has ended the alarm, until the indicator is
	// healthy again; AcknowledgedValue its value.
	Acknowledged      Severity
	AcknowledgedValue float64
}

// MaxPoints is the number of readings kept per series: six hours at one a minute.
const MaxPoints = 360

// State is what Step needs to know of earlier readings, and the active alarms.
type State struct {
	Series map[Key]*Series
	Active []Alarm // by Since

	ended map[graph.ID]bool // shared alarms that ended here: an older reading of the store brings none back
}

// Restore returns the state in which the alarms of an earlier process are active.
func Restore(active []Alarm) State {
	return State{Series: map[Key]*Series{}, Active: slices.Clone(active)}
}

// Step takes in readings and returns the events, those of one reading after another. newID makes
// the id of an alarm. An indicator without a reading keeps its state. Readings of unknown
// indicators are ignored.
func (s *State) Step(readings []Reading, now time.Time, newID func() graph.ID) (events []Event) {
	if s.Series == nil {
		s.Series = map[Key]*Series{}
	}
	for _, r := range readings {
		i, known := Find(r.Indicator)
		if !known {
			continue
		}
		if e, happened := s.take(i, r, now, newID); happened {
			events = append(events, e)
		}
	}
	return events
}

func (s *State) take(i Indicator, r Reading, now time.Time, newID func() graph.ID) (Event, bool) {
	k := Key{r.Indicator, r.Subject}
	x := s.Series[k]
	if x == nil {
		x = &Series{}
		s.Series[k] = x
	}
	x.Points = append(x.Points, Point{now, r.Value})
	if over := len(x.Points) - MaxPoints; over > 0 {
		x.Points = slices.Delete(x.Points, 0, over)
	}
	at := s.indexOf(k)
	band := i.Band(r.Value)
	if band == Healthy {
		x.Bad, x.BadSince, x.Acknowledged = 0, time.Time{}, Healthy
		x.Good++
		if at < 0 || i.byHand(s.Active[at]) || x.Good < i.End {
			return Event{}, false
		}
		return s.end(at, now, ""), true
	}
	if x.Good = 0; x.Bad == 0 {
		x.BadSince = now
	}
	x.Bad++
	if at >= 0 {
		return s.change(at, i, r, band)
	}
	if x.Bad < i.Raise || now.Sub(x.BadSince) < i.For || !x.news(i, band, r.Value) {
		return Event{}, false
	}
	a := Alarm{ID: newID(), Indicator: i.Name, Subject: r.Subject, Since: now}
	a.describe(i, r, band)
	s.Active = append(s.Active, a)
	return Event{Began, a}, true
}

// Unraised says in a sentence or two that the last reading of a series is outside of its healthy
// band and why there is no alarm; empty: it is healthy, or there is one.
func (s *State) Unraised(k Key) (string, Severity) {
	x := s.Series[k]
	i, known := Find(k.Indicator)
	if x == nil || !known || len(x.Points) == 0 || s.indexOf(k) >= 0 {
		return "", Healthy
	}
	r := Reading{Indicator: k.Indicator, Subject: k.Subject, Value: x.Points[len(x.Points)-1].Value}
	band := i.Band(r.Value)
	if band == Healthy {
		return "", Healthy
	}
	m := message(i, r, band)
	switch {
	case !x.news(i, band, r.Value):
		return m + " Its alarm was ended by hand and begins again when it becomes worse.", band
	case i.For > 0:
		return fmt.Sprintf("%s An alarm begins after %d such readings over at least %.0f minutes.", m, i.Raise, i.For.Minutes()), band
	}
	return fmt.Sprintf("%s An alarm begins after %d such readings in a row.", m, i.Raise), band
}

// Worse reports whether a band is worse than the alarm of a series, or without one than its last reading.
func (s *State) Worse(k Key, band Severity) bool {
	if at := s.indexOf(k); at >= 0 {
		return band.Worse(s.Active[at].Severity)
	}
	known := Healthy
	if x := s.Series[k]; x != nil && len(x.Points) > 0 {
		i, _ := Find(k.Indicator)
		known = i.Band(x.Points[len(x.Points)-1].Value)
	}
	return band.Worse(known)
}

// news reports whether a bad reading is more than what a person has acknowledged.
func (x *Series) news(i Indicator, band Severity, v float64) bool {
	return band.Worse(x.Acknowledged) || x.Acknowledged != Healthy && i.Unit == "count" && v > x.AcknowledgedValue
}

// change updates an active alarm if its severity rose, or a count did, or the severity of one that eases fell.
func (s *State) change(at int, i Indicator, r Reading, band Severity) (Event, bool) {
	a := &s.Active[at]
	eased := i.Eases && a.Severity.Worse(band)
	if eased {
		a.Action = None
	}
	if !eased && !band.Worse(a.Severity) && (i.Unit != "count" || r.Value <= a.Value || band != a.Severity) {
		if a.Detail == "" && r.Detail != "" && band == a.Severity {
			a.describe(i, r, band) // the reason was not known when it began
		}
		return Event{}, false
	}
	a.describe(i, r, band)
	return Event{Changed, *a}, true
}

// describe sets what a reading says about the alarm.
func (a *Alarm) describe(i Indicator, r Reading, band Severity) {
	a.Severity, a.Value, a.Detail = band, r.Value, r.Detail
	if i.Action != None && !i.At.Worse(band) {
		a.Action = i.Action
	}
	a.Message = message(i, r, band)
	if does := a.Action.Text(); does != "" {
		a.Message += " " + does
	}
}

// message says what is wrong in one sentence.
func message(i Indicator, r Reading, band Severity) string {
	limit := i.Warning
	if band == Critical {
		limit = i.Critical
	}
	side := "above"
	if i.HigherIsBetter {
		side = "below"
	}
	effect := Effect(i.Name, r.Subject)
	if i.Name == PartsAway {
		return strings.TrimSpace(fmt.Sprintf("%s does not answer. %s", r.Subject, effect))
	}
	of := ""
	if r.Subject != "" {
		of = " (" + r.Subject + ")"
	}
	m := fmt.Sprintf("%s%s is %s, %s the limit of %s", i.Title, of, i.format(r.Value), side, i.format(limit))
	if i.Unit == "count" && limit == 0 {
		m = fmt.Sprintf("%s%s: %s", i.Title, of, i.format(r.Value))
	}
	if r.Detail != "" {
		m += " (" + r.Detail + ")"
	}
	return strings.TrimSpace(m + ". " + effect)
}

func (s *State) indexOf(k Key) int {
	return slices.IndexFunc(s.Active, func(a Alarm) bool { return a.Indicator == k.Indicator && a.Subject == k.Subject })
}

// end ends the active alarm at an index.
func (s *State) end(at int, now time.Time, by string) Event {
	a := s.Active[at]
	a.Until, a.EndedBy = now, by
	s.Active = slices.Delete(s.Active, at, at+1)
	if i, _ := Find(a.Indicator); i.Shared {
		if s.ended == nil {
			s.ended = map[graph.ID]bool{}
		}
		s.ended[a.ID] = true
	}
	return Event{Ended, a}
}

// Reset ends an active alarm by hand, and reports false if there is none with the id. A new alarm
// of the indicator begins only if it becomes worse, or is healthy in between.
func (s *State) Reset(id graph.ID, by string, now time.Time) (Event, bool) {
	at := slices.IndexFunc(s.Active, func(a Alarm) bool { return a.ID == id })
	if at < 0 {
		return Event{}, false
	}
	e := s.end(at, now, by)
	s.acknowledge(Key{e.Alarm.Indicator, e.Alarm.Subject}, e.Alarm)
	return e, true
}

// Points returns the readings kept of an indicator, oldest first.
func (s *State) Points(indicator, subject string) []Point {
	if x := s.Series[Key{indicator, subject}]; x != nil {
		return slices.Clone(x.Points)
	}
	return nil
}

// Drop is the relative loss from the best value within a time before now to the newest, [0,1]; 0
// with fewer than two points.
func Drop(points []Point, now time.Time, within time.Duration) float64 {
	if len(points) < 2 {
		return 0
	}
	best, last := 0.0, points[len(points)-1].Value
	for _, p := range points {
		if now.Sub(p.At) <= within {
			best = max(best, p.Value)
		}
	}
	if best <= 0 {
		return 0
	}
	return max(0, (best-last)/best)
}

// Worst returns the alarm that decides the verdict: the most severe, of those the oldest. ok is
// false if there is none.
func Worst(active []Alarm) (worst Alarm, ok bool) {
	for _, a := range active {
		if !ok || a.Severity.Worse(worst.Severity) || a.Severity == worst.Severity && a.Since.Before(worst.Since) {
			worst, ok = a, true
		}
	}
	return worst, ok
}

// Advice says what a person does about the alarm.
func (a Alarm) Advice() string {
	i, _ := Find(a.Indicator)
	return i.Advice
}

// ByHand reports whether the alarm ends only by hand.
func (a Alarm) ByHand() bool {
	i, _ := Find(a.Indicator)
	return i.byHand(a)
}
