package enginetest

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
)

// A dry run of an erasure counts of what stays only memories that the caller sees.
func TestMentionsAreThoseThatTheCallerSees(t *testing.T) {
	w := New(t)
	ana := bound("ana", .8, access.MemoryRead, access.MemoryWrite)
	w.said("Falcon lands at nine.", "", .8)
	w.said("Ana fuels Falcon.", "ana", .8)
	seen := func(in engine.ForgetInput) int {
		t.Helper()
		in.DryRun = true
		r, err := w.Engine.Forget(t.Context(), ana, in)
		if err != nil || r.Forecast == nil {
			t.Fatal(r, err)
		}
		return r.Forecast.Mentions
	}
	falcon, user := seen(engine.ForgetInput{Entity: "Falcon"}), seen(engine.ForgetInput{User: "ana"})
	for _, text := range []string{"Bob repaints Falcon.", "Bob thinks that Ana is late.", "Falcon leaks oil, says Ana."} {
		w.said(text, "bob", .8)
	}
	if n := seen(engine.ForgetInput{Entity: "Falcon"}); n != falcon {
		t.Errorf("the entity is mentioned by %d memories, %d before bob wrote what ana does not see", n, falcon)
	}
	if n := seen(engine.ForgetInput{User: "ana"}); n != user {
		t.Errorf("the user is mentioned by %d memories, %d before bob wrote what ana does not see", n, user)
	}
	r, err := w.Engine.Forget(t.Context(), w.Caller, engine.ForgetInput{User: "ana", DryRun: true})
	if err != nil || r.Forecast.Mentions != 2 {
		t.Errorf("to an administrator: %+v, %v", r.Forecast, err)
	}
}
