package resolvers_test

import "testing"

const policyFields = `namespace preset stored alpha beta gamma lambda delta quorum promoteAt engraveDays engraveConfidence engraveConflict
	decayK { slow medium fast } minConsent singleValued ttlSeconds { public internal confidential restricted }`

// A namespace without a policy has the defaults. A policy takes effect at once, for its
// namespace only. Omitted fields stay, and maps are replaced as a whole.
func TestPolicies(t *testing.T) {
	s := start(t)
	const get, set = `query($n: String) { namespacePolicy(namespace: $n) { ` + policyFields + ` } }`, `mutation($i: NamespacePolicyInput!) { setNamespacePolicy(input: $i) { ` + policyFields + ` } }`
	const defaults = `{"namespace":"default","preset":"DEFAULT","stored":false,"alpha":1,"beta":0.3,"gamma":0.5,"lambda":0.7,"delta":0.4,"quorum":0.8,"promoteAt":1.5,
		"engraveDays":5,"engraveConfidence":0.85,"engraveConflict":0.2,"decayK":{"slow":null,"medium":null,"fast":null},"minConsent":"NONE","singleValued":[],
		"ttlSeconds":{"public":null,"internal":null,"confidential":null,"restricted":null}}`
	same(t, "the default policy", s.must(`{ namespacePolicy { `+policyFields+` } }`, nil).at(t, "namespacePolicy"), defaults)

	a := s.must(set, vars{"i": vars{"namespace": "ward", "preset": "MEDICAL", "alpha": 1.5, "engraveDays": 9, "minConsent": "EXPLICIT", "singleValued": []string{"sponsor", "banks with"},
		"decayK": vars{"medium": 0.25}, "ttlSeconds": vars{"restricted": 3600, "confidential": 2147483647}}})
	const ward = `{"namespace":"ward","preset":"MEDICAL","stored":true,"alpha":1.5,"beta":0.3,"gamma":0.9,"lambda":0.7,"delta":0.4,"quorum":0.9,"promoteAt":1.5,
		"engraveDays":9,"engraveConfidence":0.85,"engraveConflict":0.2,"decayK":{"slow":null,"medium":0.25,"fast":null},"minConsent":"EXPLICIT","singleValued":["sponsor","banks with"],
		"ttlSeconds":{"public":null,"internal":null,"confidential":2147483647,"restricted":3600}}`
	same(t, "the new policy", a.at(t, "setNamespacePolicy"), ward)
	same(t, "the stored policy", s.must(get, vars{"n": "ward"}).at(t, "namespacePolicy"), ward)
	same(t, "the default policy afterwards", s.must(get, vars{"n": nil}).at(t, "namespacePolicy"), defaults)
	a = s.must(set, vars{"i": vars{"namespace": "ward", "quorum": 0.75, "decayK": vars{"fast": 2}, "ttlSeconds": vars{}}})
	if a.at(t, "setNamespacePolicy.quorum") != 0.75 || a.at(t, "setNamespacePolicy.gamma") != 0.9 || a.at(t, "setNamespacePolicy.decayK.medium") != nil ||
		a.at(t, "setNamespacePolicy.decayK.fast") != 2.0 || a.at(t, "setNamespacePolicy.ttlSeconds.restricted") != nil {
		t.Errorf("after a second change: %s", a.Body)
	}

	for field, i := range map[string]vars{
		"namespace": {"namespace": ""}, "alpha": {"alpha": 2.5}, "quorum": {"quorum": 0.1}, "promoteAt": {"promoteAt": 9}, "engraveDays": {"engraveDays": 4},
		"engraveConfidence": {"engraveConfidence": 0.5}, "engraveConflict": {"engraveConflict": 0.3}, "decayK": {"decayK": vars{"slow": 0}},
		"ttlSeconds": {"ttlSeconds": vars{"public": -1}}, "minConsent": {"minConsent": "MAYBE"}, "preset": {"preset": "LEGAL"}, "singleValued": {"singleValued": []string{"sponsor", " "}},
	} {
		if a := s.ask(set, vars{"i": i}); a.code() != "INVALID_REQUEST" || a.field() != field {
			t.Errorf("%v answers %s", i, a.Body)
		}
	}
	same(t, "the default policy after all that", s.must(get, nil).at(t, "namespacePolicy"), defaults)
}

// A policy affects memories written afterwards.
func TestPolicyTakesEffect(t *testing.T) {
	s := start(t)
	s.must(`mutation { setNamespacePolicy(input: {namespace: "ward", promoteAt: 0.5, minConsent: IMPLICIT, decayK: {medium: 0.25}, ttlSeconds: {restricted: 60}}) { stored } }`, nil)
	const remember = `mutation($i: RememberInput!) { remember(input: $i) { promoted memory { tier sensitivity decayK expiresAt engraveGates { neededDays } } } }`
	in := func(more vars) vars {
		i := vars{"content": "The patient walked to the window.", "consent": "EXPLICIT", "namespace": "ward", "type": "EPISODIC", "salience": 0.5}
		for k, v := range more {
			i[k] = v
		}
		return vars{"i": i}
	}
	a := s.must(remember, in(vars{"sensitivity": "RESTRICTED"}))
	if a.at(t, "remember.promoted") != true || a.at(t, "remember.memory.sensitivity") != "RESTRICTED" || a.at(t, "remember.memory.decayK") != 0.25 ||
		a.at(t, "remember.memory.expiresAt") != "2026-03-02T09:01:00.000Z" {
		t.Errorf("under the policy: %s", a.Body)
	}
	if a := s.ask(remember, in(vars{"consent": "NONE"})); a.code() != "CONSENT_REQUIRED" || a.field() != "consent" {
		t.Errorf("with too weak a consent: %s", a.Body)
	}
	a = s.must(remember, in(vars{"namespace": "elsewhere"}))
	if a.at(t, "remember.promoted") != false || a.at(t, "remember.memory.sensitivity") != "INTERNAL" || a.at(t, "remember.memory.decayK") != nil || a.at(t, "remember.memory.expiresAt") != nil {
		t.Errorf("elsewhere: %s", a.Body)
	}
}
