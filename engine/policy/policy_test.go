package policy

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/graph"
)

func TestPresets(t *testing.T) {
	for _, c := range []struct {
		preset        Preset
		quorum, gamma float64
	}{{PresetDefault, 0.8, 0.5}, {PresetMedical, 0.9, 0.9}, {PresetFinancial, 0.9, 0.9}} {
		p, err := FromPreset(c.preset)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Validate(); err != nil {
			t.Errorf("%s is not valid: %v", c.preset, err)
		}
		want := Policy{
			Preset: c.preset, Coefficients: plasticity.Coefficients{Alpha: 1, Beta: 0.3, Gamma: c.gamma, Lambda: 0.7, Delta: 0.4},
			Quorum: c.quorum, PromoteAt: 1.5, EngraveDays: 5, EngraveConfidence: 0.85, EngraveConflict: 0.2, MinConsent: graph.ConsentNone, DefaultConsent: DefaultOfServer,
			Revision: RevisionOn,
		}
		if !p.Equal(want) {
			t.Errorf("%s is %+v, want %+v", c.preset, p, want)
		}
	}
	if p, _ := FromPreset(PresetDefault); !p.Equal(Default()) {
		t.Error("the preset DEFAULT is not the default")
	}
	for _, bad := range []Preset{"", "medical", "LEGAL"} {
		_, err := FromPreset(bad)
		wantField(t, err, "preset")
	}
}

func wantField(t *testing.T, err error, field string) {
	t.Helper()
	var e *graph.Error
	if !errors.As(err, &e) || e.Field != field || e.Code != graph.CodeInvalidRequest {
		t.Errorf("%v, want INVALID_REQUEST of %s", err, field)
	}
}

func TestRanges(t *testing.T) {
	const tiny = 1e-9
	for _, c := range []struct {
		field     string
		set       func(*Policy, float64)
		fine, bad []float64
	}{
		{"alpha", func(p *Policy, x float64) { p.Coefficients.Alpha = x }, []float64{.5, 2}, []float64{.5 - tiny, 2 + tiny}},
		{"beta", func(p *Policy, x float64) { p.Coefficients.Beta = x }, []float64{.1, .5}, []float64{.1 - tiny, .5 + tiny}},
		{"gamma", func(p *Policy, x float64) { p.Coefficients.Gamma = x }, []float64{.3, 1}, []float64{.3 - tiny, 1 + tiny}},
		{"lambda", func(p *Policy, x float64) { p.Coefficients.Lambda = x }, []float64{.5, 1.5}, []float64{.5 - tiny, 1.5 + tiny}},
		{"delta", func(p *Policy, x float64) { p.Coefficients.Delta = x }, []float64{.2, .8}, []float64{.2 - tiny, .8 + tiny}},
		{"quorum", func(p *Policy, x float64) { p.Quorum = x }, []float64{.5, .8, 1}, []float64{.5 - tiny, 1 + tiny}},
		{"promoteAt", func(p *Policy, x float64) { p.PromoteAt = x }, []float64{.5, 1.5, 4}, []float64{.5 - tiny, 4 + tiny}},
		{"engraveConfidence", func(p *Policy, x float64) { p.EngraveConfidence = x }, []float64{.85, .9, 1}, []float64{.85 - tiny, 1 + tiny}},
		{"engraveConflict", func(p *Policy, x float64) { p.EngraveConflict = x }, []float64{.2, .1, tiny}, []float64{.2 + tiny, 0}},
		{"decayK", func(p *Policy, x float64) { p.DecayK = map[graph.DecayClass]float64{graph.DecayFast: x} }, []float64{tiny, 5.5, 1000}, []float64{0, 1000 + tiny}},
	} {
		for _, x := range c.fine {
			p := Default()
			c.set(&p, x)
			if err := p.Validate(); err != nil {
				t.Errorf("%s %v: %v", c.field, x, err)
			}
		}
		for _, x := range append(c.bad, -1, math.NaN(), math.Inf(1), math.Inf(-1)) {
			p := Default()
			c.set(&p, x)
			wantField(t, p.Validate(), c.field)
		}
	}
}

