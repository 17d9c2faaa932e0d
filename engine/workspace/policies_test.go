package workspace_test

import (
	"math"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
	"pgregory.net/rapid"
)

// decide changes the policy of a namespace, or fails the test.
func decide(w *enginetest.World, namespace string, u policy.Update) *engine.PolicyView {
	w.T.Helper()
	v, err := w.Engine.SetNamespacePolicy(w.T.Context(), w.Caller, engine.PolicyInput{Namespace: namespace, Update: u})
	if err != nil {
		w.T.Fatalf("set a policy: %v", err)
	}
	return v
}

func TestPolicyIsStored(t *testing.T) {
	w := enginetest.New(t)
	v, err := w.Engine.NamespacePolicy(t.Context(), w.Caller, "")
	if err != nil || v.Stored || v.Namespace != "default" || !v.Policy.Equal(policy.Default()) {
		t.Fatalf("before: %+v, %v", v, err)
	}
	decide(w, "clinic", policy.Update{Preset: fixture.Ptr(policy.PresetMedical), PromoteAt: fixture.Ptr(1.8)})
	set := decide(w, "clinic", policy.Update{Beta: fixture.Ptr(0.4)})
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	v, err = w.Engine.NamespacePolicy(t.Context(), w.Caller, "clinic")
	if err != nil || !v.Stored || !v.Policy.Equal(set.Policy) {
		t.Fatalf("after a restart: %+v, %v", v, err)
	}
	if v.Quorum != 0.9 || v.Coefficients.Gamma != 0.9 || v.PromoteAt != 1.8 || v.Coefficients.Beta != 0.4 {
		t.Errorf("a change lost existing fields: %+v", v)
	}
	if v, _ := w.Engine.NamespacePolicy(t.Context(), w.Caller, "default"); v.Stored || v.Quorum != 0.8 {
		t.Errorf("another namespace changed: %+v", v)
	}
}

func TestPolicyPermissions(t *testing.T) {
	w := enginetest.New(t)
	nobody := engine.Caller{Tenant: w.Caller.Tenant, Name: "service", Grant: 1}
	other := engine.Caller{Tenant: w.Caller.Tenant, Name: "ops", Grant: 1, Admin: true, Namespaces: []string{"other"}}
	user := engine.Caller{Tenant: w.Caller.Tenant, Name: "ana", Grant: 1, Admin: true, User: "ana"}
	for _, c := range []struct {
		caller    engine.Caller
		namespace string
		update    policy.Update
		code      graph.Code
		field     string
	}{
		{nobody, "default", policy.Update{}, graph.CodeForbidden, ""},
		{other, "default", policy.Update{}, graph.CodeForbidden, "namespace"},
		{user, "default", policy.Update{}, graph.CodeForbidden, "namespace"},
		{w.Caller, "a b", policy.Update{}, graph.CodeInvalidRequest, "namespace"},
		{w.Caller, "default", policy.Update{Quorum: fixture.Ptr(0.2)}, graph.CodeInvalidRequest, "quorum"},
		{w.Caller, "default", policy.Update{EngraveDays: fixture.Ptr(2)}, graph.CodeInvalidRequest, "engraveDays"},
	} {
		_, err := w.Engine.SetNamespacePolicy(t.Context(), c.caller, engine.PolicyInput{Namespace: c.namespace, Update: c.update})
		fixture.WantError(t, err, c.code, c.field)
	}
	if v, err := w.Engine.NamespacePolicy(t.Context(), nobody, "default"); err != nil || v.Stored {
		t.Errorf("a refused change was kept, or can't be read: %+v, %v", v, err)
	}
	_, err := w.Engine.NamespacePolicy(t.Context(), user, "default")
	fixture.WantError(t, err, graph.CodeForbidden, "namespace")
}

