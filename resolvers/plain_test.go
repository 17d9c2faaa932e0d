package resolvers_test

import (
	"bytes"
	"regexp"
	"testing"
)

// Package plain encodes an answer that needs no resolver below its root. Its bytes equal those of
// the generated code, which encodes the answer if a field with a resolver is selected too.
func TestPlainAnswersEqualThoseOfTheGeneratedCode(t *testing.T) {
	s := start(t)
	id := s.remember("Ada keeps \"two\" cats\n\tin Graz\\Styria, für immer", vars{
		"tags": []string{"pets", "home"}, "subject": "Ada", "predicate": "keeps", "object": "cats", "source": "a letter", "important": true,
		"meta": vars{"n": 1.5, "deep": []any{nil, "x"}}, "entities": []string{"Ada"}, "ttlSeconds": 86400, "decayK": 0.25,
	})
	s.remember("Ada never keeps dogs", nil)
	const memory = `__typename id content unavailable { code message field } summary type tier status namespace user session project agent subject
		predicate object consent sourceKind source tags meta salience usage usageDays authority conflict surprise confidence importance criticality
		retention decayClass core version checksum createdAt updatedAt lastAccessedAt recordedAt occurredAt validFrom validTo expiresAt
		supersededAt priority important safetyCritical chain reason sensitivity decayK embeddingModel deletedAt`
	for name, q := range map[string]string{
		"search": `query($yes: Boolean = true, $no: Boolean = false) { search(input: {query: "Ada's cats", topK: 5, track: false}) { __typename
			hits { s: score label ...on Hit { memory { ` + memory + ` ...more @include(if: $yes) } } parts { semantic keyword recency importance project entity task }
				explanation @skip(if: $no) provenance { store id version } path @include(if: $no) again: path MARK }
			weights { semantic } semanticCandidates keywordCandidates graphCandidates consideredCount degraded } }
			fragment more on Memory { extra: content }`,
		"nothing": `{ search(input: {query: "x", namespaces: ["empty"], track: false}) { hits { score memory { id } MARK } degraded } }`,
		"memory":  `{ memory(id: "` + id + `") { ` + memory + ` MARK } }`,
	} {
		mark := `memory { MARKED: score }`
		if name == "memory" {
			mark = `MARKED: score`
		}
		plain := s.must(replaced(q, ""), nil)
		generated := s.must(replaced(q, mark), nil)
		want := regexp.MustCompile(`,"MARKED":[^,}]*`).ReplaceAll(generated.Body, nil)
		if name != "nothing" && bytes.Equal(want, generated.Body) {
			t.Fatalf("%s: no marked field in %s", name, generated.Body)
		}
		if !bytes.Equal(plain.Body, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, plain.Body, want)
		}
	}
}

func replaced(q, mark string) string { return regexp.MustCompile(`MARK\b`).ReplaceAllString(q, mark) }
