package reader

import (
	"time"

	"github.com/somnograph/somnograph/engine/temporal"
)

// toldAt reads since when, or when, it was so what a clause tells, as said at an instant: "I joined Aker in 2019", "I have lived
// here since March", "I lived in Kiel from 2010 to 2014". Zero times: the clause does not say.
func (c *clause) toldAt(text string, at time.Time) (from, to time.Time, lasting bool) {
	if at.IsZero() || c.verb < 0 || c.modal || c.imperative || c.setting || !c.modality.Holds() && c.modality != Past {
		return from, to, false
	}
	t, _ := temporal.ToldOf(text[c.start:c.end], at, max(c.words[c.verb].end-c.start, 0))
	return t.Holds(temporal.Tenses{
		Past: c.past, Perfect: c.perfect, Passive: c.passive, Have: hasFinite(c, "hav") || hasFinite(c, "have"), Negated: c.negated && !c.stopped, Former: c.modality == Past, Event: c.modality == Event,
	}, at)
}
