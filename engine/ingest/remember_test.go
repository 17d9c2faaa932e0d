package ingest_test

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

func TestRememberDefaults(t *testing.T) {
	w := enginetest.New(t)
	r := w.Remember("Walked along the pier and watched the gulls.")
	m := r.Memory
	if m.Namespace != "default" || m.SourceKind != graph.FromUser || m.Type != graph.Episodic || m.DecayClass != graph.DecayMedium {
		t.Errorf("defaults: %+v", m.Memory)
	}
	if m.Confidence != 0.7 || m.Authority != 0.8 || m.Importance != 0.5 || m.Version != 1 || m.Chain != m.ID {
		t.Errorf("defaults: confidence %v authority %v importance %v version %d", m.Confidence, m.Authority, m.Importance, m.Version)
	}
	if !m.CreatedAt.Equal(enginetest.Start) || !m.ValidFrom.Equal(enginetest.Start) || !m.RecordedAt.Equal(enginetest.Start) {
		t.Errorf("times: %v %v %v", m.CreatedAt, m.ValidFrom, m.RecordedAt)
	}
	if m.Checksum != graph.Sum(m.Content, m.CreatedAt, graph.FromUser, "") {
		t.Error("the checksum is not that of the content")
	}
	if r.Pending || r.DuplicateOf != "" || r.Replayed {
		t.Errorf("result: %+v", r)
	}
	if m.State.Status != graph.Active || m.Retention != 1 {
		t.Errorf("state %v retention %v", m.State, m.Retention)
	}
}

func TestRememberNamesTheInvalidField(t *testing.T) {
	w := enginetest.New(t)
	two, zero := 2.0, 0
	for _, c := range []struct {
		code  graph.Code
		field string
		spoil func(*engine.RememberInput)
	}{
		{graph.CodeConsentRequired, "consent", func(in *engine.RememberInput) { in.Consent = "" }},
		{graph.CodeInvalidRequest, "content", func(in *engine.RememberInput) { in.Content = " \n" }},
		{graph.CodeInvalidRequest, "content", func(in *engine.RememberInput) { in.Content = "\xff" }},
		{graph.CodeLimitExceeded, "content", func(in *engine.RememberInput) { in.Content = strings.Repeat("x", engine.DefaultMaxContent+1) }},
		{graph.CodeInvalidRequest, "namespace", func(in *engine.RememberInput) { in.Namespace = "a b" }},
		{graph.CodeInvalidRequest, "salience", func(in *engine.RememberInput) { in.Salience = &two }},
		{graph.CodeInvalidRequest, "ttlSeconds", func(in *engine.RememberInput) { in.TTLSeconds = &zero }},
		{graph.CodeLimitExceeded, "idempotencyKey", func(in *engine.RememberInput) { in.IdempotencyKey = strings.Repeat("k", 257) }},
		{graph.CodeInvalidRequest, "validTo", func(in *engine.RememberInput) {
			in.ValidFrom, in.ValidTo = enginetest.Start, enginetest.Start
		}},
		{graph.CodeInvalidRequest, "validTo", func(in *engine.RememberInput) { in.ValidTo = enginetest.Start.Add(-time.Hour) }},
		{graph.CodeInvalidRequest, "validTo", func(in *engine.RememberInput) { in.ValidTo = enginetest.Start }},
		{graph.CodeInvalidRequest, "validTo", func(in *engine.RememberInput) {
			in.OccurredAt, in.ValidTo = enginetest.Start.Add(-time.Hour), enginetest.Start.Add(-2*time.Hour)
		}},
		{graph.CodeInvalidRequest, "entities", func(in *engine.RememberInput) { in.Entities = []string{"  "} }},
		{graph.CodeInvalidRequest, "type", func(in *engine.RememberInput) { in.Type = "DREAM" }},
		{graph.CodeInvalidRequest, "tags", func(in *engine.RememberInput) { in.Tags = []string{""} }},
		{graph.CodeInvalidRequest, "meta", func(in *engine.RememberInput) { in.Meta = []byte("{") }},
	} {
		in := engine.RememberInput{Content: "The lamp is green.", Consent: graph.ConsentExplicit}
		c.spoil(&in)
		_, err := w.Engine.Remember(t.Context(), w.Caller, in)
		fixture.WantError(t, err, c.code, c.field)
	}
	if r := w.Search(""); len(r.Hits) != 0 {
		t.Errorf("a refused write left %d memories", len(r.Hits))
	}
}