// The score at write time follows the formula under the policy in force, and so does the
// promotion.
func TestPolicyScoresNewMemories(t *testing.T) {
	w := enginetest.New(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		k := plasticity.Coefficients{
			Alpha: rapid.Float64Range(0.5, 2).Draw(t, "alpha"), Beta: rapid.Float64Range(0.1, 0.5).Draw(t, "beta"), Gamma: rapid.Float64Range(0.3, 1).Draw(t, "gamma"),
			Lambda: rapid.Float64Range(0.5, 1.5).Draw(t, "lambda"), Delta: rapid.Float64Range(0.2, 0.8).Draw(t, "delta"),
		}
		at := rapid.Float64Range(0.5, 4).Draw(t, "promoteAt")
		space := rapid.StringMatching("[a-z]{12}").Draw(t, "namespace")
		decide(w, space, policy.Update{Alpha: &k.Alpha, Beta: &k.Beta, Gamma: &k.Gamma, Lambda: &k.Lambda, Delta: &k.Delta, PromoteAt: &at})
		s := plasticity.Signals{
			Salience: rapid.Float64Range(0, 1).Draw(t, "salience"), Authority: rapid.Float64Range(0, 1).Draw(t, "authority"), Surprise: rapid.Float64Range(0, 1).Draw(t, "surprise"),
		}
		r := w.Remember("The gate of the mill is green.", fixture.InNamespace(space), func(in *engine.RememberInput) {
			in.Salience, in.Authority, in.Surprise, in.OnDuplicate = &s.Salience, &s.Authority, &s.Surprise, engine.Insert
		})
		want := plasticity.Score(s, k)
		if math.Abs(r.Score-want) > 1e-9 || r.Promoted != (want > at) || (r.Memory.State.Tier == graph.L2) != r.Promoted {
			t.Fatalf("score %v, promoted %v to %s; want %v against %v", r.Score, r.Promoted, r.Memory.State.Tier, want, at)
		}
	})
	t.Log("worlds:", n)
}

func TestPolicyScoresSuccessors(t *testing.T) {
	w := enginetest.New(t)
	low := 0.1
	old := w.Remember("The mill stands in Porto.", func(in *engine.RememberInput) { in.Salience = &low })
	if old.Promoted {
		t.Fatal("the first version was promoted already")
	}
	decide(w, "", policy.Update{PromoteAt: fixture.Ptr(0.5)})
	r, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: old.Memory.ID, Content: "The mill stands in Lisbon."})
	if err != nil || r.Memory.State.Tier != graph.L2 {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestGateUsesQuorumOfNamespace(t *testing.T) {
	w := enginetest.New(t)
	ask := func(space string) *engine.Adjudication {
		w.Remember("The clinic opens at 8.", fixture.InNamespace(space), func(in *engine.RememberInput) { in.Subject = "clinic" })
		a, err := w.Engine.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
			Fact: "The clinic opens at 9.", Subject: "clinic", Namespace: space, Consent: graph.ConsentExplicit,
			Evidence: []engine.Evidence{{Source: "nurse", Weight: 1, Confidence: 0.85}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	decide(w, "clinic", policy.Update{Preset: fixture.Ptr(policy.PresetMedical)})
	if a := ask("shop"); a.Decision != gate.Replaced || a.Required != 0.8 {
		t.Errorf("by default: %+v", a)
	}
	if a := ask("clinic"); a.Decision != gate.Rejected || a.Required != 0.9 || a.Reason != graph.CodeQuorumUnmet {
		t.Errorf("medical: %+v", a)
	}
}

func TestMinimumConsentOfNamespace(t *testing.T) {
	w := enginetest.New(t)
	before := w.Remember("The pump drips.", func(in *engine.RememberInput) {
		in.Consent, in.IdempotencyKey = graph.ConsentImplicit, "pump"
	})
	decide(w, "", policy.Update{MinConsent: fixture.Ptr(graph.ConsentExplicit)})
	weak := engine.RememberInput{Content: "The valve leaks.", Consent: graph.ConsentImplicit}
	_, err := w.Engine.Remember(t.Context(), w.Caller, weak)
	fixture.WantError(t, err, graph.CodeConsentRequired, "consent")
	weak.Namespace = "other"
	if _, err := w.Engine.Remember(t.Context(), w.Caller, weak); err != nil {
		t.Errorf("another namespace: %v", err)
	}
	_, err = w.Engine.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: "user", Text: "The valve leaks.", Consent: graph.ConsentImplicit})
	fixture.WantError(t, err, graph.CodeConsentRequired, "consent")
	_, err = w.Engine.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{Fact: "The valve leaks.", Subject: "valve", Consent: graph.ConsentNone})
	fixture.WantError(t, err, graph.CodeConsentRequired, "consent")

	// One invalid item of a batch fails alone.
	many, err := w.Engine.RememberMany(t.Context(), w.Caller, []engine.RememberInput{
		{Content: "The mill is closed.", Consent: graph.ConsentExplicit}, {Content: "The weir is open.", Consent: graph.ConsentNone},
	})
	if err != nil || many[0].Error != nil || many[1].Error == nil || many[1].Error.Code != graph.CodeConsentRequired {
		t.Errorf("a batch: %+v, %v", many, err)
	}
	// Existing memories can still be read and corrected.
	again := w.Remember("The pump drips.", func(in *engine.RememberInput) {
		in.Consent, in.IdempotencyKey = graph.ConsentImplicit, "pump"
	})
	if !again.Replayed {
		t.Error("a replay was treated as a write")
	}
	if _, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: before.Memory.ID, Content: "The pump was mended."}); err != nil {
		t.Errorf("a correction: %v", err)
	}
}

