package policy

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

// golden is the policy in testdata/golden.json.
func golden(t *testing.T) (Policy, []byte) {
	t.Helper()
	raw, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := FromPreset(PresetMedical)
	if err != nil {
		t.Fatal(err)
	}
	p.PromoteAt, p.EngraveDays, p.EngraveConfidence, p.EngraveConflict = 1.75, 7, 0.9, 0.1
	p.DecayK = map[graph.DecayClass]float64{graph.DecayFast: 5.5, graph.DecaySlow: 0.0077}
	p.MinConsent = graph.ConsentExplicit
	p.TTL = map[graph.Sensitivity]time.Duration{graph.Confidential: 365 * 24 * time.Hour, graph.Restricted: 30 * 24 * time.Hour}
	return p, bytes.TrimSpace(raw)
}

func TestGolden(t *testing.T) {
	p, raw := golden(t)
	if got, err := Encode(p); err != nil || !bytes.Equal(got, raw) {
		t.Errorf("encoded %s, %v, want %s", got, err, raw)
	}
	if got, err := Decode(raw); err != nil || !got.Equal(p) {
		t.Errorf("decoded %+v, %v, want %+v", got, err, p)
	}
}

// Every field of a policy appears in the golden file, in Equal and in Merge.
func TestEveryFieldOfThePolicyIsStored(t *testing.T) {
	const fields, coefficients = 13, 5
	p := reflect.TypeFor[Policy]()
	if n := p.NumField(); n != fields {
		t.Errorf("a policy has %d fields, the stored form was made for %d", n, fields)
	}
	if want := 1 + (fields - 1) + coefficients; reflect.TypeFor[stored]().NumField() != want {
		t.Errorf("the stored form has %d fields, want %d", reflect.TypeFor[stored]().NumField(), want)
	}
}

func TestEncodeAndDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		raw, err := Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(raw)
		if err != nil || !got.Equal(p) {
			t.Fatalf("%+v, %v, want %+v", got, err, p)
		}
		if again, err := Encode(got); err != nil || !bytes.Equal(again, raw) {
			t.Fatalf("%s, then %s, %v", raw, again, err)
		}
	})
}

func TestEncodeRefuses(t *testing.T) {
	p := Default()
	p.Quorum = 2
	_, err := Encode(p)
	wantField(t, err, "quorum")
}

// Anything that Encode would not write is an integrity error, not an invalid request.
func TestDecodeIsStrict(t *testing.T) {
	_, raw := golden(t)
	for _, c := range []struct{ name, old, new string }{
		{"another version", `"version":1`, `"version":2`},
		{"another version with fields of its own", `"version":1`, `"version":2,"epsilon":1`},
		{"no version", `"version":1,`, ``},
		{"version 0", `"version":1`, `"version":0`},
		{"an unknown field", `"alpha":1`, `"alpha":1,"epsilon":1`},
		{"a field that is missing", `"quorum":0.9,`, ``},
		{"a value outside its range", `"quorum":0.9`, `"quorum":0.3`},
		{"a gate that was loosened", `"engraveDays":7`, `"engraveDays":3`},
		{"a value of another kind", `"alpha":1`, `"alpha":"1"`},
		{"an unknown class", `"FAST"`, `"MOOD"`},
		{"an unknown preset", `"MEDICAL"`, `"LEGAL"`},
		// 2592000 ± 2^55: in nanoseconds, modulo 2^64, both are 2592000 s again.
		{"a time to live that wraps around from below", `2592000`, `-36028797016371968`},
		{"a time to live that wraps around from above", `2592000`, `36028797021555968`},
		{"a time to live that no duration holds", `2592000`, `9223372036854775807`},
		{"half of a second", `2592000`, `0.5`},
		{"trailing bytes", `2592000}}`, `2592000}}{}`},
		{"a cut", `2592000}}`, `2592000}`},
	} {
		damaged := strings.Replace(string(raw), c.old, c.new, 1)
		if damaged == string(raw) {
			t.Fatalf("%s: nothing was changed", c.name)
		}
		_, err := Decode([]byte(damaged))
		if !errors.Is(err, graph.ErrIntegrity) || graph.CodeOf(err) != graph.CodeIntegrityFailure {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, bad := range []string{"", "null", "[]", "1", "{}"} {
		if _, err := Decode([]byte(bad)); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
