package lifecycle_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

var readAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// readClaims reads a memory and returns its claims as "subject | predicate | object".
func readClaims(m graph.Memory, given extract.Statement) []string {
	m.RecordedAt = readAt
	lifecycle.ReadClaims(&m, given, readAt)
	lifecycle.DateClaims(&m)
	var out []string
	for _, c := range m.Claims {
		s := c.State()
		line := fmt.Sprintf("%s | %s | %s", s.Subject, s.Predicate, s.Object)
		if c.Modality != "ASSERTED" {
			line += " | " + c.Modality
		}
		out = append(out, line)
	}
	return out
}

func TestClaimsOfATextNameTheSpeaker(t *testing.T) {
	for _, c := range []struct {
		name  string
		m     graph.Memory
		given extract.Statement
		want  []string
	}{
		{
			"a user with a name", graph.Memory{User: "ana", SourceKind: graph.FromUser, Content: "My dog is called Biscuit and I live in Oslo."},
			extract.Statement{}, []string{"ana's dog | is called | Biscuit", "ana | lives in | Oslo"},
		},
		{
			"nobody in particular", graph.Memory{SourceKind: graph.FromUser, Content: "I live in Oslo."},
			extract.Statement{}, []string{"user | lives in | Oslo"},
		},
		{
			"an agent", graph.Memory{User: "ana", Agent: "bot", SourceKind: graph.FromAssistant, Content: "I live in Oslo."},
			extract.Statement{}, []string{"bot | lives in | Oslo"},
		},
		{
			"a line of a transcript", graph.Memory{Agent: "Lina", SourceKind: graph.FromUser, Content: "Lina: I live in Oslo."},
			extract.Statement{}, []string{"Lina | lives in | Oslo"},
		},
		{
			"a question", graph.Memory{SourceKind: graph.FromUser, Content: "Should I move to Porto?"},
			extract.Statement{}, []string{"user | lives in | Porto | QUESTION"},
		},
		{
			"a complete statement of the caller", graph.Memory{User: "ana", SourceKind: graph.FromUser, Content: "Moved north last week."},
			extract.Statement{Subject: "Ana", Predicate: "lives_in", Object: "Bergen"}, []string{"Ana | lives_in | Bergen"},
		},
		{
			"another language", graph.Memory{User: "ana", SourceKind: graph.FromUser, Content: "Ich wohne seit drei Jahren in Hamburg und arbeite bei der Post."},
			extract.Statement{}, nil,
		},
	} {
		if got := readClaims(c.m, c.given); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestClaimsKeepIntervalOffsetsAndSpeaker(t *testing.T) {
	m := graph.Memory{Agent: "Lina", SourceKind: graph.FromUser, Content: "Lina: This week I am in Bergen.", RecordedAt: readAt}
	lifecycle.ReadClaims(&m, extract.Statement{}, readAt)
	lifecycle.DateClaims(&m)
	if len(m.Claims) != 1 || m.ReadBy != lifecycle.ReadingVersion {
		t.Fatalf("%d claims by version %d", len(m.Claims), m.ReadBy)
	}
	c := m.Claims[0]
	s := c.State()
	if got := m.Content[c.Start:c.End]; !strings.HasPrefix(got, "This week") || c.Speaker != "Lina" {
		t.Errorf("the clause is %q by %q", got, c.Speaker)
	}
	if want := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC); !s.ValidTo.Equal(want) || !s.From.Equal(readAt) {
		t.Errorf("valid to %v, recorded %v", s.ValidTo, s.From)
	}
}

// Texts of any length and content give claims that a store accepts.
func TestClaimsOfAnyTextCanBeStored(t *testing.T) {
	id, err := graph.NewID(readAt, strings.NewReader(strings.Repeat("x", 16)))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		strings.Repeat("I like tea. ", 500), "I live in " + strings.Repeat("very ", 900) + "Oslo.", strings.Repeat("x", 5000) + " is y.",
		"\x00 is \x01", "I live in Oslo until yesterday.", strings.Repeat("Ana, ", 400), "🙂 is called 🙃", "a: b: c: d",
	} {
		m := graph.Memory{
			ID: id, Chain: id, Version: 1, Namespace: "n", Content: text, Type: graph.Semantic, SourceKind: graph.FromUser, Consent: graph.ConsentExplicit,
			DecayClass: graph.DecaySlow, Sensitivity: graph.Internal, CreatedAt: readAt, UpdatedAt: readAt, RecordedAt: readAt, OccurredAt: readAt, ValidFrom: readAt,
		}
		lifecycle.ReadClaims(&m, extract.Statement{}, readAt)
		lifecycle.DateClaims(&m)
		m.SetState(readAt, func(s *graph.State) { s.Status, s.Tier = graph.Active, graph.L1 })
		if err := m.Validate(); err != nil {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func TestDatingChangesNoSharedClaim(t *testing.T) {
	shared := graph.Memory{SourceKind: graph.FromUser, Content: "I live in Oslo.", RecordedAt: readAt}
	lifecycle.ReadClaims(&shared, extract.Statement{}, readAt)
	copied := shared
	lifecycle.DateClaims(&copied)
	if !shared.Claims[0].History[0].From.IsZero() || copied.Claims[0].History[0].From.IsZero() {
		t.Fatal("the claims of the copy are those of the original")
	}
}