// The decay constant is fixed at write time: a policy change affects later writes only.
func TestDecayIsSetAtTheWrite(t *testing.T) {
	w := enginetest.New(t)
	old := w.Remember("Ana walked to the lighthouse.", func(in *engine.RememberInput) { in.Type = graph.Episodic })
	decide(w, "", policy.Update{DecayK: map[graph.DecayClass]float64{graph.DecayMedium: 2}})
	young := w.Remember("Ana swam to the sandbank.", func(in *engine.RememberInput) { in.Type = graph.Episodic })
	slow := w.Remember("Ana owns the lighthouse.", func(in *engine.RememberInput) { in.Type = graph.Semantic })
	if old.Memory.DecayK != 0 || young.Memory.DecayK != 2 || slow.Memory.DecayK != 0 {
		t.Fatalf("bound: %v, %v, %v", old.Memory.DecayK, young.Memory.DecayK, slow.Memory.DecayK)
	}
	w.Clock.Advance(24 * time.Hour)
	decide(w, "", policy.Update{DecayK: map[graph.DecayClass]float64{}})
	for id, want := range map[graph.ID]float64{old.Memory.ID: math.Exp(-math.Ln2 / (14 * 1.7 / 1.5)), young.Memory.ID: math.Exp(-2)} {
		v, err := w.Engine.Memory(t.Context(), w.Caller, id, engine.Access{})
		if err != nil || math.Abs(v.Retention-want) > 1e-6 {
			t.Errorf("%s: retention %v, want %v, %v", id, v.Retention, want, err)
		}
	}
}

