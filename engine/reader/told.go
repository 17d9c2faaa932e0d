package reader

import (
	"time"

	"github.com/somnograph/somnograph/engine/temporal"
)

// toldAt reads since when, or when, it was so what a clause tells, as said at an instant: "I joined Aker in 2019", "I have lived
// here since March", "I lived in Kiel from 2010 to 2014". Zero times: the clause does not say.
func (c *clause) toldAt(text string, at time.Time) (from, to time.Time, lasting bool) {
	if at.IsZero() || c.verb < 0 || c.modal || c.imperative || c.setting || !c.modality.states() && c.modality != Past {
		return from, to, false
	}
	t, ok := temporal.ToldOf(text[c.start:c.end], at, max(c.words[c.verb].end-c.start, 0))
	if !ok {
		return from, to, false
	}
	continues := !c.past && c.modality != Past && c.modality != Event
	switch {
	case t.Kind == temporal.ToldSince:
		return t.From, to, continues
	case t.Kind == temporal.ToldFor:
		if !continues || !c.perfect && !hasFinite(c, "hav") && !hasFinite(c, "have") || c.negated {
			return from, to, false
		}
		return t.From, to, true
	case c.modality == Past:
		if to = t.To; to.After(at) {
			to = at
		}
		return t.From, to, false
	case t.Kind == temporal.ToldRange || c.negated && !c.stopped || !c.past && !c.perfect && !c.passive:
		return from, to, false
	}
	return t.From, to, false
}