// What was true before may be told late, with the time since when. A repeated write that was in time is answered as before, also when it is over.
func TestWhatIsOverNeedsItsBegin(t *testing.T) {
	w := enginetest.New(t)
	ago := func(hours time.Duration) time.Time { return w.Clock.Now().Add(-hours * time.Hour) }
	for name, since := range map[string]func(*engine.RememberInput){
		"validFrom":                func(in *engine.RememberInput) { in.ValidFrom = ago(9) },
		"occurredAt":               func(in *engine.RememberInput) { in.OccurredAt = ago(9) },
		"validFrom and occurredAt": func(in *engine.RememberInput) { in.ValidFrom, in.OccurredAt = ago(9), ago(1) },
	} {
		m := w.Remember("The kiosk of "+name+" was closed.", since, func(in *engine.RememberInput) { in.ValidTo = ago(3) }).Memory
		if !m.ValidFrom.Equal(ago(9)) || !m.State.ValidTo.Equal(ago(3)) {
			t.Errorf("%s: from %v to %v", name, m.ValidFrom, m.State.ValidTo)
		}
	}
	end := w.Clock.Now().Add(time.Hour)
	for _, named := range []func(*engine.RememberInput){
		func(in *engine.RememberInput) { in.IdempotencyKey = "k" },
		func(in *engine.RememberInput) { in.ExternalID = "x" },
	} {
		const text = "The bridge is open to boats."
		until := func(in *engine.RememberInput) { in.ValidTo, in.OnDuplicate = end, engine.Insert }
		first := w.Remember(text, named, until)
		w.Clock.Advance(2 * time.Hour)
		if again := w.Remember(text, named, until); !again.Replayed || again.Memory.ID != first.Memory.ID {
			t.Errorf("the same write when it is over: %+v", again)
		}
		end = w.Clock.Now().Add(time.Hour)
	}
}

func TestRememberManyFailsItemByItem(t *testing.T) {
	w := enginetest.New(t)
	results, err := w.RememberMany(t.Context(), w.Caller, []engine.RememberInput{
		{Content: "The harbour light is red.", Consent: graph.ConsentExplicit},
		{Content: "No consent here."},
		{Content: "Bram repairs the winch on Fridays.", Consent: graph.ConsentExplicit},
	})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Error != nil || results[2].Error != nil || results[1].Error == nil || results[1].Error.Code != graph.CodeConsentRequired {
		t.Fatalf("results: %+v", results)
	}
	_, err = w.RememberMany(t.Context(), w.Caller, make([]engine.RememberInput, engine.MaxMany+1))
	fixture.WantError(t, err, graph.CodeLimitExceeded, "input")
}

func TestIdempotencyKeyIsOneMemory(t *testing.T) {
	w := enginetest.New(t)
	keyed := func(in *engine.RememberInput) { in.IdempotencyKey = "k1" }
	a := w.Remember("The ferry leaves at nine.", keyed)
	w.Clock.Advance(time.Hour)
	b := w.Remember("The ferry leaves at nine.", keyed)
	if !b.Replayed || b.Memory.ID != a.Memory.ID || b.Score != a.Score {
		t.Errorf("replay: %+v", b)
	}
	_, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "The ferry leaves at ten.", Consent: graph.ConsentExplicit, IdempotencyKey: "k1"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "idempotencyKey")
	// The same key twice in one batch also makes one memory.
	twice := engine.RememberInput{Content: "The gate code changed.", Consent: graph.ConsentExplicit, IdempotencyKey: "k2"}
	r, err := w.RememberMany(t.Context(), w.Caller, []engine.RememberInput{twice, twice})
	if err != nil || !r[1].Replayed || r[0].Memory.ID != r[1].Memory.ID {
		t.Errorf("one batch: %+v, %v", r, err)
	}
}

func TestConcurrentWritesUnderOneKeyAreOneMemory(t *testing.T) {
	w := enginetest.New(t)
	ids := make([]graph.ID, 16)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			r, err := w.Engine.Remember(context.Background(), w.Caller, engine.RememberInput{Content: "The kiln is at cone six.", Consent: graph.ConsentExplicit, IdempotencyKey: "kiln"})
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = r.Memory.ID
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatalf("one key made %v", ids)
		}
	}
	if r := w.Search("kiln cone"); len(r.Hits) != 1 {
		t.Errorf("%d memories, want 1", len(r.Hits))
	}
}