func TestTimeToLiveBySensitivity(t *testing.T) {
	w := enginetest.New(t)
	const day = 24 * time.Hour
	decide(w, "", policy.Update{TTL: map[graph.Sensitivity]time.Duration{graph.Restricted: 10 * day}})
	ends := func(at time.Duration, with ...func(*engine.RememberInput)) *engine.RememberResult {
		t.Helper()
		r := w.Remember("The code of the vault is long.", append(with, func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })...)
		var got time.Duration
		if !r.Memory.ExpiresAt.IsZero() {
			got = r.Memory.ExpiresAt.Sub(r.Memory.CreatedAt)
		}
		if got != at {
			t.Errorf("%s ends after %v, want %v", r.Memory.Sensitivity, got, at)
		}
		return r
	}
	secret := func(in *engine.RememberInput) { in.Sensitivity, in.Type = graph.Restricted, graph.Semantic }
	lives := func(d time.Duration) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) { in.TTLSeconds = fixture.Ptr(int(d / time.Second)) }
	}
	ends(0)
	r := ends(10*day, secret)
	if r.Memory.Type != graph.Semantic {
		t.Errorf("a time to live by policy made it %s", r.Memory.Type)
	}
	ends(3*day, secret, lives(3*day))
	ends(10*day, secret, lives(30*day))
	ends(30*day, lives(30*day))

	// A correction keeps the sensitivity of the corrected memory and does not outlive it.
	w.Clock.Advance(4 * day)
	s, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: r.Memory.ID, Content: "The code of the vault is short."})
	if err != nil || s.Memory.Sensitivity != graph.Restricted || !s.Memory.ExpiresAt.Equal(r.Memory.ExpiresAt) {
		t.Errorf("a correction: %+v, %v", s, err)
	}
	w.Clock.Advance(6 * day)
	if v, err := w.Engine.Memory(t.Context(), w.Caller, s.Memory.ID, engine.Access{}); err != nil || v.State.Status != graph.Expired {
		t.Errorf("after its time: %+v, %v", v, err)
	}
	_, err = w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "x", Consent: graph.ConsentExplicit, Sensitivity: "SECRET"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "sensitivity")
}

// A derived episode decays and expires by the namespace's policy for episodes.
func TestPolicyAppliesToDerivedEpisodes(t *testing.T) {
	w := enginetest.New(t)
	const day = 24 * time.Hour
	decide(w, "", policy.Update{
		DecayK: map[graph.DecayClass]float64{graph.DecayMedium: 0.5, graph.DecayFast: 3}, TTL: map[graph.Sensitivity]time.Duration{graph.Internal: 20 * day},
	})
	note := w.Remember("Call the ferry about the crates.", func(in *engine.RememberInput) {
		in.Type, in.Session = graph.Working, "trip"
	}).Memory
	if note.DecayK != 3 || !note.ExpiresAt.Equal(enginetest.Start.Add(2*day)) {
		t.Fatalf("a note: k %v, ends %v", note.DecayK, note.ExpiresAt)
	}
	w.Search("crates", func(in *engine.SearchInput) { in.Track = true })
	o, err := w.Engine.Observe(t.Context(), w.Caller, engine.Observation{Session: "trip", Role: "user", Text: "We walked along the quay.", Consent: graph.ConsentExplicit})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Engine.CloseSession(t.Context(), w.Caller, "trip", ""); err != nil {
		t.Fatal(err)
	}
	for _, id := range []graph.ID{note.ID, o.Memory.ID} {
		v, err := w.Engine.Memory(t.Context(), w.Caller, id, engine.Access{})
		if err != nil || v.Type != graph.Episodic || v.DecayK != 0.5 || !v.ExpiresAt.Equal(enginetest.Start.Add(20*day)) {
			t.Errorf("%s: %s, k %v, ends %v, %v", v.Content, v.Type, v.DecayK, v.ExpiresAt, err)
		}
	}
}

func TestPolicyAppliesToTasks(t *testing.T) {
	w := enginetest.New(t)
	const day = 24 * time.Hour
	decide(w, "", policy.Update{
		DecayK: map[graph.DecayClass]float64{graph.DecayFast: 3}, TTL: map[graph.Sensitivity]time.Duration{graph.Internal: 20 * day},
	})
	fixture.Observe(t, w, "user", "TODO: rotate the signing key")
	task := fixture.Tasks(t, w)[0].Memory
	if task.DecayK != 3 || !task.ExpiresAt.Equal(enginetest.Start.Add(2*day)) {
		t.Errorf("a candidate: k %v, ends %v", task.DecayK, task.ExpiresAt)
	}
	done, err := w.ConfirmTask(t.Context(), w.Caller, task.ID)
	if err != nil || !done.Memory.ExpiresAt.Equal(enginetest.Start.Add(20*day)) {
		t.Errorf("confirmed: %+v, %v", done, err)
	}
}
