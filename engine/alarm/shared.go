package alarm

import (
	"cmp"
	"slices"
	"time"
)

// Agree takes over what other servers on the same store did to the alarms of shared indicators. stored
// are those of the store, in any order. foreign are the events that the other servers have told already;
// own are those of alarms that this server raised at the same time as another one, and are to be stored.
func (s *State) Agree(stored []Alarm, now time.Time) (foreign, own []Event) {
	oldest := slices.SortedFunc(slices.Values(stored), func(a, b Alarm) int { return older(a, b) })
	for _, a := range oldest {
		i, known := Find(a.Indicator)
		if !known || !i.Shared || a.Active() && s.ended[a.ID] {
			continue
		}
		k := Key{a.Indicator, a.Subject}
		at := slices.IndexFunc(s.Active, func(mine Alarm) bool { return mine.ID == a.ID })
		switch other := s.indexOf(k); {
		case at >= 0 && !a.Active():
			s.Active = slices.Delete(s.Active, at, at+1)
			s.acknowledge(k, a)
			foreign = append(foreign, Event{Ended, a})
		case at >= 0 && a.Severity.Worse(s.Active[at].Severity):
			s.Active[at] = a
			foreign = append(foreign, Event{Changed, a})
		case at >= 0:
		case !a.Active():
			if s.since(k, a.Until) { // it began and ended between two readings here
				s.acknowledge(k, a)
			}
		case other < 0:
			s.Active = append(s.Active, a)
			foreign = append(foreign, Event{Began, a})
		case older(a, s.Active[other]) < 0: // one is enough, and every server keeps the same
			own = append(own, s.end(other, now, ""))
			s.Active = append(s.Active, a)
			foreign = append(foreign, Event{Began, a})
		}
	}
	slices.SortFunc(s.Active, older)
	return foreign, own
}

// older orders alarms by their begin.
func older(a, b Alarm) int {
	return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
}

// acknowledge notes that an alarm was ended by hand.
func (s *State) acknowledge(k Key, a Alarm) {
	if a.EndedBy == "" {
		return
	}
	x := s.Series[k]
	if x == nil {
		x = &Series{}
		if s.Series == nil {
			s.Series = map[Key]*Series{}
		}
		s.Series[k] = x
	}
	x.Acknowledged, x.AcknowledgedValue = a.Severity, a.Value
}

// since reports whether an instant is after the last reading of a series.
func (s *State) since(k Key, at time.Time) bool {
	x := s.Series[k]
	return x != nil && len(x.Points) > 0 && at.After(x.Points[len(x.Points)-1].At)
}