func TestOtherInvalidPolicies(t *testing.T) {
	ttl := func(s graph.Sensitivity, d time.Duration) func(*Policy) {
		return func(p *Policy) { p.TTL = map[graph.Sensitivity]time.Duration{s: d} }
	}
	for _, c := range []struct {
		name, field string // "" means valid
		set         func(*Policy)
	}{
		{"no preset", "preset", func(p *Policy) { p.Preset = "" }},
		{"4 days", "engraveDays", func(p *Policy) { p.EngraveDays = 4 }},
		{"5 days", "", func(p *Policy) { p.EngraveDays = 5 }},
		{"10 years", "", func(p *Policy) { p.EngraveDays = 3650 }},
		{"more", "engraveDays", func(p *Policy) { p.EngraveDays = 3651 }},
		{"days below 0", "engraveDays", func(p *Policy) { p.EngraveDays = -5 }},
		{"k of NONE", "decayK", func(p *Policy) { p.DecayK = map[graph.DecayClass]float64{graph.DecayNone: 1} }},
		{"k of an unknown class", "decayK", func(p *Policy) { p.DecayK = map[graph.DecayClass]float64{"MOOD": 1} }},
		{"all ks", "", func(p *Policy) {
			p.DecayK = map[graph.DecayClass]float64{graph.DecaySlow: .004, graph.DecayMedium: .05, graph.DecayFast: 5.5}
		}},
		{"no consent", "minConsent", func(p *Policy) { p.MinConsent = "" }},
		{"an unknown consent", "minConsent", func(p *Policy) { p.MinConsent = "TACIT" }},
		{"a second", "", ttl(graph.Restricted, time.Second)},
		{"100 years", "", ttl(graph.Public, 36500*24*time.Hour)},
		{"and a second", "ttlSeconds", ttl(graph.Public, 36500*24*time.Hour+time.Second)},
		{"no time to live at all", "ttlSeconds", ttl(graph.Internal, 0)},
		{"below 0", "ttlSeconds", ttl(graph.Internal, -time.Hour)},
		{"a second and a half", "ttlSeconds", ttl(graph.Confidential, 1500*time.Millisecond)},
		{"of an unknown sensitivity", "ttlSeconds", ttl("SECRET", time.Hour)},
	} {
		p := Default()
		c.set(&p)
		if err := p.Validate(); c.field != "" {
			wantField(t, err, c.field)
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	wantField(t, Policy{}.Validate(), "preset")
}

func TestEngraves(t *testing.T) {
	tight := Default()
	tight.EngraveDays, tight.EngraveConfidence, tight.EngraveConflict = 10, 0.95, 0.1
	for _, c := range []struct {
		p                    Policy
		days                 int
		confidence, conflict float64
		want                 bool
	}{
		{Default(), 5, .85, .19, true}, {Default(), 4, 1, 0, false}, {Default(), 5, .8499, 0, false}, {Default(), 5, 1, .2, false},
		{tight, 10, .95, .09, true}, {tight, 9, .95, .09, false}, {tight, 10, .949, .09, false}, {tight, 10, .95, .1, false},
		{Policy{EngraveConflict: 1}, 4, 1, 0, false}, // an invalid policy does not loosen the gates
	} {
		if got := c.p.Engraves(c.days, 3, c.confidence, c.conflict); got != c.want {
			t.Errorf("%d days of %d, confidence %v of %v, conflict %v of %v: %v", c.days, c.p.EngraveDays, c.confidence, c.p.EngraveConfidence, c.conflict, c.p.EngraveConflict, got)
		}
	}
}

// If a policy engraves a memory, the fixed gates would engrave it too.
func TestPolicyNeverLoosensTheGates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		sessions := rapid.IntRange(0, 8).Draw(t, "sessions")
		days, confidence, conflict := rapid.IntRange(0, 12).Draw(t, "days"), rapid.Float64Range(.8, 1).Draw(t, "confidence"), rapid.Float64Range(0, .25).Draw(t, "conflict")
		if p.Engraves(days, sessions, confidence, conflict) && !plasticity.GatesOpen(days, sessions, confidence, conflict) {
			t.Fatalf("%+v engraves %d days, confidence %v, conflict %v", p, days, confidence, conflict)
		}
	})
}

func TestAllowsConsent(t *testing.T) {
	const e, i, n = graph.ConsentExplicit, graph.ConsentImplicit, graph.ConsentNone
	for _, c := range []struct {
		min, write graph.Consent
		want       bool
	}{
		{n, n, true}, {n, i, true}, {n, e, true}, {i, n, false}, {i, i, true}, {i, e, true},
		{e, n, false}, {e, i, false}, {e, e, true}, {n, "", false}, {n, "TACIT", false}, {"", e, false},
	} {
		if got := (Policy{MinConsent: c.min}).AllowsConsent(c.write); got != c.want {
			t.Errorf("where %q is asked for, %q: %v", c.min, c.write, got)
		}
	}
}