func TestDuplicates(t *testing.T) {
	w := enginetest.New(t)
	fact := func(in *engine.RememberInput) { in.Type = graph.Semantic }
	a := w.Remember("Mara keeps the spare key under the blue pot.", fact)
	w.Clock.Advance(time.Hour)
	b := w.Remember("Mara keeps the spare key under the blue pot.", fact)
	if b.DuplicateOf != a.Memory.ID || b.Memory.ID != a.Memory.ID {
		t.Fatalf("a repetition was not reinforced: %+v", b)
	}
	again, err := w.Memory(t.Context(), w.Caller, a.Memory.ID, engine.Access{})
	if err != nil || again.Usage.Count != 1 || again.Salience <= a.Memory.Salience || !again.AnchorAt.After(a.Memory.AnchorAt) {
		t.Errorf("reinforced: usage %d salience %v → %v, %v", again.Usage.Count, a.Memory.Salience, again.Salience, err)
	}
	_, err = w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{
		Content: "Mara keeps the spare key under the blue pot.", Consent: graph.ConsentExplicit, Type: graph.Semantic, OnDuplicate: engine.Reject,
	})
	fixture.WantError(t, err, graph.CodeDuplicateMemory, "content")
	c := w.Remember("Mara keeps the spare key under the blue pot.", fact, func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	if c.Memory.ID == a.Memory.ID {
		t.Error("INSERT did not insert")
	}
	for name, change := range map[string]func(*engine.RememberInput){
		"another namespace": func(in *engine.RememberInput) { in.Namespace = "other" },
		"another user":      func(in *engine.RememberInput) { in.User = "bram" },
		"another consent":   func(in *engine.RememberInput) { in.Consent = graph.ConsentImplicit },
		"another number":    func(in *engine.RememberInput) { in.Content = "Mara keeps 2 spare keys under the blue pot." },
	} {
		if r := w.Remember("Mara keeps the spare key under the blue pot.", fact, change); r.DuplicateOf != "" {
			t.Errorf("%s is not a duplicate", name)
		}
	}
}

func TestEpisodesOfDifferentDaysAreCorroboration(t *testing.T) {
	w := enginetest.New(t)
	episode := func(in *engine.RememberInput) { in.Type, in.Session = graph.Episodic, "s1" }
	a := w.Remember("We walked to the lighthouse.", episode)
	w.Clock.Advance(25 * time.Hour)
	if b := w.Remember("We walked to the lighthouse.", episode); b.DuplicateOf != "" || b.Memory.ID == a.Memory.ID {
		t.Error("the same walk on another day was merged as a duplicate")
	}
}

func TestContradictionIsNoDuplicate(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	a := w.Remember("The review meeting is on Tuesday at 14:00.", func(in *engine.RememberInput) { in.Type = graph.Semantic })
	b := w.Remember("The review meeting is on Tuesday at 16:00.", func(in *engine.RememberInput) { in.Type = graph.Semantic })
	if len(b.ConflictsWith) != 1 || b.ConflictsWith[0] != a.Memory.ID {
		t.Fatalf("conflicts with %v, want %s", b.ConflictsWith, a.Memory.ID)
	}
	if b.Memory.Conflict < 0.7 {
		t.Errorf("signal of the later one: %v", b.Memory.Conflict)
	}
	r := w.Search("When is the review meeting?")
	for _, h := range r.Hits {
		if h.Label != engine.Contested {
			t.Errorf("%q is %s", h.Memory.Content, h.Label)
		}
	}
	if len(r.Hits) != 2 {
		t.Errorf("%d hits", len(r.Hits))
	}
	if _, err := w.Expire(t.Context(), w.Caller, b.Memory.ID); err != nil {
		t.Fatal(err)
	}
	left, err := w.Memory(t.Context(), w.Caller, a.Memory.ID, engine.Access{})
	if err != nil || left.Conflict != 0 {
		t.Errorf("the signal remains after its conflict: %v, %v", left.Conflict, err)
	}
}

func TestWorkingMemoryHasATimeToLive(t *testing.T) {
	w := enginetest.New(t)
	ttl := 3600
	r := w.Remember("Check the oven.", func(in *engine.RememberInput) { in.TTLSeconds = &ttl })
	if r.Memory.Type != graph.Working || !r.Memory.ExpiresAt.Equal(enginetest.Start.Add(time.Hour)) {
		t.Fatalf("type %s, expires %v", r.Memory.Type, r.Memory.ExpiresAt)
	}
	two := w.Remember("Keep the kettle in mind.", func(in *engine.RememberInput) { in.Type = graph.Working })
	if !two.Memory.ExpiresAt.Equal(enginetest.Start.Add(48 * time.Hour)) {
		t.Errorf("working memory without a time to live expires %v", two.Memory.ExpiresAt)
	}
	w.Clock.Advance(time.Hour)
	if got := enginetest.IDs(w.Search("oven")); slices.Contains(got, r.Memory.ID) {
		t.Errorf("an expired memory is found: %v", got)
	}
	v, err := w.Memory(t.Context(), w.Caller, r.Memory.ID, engine.Access{})
	if err != nil || v.State.Status != graph.Expired {
		t.Errorf("status %v, %v", v.State.Status, err)
	}
	then, err := w.Memory(t.Context(), w.Caller, r.Memory.ID, engine.Access{AsOf: graph.AsOf{Recorded: enginetest.Start}})
	if err != nil || then.State.Status != graph.Active {
		t.Errorf("as of then: %v, %v", then.State.Status, err)
	}
}