// draw generates a valid policy.
func draw(t *rapid.T) Policy {
	between := func(name string, lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
	p := Policy{
		Preset: rapid.SampledFrom(Presets).Draw(t, "preset"),
		Coefficients: plasticity.Coefficients{
			Alpha: between("alpha", .5, 2), Beta: between("beta", .1, .5), Gamma: between("gamma", .3, 1),
			Lambda: between("lambda", .5, 1.5), Delta: between("delta", .2, .8),
		},
		Quorum: between("quorum", .5, 1), PromoteAt: between("promoteAt", .5, 4),
		EngraveDays:       rapid.IntRange(5, 3650).Draw(t, "engraveDays"),
		EngraveConfidence: between("engraveConfidence", .85, 1), EngraveConflict: between("engraveConflict", 1e-300, .2),
		MinConsent: rapid.SampledFrom(graph.Consents).Draw(t, "minConsent"), Revision: rapid.SampledFrom(Revisions).Draw(t, "revision"),
	}
	p.DefaultConsent = rapid.SampledFrom(DefaultConsents).Filter(func(d DefaultConsent) bool {
		p.DefaultConsent = d
		return p.ConsentFor("") == "" || p.AllowsConsent(p.ConsentFor(""))
	}).Draw(t, "defaultConsent")
	p.DecayK = rapid.MapOfN(rapid.SampledFrom(graph.DecayClasses[1:]), rapid.Float64Range(1e-300, 1000), 0, 3).Draw(t, "decayK")
	p.TTL = map[graph.Sensitivity]time.Duration{}
	for s, seconds := range rapid.MapOfN(rapid.SampledFrom(graph.Sensitivities), rapid.Int64Range(1, int64(MaxTTL/time.Second)), 0, 4).Draw(t, "ttl") {
		p.TTL[s] = time.Duration(seconds) * time.Second
	}
	p.SingleValued = append([]string{}, rapid.SliceOfN(rapid.SampledFrom([]string{"sponsor", "banks with", "gets_money_from"}), 0, 3).Draw(t, "singleValued")...)
	return p
}

func TestMergeChangesGivenFieldsOnly(t *testing.T) {
	base := Default()
	base.TTL = map[graph.Sensitivity]time.Duration{graph.Restricted: time.Hour}
	quorum, days, consent := 0.95, 7, graph.ConsentImplicit
	p, err := Merge(base, Update{Quorum: &quorum, EngraveDays: &days, MinConsent: &consent, DecayK: map[graph.DecayClass]float64{graph.DecayFast: 3}})
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.Quorum, want.EngraveDays, want.MinConsent = 0.95, 7, graph.ConsentImplicit
	want.DecayK, want.TTL = map[graph.DecayClass]float64{graph.DecayFast: 3}, map[graph.Sensitivity]time.Duration{graph.Restricted: time.Hour}
	if !p.Equal(want) {
		t.Errorf("%+v, want %+v", p, want)
	}
	p.TTL[graph.Restricted] = time.Minute
	if base.TTL[graph.Restricted] != time.Hour {
		t.Error("the base shares its map with the merged policy")
	}
	if p, err = Merge(p, Update{TTL: map[graph.Sensitivity]time.Duration{}}); err != nil || len(p.TTL) != 0 || len(p.DecayK) != 1 {
		t.Errorf("an empty map must remove all, a nil map nothing: %+v, %v", p, err)
	}
}

func TestPresetResetsAllFields(t *testing.T) {
	base := Default()
	base.PromoteAt, base.DecayK = 2, map[graph.DecayClass]float64{graph.DecayFast: 3}
	medical, gamma := PresetMedical, 0.95
	p, err := Merge(base, Update{Preset: &medical, Gamma: &gamma})
	want, _ := FromPreset(PresetMedical)
	want.Coefficients.Gamma = 0.95
	if err != nil || !p.Equal(want) {
		t.Errorf("%+v, %v, want %+v", p, err, want)
	}
	legal := Preset("LEGAL")
	_, err = Merge(base, Update{Preset: &legal})
	wantField(t, err, "preset")
}

func TestMergeRefuses(t *testing.T) {
	x, days := 9.0, 1
	loose := 0.5
	for field, u := range map[string]Update{
		"alpha": {Alpha: &x}, "beta": {Beta: &x}, "gamma": {Gamma: &x}, "lambda": {Lambda: &x}, "delta": {Delta: &x},
		"quorum": {Quorum: &x}, "promoteAt": {PromoteAt: &x}, "engraveDays": {EngraveDays: &days},
		"engraveConfidence": {EngraveConfidence: &loose}, "engraveConflict": {EngraveConflict: &loose},
		"decayK":     {DecayK: map[graph.DecayClass]float64{graph.DecaySlow: -1}},
		"minConsent": {MinConsent: new(graph.Consent)}, "defaultConsent": {DefaultConsent: new(DefaultConsent)}, "revision": {Revision: new(Revision)},
		"ttlSeconds":   {TTL: map[graph.Sensitivity]time.Duration{graph.Public: -1}},
		"singleValued": {SingleValued: []string{"sponsor", " "}},
	} {
		_, err := Merge(Default(), u)
		wantField(t, err, field)
	}
}

// An update with every field gives the other policy, whatever the base. An empty update changes
// nothing.
func TestMergeOfFullAndEmptyUpdates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t), draw(t)
		c := b.Coefficients
		got, err := Merge(a, Update{
			Preset: &b.Preset, Alpha: &c.Alpha, Beta: &c.Beta, Gamma: &c.Gamma, Lambda: &c.Lambda, Delta: &c.Delta,
			Quorum: &b.Quorum, PromoteAt: &b.PromoteAt, EngraveDays: &b.EngraveDays, EngraveConfidence: &b.EngraveConfidence,
			EngraveConflict: &b.EngraveConflict, DecayK: b.DecayK, MinConsent: &b.MinConsent, DefaultConsent: &b.DefaultConsent, TTL: b.TTL, Revision: &b.Revision,
			SingleValued: b.SingleValued,
		})
		if err != nil || !got.Equal(b) {
			t.Fatalf("%+v, %v, want %+v", got, err, b)
		}
		if got, err = Merge(a, Update{}); err != nil || !got.Equal(a) {
			t.Fatalf("%+v, %v, want %+v", got, err, a)
		}
	})
}