func TestAuthorityIsNeverAboveTheGrant(t *testing.T) {
	w := enginetest.New(t)
	w.Caller.Grant = 0.3
	one := 1.0
	if m := w.Remember("The bell rings at six.", func(in *engine.RememberInput) { in.Authority = &one }).Memory; m.Authority != 0.3 {
		t.Errorf("authority %v, want the grant", m.Authority)
	}
	if m := w.Remember("The bell is made of bronze.", func(in *engine.RememberInput) { in.Confidence = &one }).Memory; m.Confidence != 0.65 {
		t.Errorf("confidence %v, want (1+A)/2", m.Confidence)
	}
}

func TestUnavailableEmbedderLeavesMemoryPending(t *testing.T) {
	f := &fixture.FlakyEmbedder{Embedder: hashed.New(), Down: true}
	w := enginetest.With(t, enginetest.Options{Embedder: f, Retry: time.Millisecond})
	events, err := w.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := w.Remember("The observatory opens at dusk.")
	if !r.Pending || r.Memory.EmbeddingModel != "" {
		t.Fatalf("pending %v, model %q", r.Pending, r.Memory.EmbeddingModel)
	}
	found := w.Search("observatory dusk")
	if len(found.Hits) != 1 || len(found.Degraded) != 2 {
		t.Errorf("without vectors: %d hits, degraded %v", len(found.Hits), found.Degraded)
	}
	f.Set(false)
	for ev := range events {
		if ev.Kind == graph.EventUpdated && ev.ID == r.Memory.ID {
			break
		}
	}
	after := w.Search("observatory dusk")
	if len(after.Degraded) != 0 || after.Hits[0].Parts.Semantic == 0 {
		t.Errorf("after the model came back: degraded %v, parts %+v", after.Degraded, after.Hits[0].Parts)
	}
}

// pickyEmbedder fails every call with a certain word in one of its texts.
type pickyEmbedder struct{ fixture.FlakyEmbedder }

func (p *pickyEmbedder) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	for _, text := range texts {
		if strings.Contains(text, "glyph") {
			return nil, &models.Error{Status: 422, Message: "can't be read"}
		}
	}
	return p.FlakyEmbedder.Embed(ctx, texts, kind)
}

// A text that the model refuses does not delay others. It is given up after some retries
// and reported without its text. The next start retries it.
func TestRefusedTextIsGivenUp(t *testing.T) {
	p := &pickyEmbedder{fixture.FlakyEmbedder{Embedder: hashed.New(), Down: true}}
	w := enginetest.With(t, enginetest.Options{Embedder: p, Retry: time.Millisecond})
	events, err := w.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	bad, good := w.Remember("A glyph stands on the mill."), w.Remember("The observatory opens at dusk.")
	if !bad.Pending || !good.Pending {
		t.Fatalf("%+v, %+v", bad, good)
	}
	p.Set(false)
	for ev := fixture.NextEvent(t, events); ev.ID != good.Memory.ID || ev.Kind != graph.EventUpdated; ev = fixture.NextEvent(t, events) {
		if ev.ID == bad.Memory.ID && ev.Kind == graph.EventUpdated {
			t.Fatal("a refused text was embedded")
		}
	}
	letters := func(c engine.Caller) []engine.DeadLetter {
		for {
			h, err := w.Health(t.Context(), w.Caller)
			if err != nil {
				t.Fatal(err)
			}
			if _, there := h.Details["deadLetters"]; !there {
				runtime.Gosched()
				continue
			}
			if h, err = w.Health(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			found, _ := h.Details["deadLetters"].([]engine.DeadLetter)
			return found
		}
	}
	found := letters(w.Caller)
	if len(found) != 1 || found[0].ID != bad.Memory.ID || found[0].Attempts != 4 || !strings.Contains(found[0].Reason, "422") || strings.Contains(found[0].Reason, "glyph") {
		t.Errorf("%+v", found)
	}
	if other := letters(engine.Caller{Tenant: w.Caller.Tenant, Name: "bo", Namespaces: []string{"elsewhere"}}); len(other) != 0 {
		t.Errorf("another sees %+v", other)
	}
	if hits := w.Search("glyph mill").Hits; len(hits) == 0 || hits[0].Memory.ID != bad.Memory.ID {
		t.Errorf("by its words: %+v", hits)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if found := letters(w.Caller); len(found) != 1 || found[0].Attempts != 4 {
		t.Errorf("after a restart: %+v", found)
	}
}

func TestWritesAreRefusedAfterClose(t *testing.T) {
	w := enginetest.New(t)
	if err := w.Engine.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "Too late.", Consent: graph.ConsentExplicit})
	if graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("error %v, want UNAVAILABLE", err)
	}
}