func TestEqualComparesEveryField(t *testing.T) {
	for name, change := range map[string]func(*Policy){
		"preset":            func(p *Policy) { p.Preset = PresetMedical },
		"singleValued":      func(p *Policy) { p.SingleValued = []string{"sponsor"} },
		"coefficients":      func(p *Policy) { p.Coefficients.Delta = .5 },
		"decayK":            func(p *Policy) { p.DecayK = map[graph.DecayClass]float64{graph.DecaySlow: 1} },
		"quorum":            func(p *Policy) { p.Quorum = 1 },
		"promoteAt":         func(p *Policy) { p.PromoteAt = 2 },
		"engraveDays":       func(p *Policy) { p.EngraveDays = 6 },
		"engraveConfidence": func(p *Policy) { p.EngraveConfidence = .9 },
		"engraveConflict":   func(p *Policy) { p.EngraveConflict = .1 },
		"minConsent":        func(p *Policy) { p.MinConsent = graph.ConsentExplicit },
		"ttl":               func(p *Policy) { p.TTL = map[graph.Sensitivity]time.Duration{graph.Public: 1} },
	} {
		p := Default()
		change(&p)
		if p.Equal(Default()) {
			t.Errorf("another %s makes no difference", name)
		}
	}
	p := Default()
	p.DecayK, p.TTL = map[graph.DecayClass]float64{}, map[graph.Sensitivity]time.Duration{}
	if !p.Equal(Default()) {
		t.Error("no map and an empty one differ")
	}
}

func ExampleMerge() {
	loose := 0.5
	_, err := Merge(Default(), Update{EngraveConfidence: &loose})
	fmt.Println(err)
	tight := 0.95
	p, err := Merge(Default(), Update{EngraveConfidence: &tight})
	fmt.Println(p.Engraves(5, 3, 0.9, 0), p.Engraves(5, 3, 0.95, 0), err)
	// Output:
	// INVALID_REQUEST: engraveConfidence: can only be tightened: 0.85 to 1
	// false true <nil>
}

func TestConsentFor(t *testing.T) {
	for _, c := range []struct {
		setting      DefaultConsent
		server, want graph.Consent
	}{
		{DefaultOfServer, "", ""}, {DefaultOfServer, graph.ConsentImplicit, graph.ConsentImplicit},
		{DefaultStrict, graph.ConsentImplicit, ""}, {DefaultImplicit, "", graph.ConsentImplicit}, {DefaultNone, graph.ConsentImplicit, graph.ConsentNone},
	} {
		p := Default()
		p.DefaultConsent = c.setting
		if got := p.ConsentFor(c.server); got != c.want {
			t.Errorf("%s over %q: %q, want %q", c.setting, c.server, got, c.want)
		}
	}
	bad := DefaultConsent("EXPLICIT")
	_, err := Merge(Default(), Update{DefaultConsent: &bad})
	wantField(t, err, "defaultConsent")
}
