package graph

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
)

func day(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }

func sample() *Memory {
	m := &Memory{
		ID: "019c75db-1715-7fff-bfff-ffffffffffff", Chain: "019c75db-1715-7fff-bfff-ffffffffffff", Namespace: "default",
		Type: Semantic, Content: "The kite flies at noon.", DecayClass: DecaySlow, Sensitivity: Internal, Consent: ConsentExplicit,
		SourceKind: FromUser, Version: 1, CreatedAt: day(1), UpdatedAt: day(1), RecordedAt: day(1), OccurredAt: day(1), ValidFrom: day(1),
	}
	m.SetState(day(1), func(s *State) { s.Status, s.Tier = Active, L1 })
	return m
}

func TestSetStateIsStrictlyLater(t *testing.T) {
	m := sample()
	before := m.History
	first := m.SetState(day(1), func(s *State) { s.Core = true })
	second := m.SetState(day(1), func(s *State) { s.Status = Superseded })
	if !first.Equal(day(1).Add(time.Millisecond)) || !second.Equal(day(1).Add(2*time.Millisecond)) {
		t.Errorf("two changes in one millisecond were recorded at %v and %v", first, second)
	}
	if s := m.State(); s.Status != Superseded || s.Tier != L1 || !s.Core {
		t.Errorf("an unchanged field was lost: %+v", s)
	}
	if len(before) != 1 || before[0].Core {
		t.Error("a returned history changed")
	}
	if !m.SupersededAt().Equal(second) {
		t.Errorf("superseded at %v, want %v", m.SupersededAt(), second)
	}
	if !sample().SupersededAt().IsZero() {
		t.Error("a current memory was superseded")
	}
}

func TestStateAtIsHalfOpen(t *testing.T) {
	m := sample()
	m.SetState(day(5), func(s *State) { s.Status = Superseded })
	for _, c := range []struct {
		at    time.Time
		known bool
		want  Status
	}{
		{day(1).Add(-time.Millisecond), false, ""}, {day(1), true, Active}, {day(5).Add(-time.Millisecond), true, Active}, {day(5), true, Superseded}, {day(30), true, Superseded},
	} {
		s, known := m.StateAt(c.at)
		if known != c.known || s.Status != c.want {
			t.Errorf("at %v: %v %v, want %v %v", c.at, s.Status, known, c.want, c.known)
		}
	}
}

func TestStateAtKnowsExpiry(t *testing.T) {
	m := sample()
	m.ExpiresAt = day(3)
	for at, want := range map[time.Time]Status{day(3).Add(-time.Millisecond): Active, day(3): Expired, day(9): Expired} {
		if s, _ := m.StateAt(at); s.Status != want {
			t.Errorf("at %v: %v, want %v", at, s.Status, want)
		}
	}
	m.SetState(day(2), func(s *State) { s.Status = Superseded })
	if s, _ := m.StateAt(day(9)); s.Status != Superseded {
		t.Errorf("a superseded memory expired: %v", s.Status)
	}
}

func TestLastAccessedAt(t *testing.T) {
	m := sample()
	if !m.LastAccessedAt().Equal(day(1)) {
		t.Error("a memory without uses was not last accessed at its creation")
	}
	m.Usage.Last = day(4)
	if !m.LastAccessedAt().Equal(day(4)) {
		t.Error("the last use is the last access")
	}
}

// docs/formats/checksum.md has the same test vector.
func TestSum(t *testing.T) {
	at := time.Date(2026, 2, 19, 0, 0, 0, 0, time.UTC)
	const want = "75351fa0a51be20c0f31f8b5ff8d58171ddad8798a9bbd2bfeda438d1dacc7a3"
	if got := Sum("The kite flies at noon.", at, FromUser, "mara"); got != want {
		t.Errorf("Sum = %s, want %s", got, want)
	}
	if Sum("a", at, FromUser, "b") == Sum("a", at, FromTool, "b") || Sum("a", at, FromUser, "b") == Sum("a", at.Add(time.Millisecond), FromUser, "b") {
		t.Error("the checksum does not cover source and time")
	}
}

func TestValidateAccepts(t *testing.T) {
	if err := sample().Validate(); err != nil {
		t.Fatal(err)
	}
	stub := &Memory{ID: sample().ID, Namespace: "default", History: []State{{From: day(1), Status: Forgotten, Tier: L1}}}
	if err := stub.Validate(); err != nil {
		t.Errorf("a stub: %v", err)
	}
}

func TestValidateNamesTheField(t *testing.T) {
	for _, c := range []struct {
		field string
		spoil func(*Memory)
	}{
		{"id", func(m *Memory) { m.ID = "x" }},
		{"namespace", func(m *Memory) { m.Namespace = "a b" }},
		{"history", func(m *Memory) { m.History = nil }},
		{"history", func(m *Memory) { m.History[0].Tier = "L9" }},
		{"history", func(m *Memory) { m.History = append(m.History, m.History[0]) }},
		{"content", func(m *Memory) { m.Content = "" }},
		{"content", func(m *Memory) { m.Content = strings.Repeat("x", MaxContent+1) }},
		{"content", func(m *Memory) { m.Content = "\xff" }},
		{"user", func(m *Memory) { m.User = strings.Repeat("x", MaxName+1) }},
		{"subject", func(m *Memory) { m.Subject = "\xff" }},
		{"type", func(m *Memory) { m.Type = "DREAM" }},
		{"consent", func(m *Memory) { m.Consent = "" }},
		{"sourceKind", func(m *Memory) { m.SourceKind = "" }},
		{"decayClass", func(m *Memory) { m.DecayClass = "" }},
		{"sensitivity", func(m *Memory) { m.Sensitivity = "" }},
		{"priority", func(m *Memory) { m.Priority = "URGENT" }},
		{"tags", func(m *Memory) { m.Tags = make([]string, MaxTags+1) }},
		{"tags", func(m *Memory) { m.Tags = []string{""} }},
		{"toolCalls", func(m *Memory) { m.ToolCalls = []ToolCall{{}} }},
		{"toolCalls", func(m *Memory) { m.ToolCalls = []ToolCall{{Name: "\xff"}} }},
		{"toolCalls", func(m *Memory) { m.ToolCalls = []ToolCall{{Name: "x", Arguments: "{"}} }},
		{"toolCalls", func(m *Memory) { m.ToolCalls = make([]ToolCall, MaxToolCalls+1) }},
		{"toolCalls", func(m *Memory) { m.ToolCalls = []ToolCall{{Name: "x", Result: strings.Repeat("x", MaxToolCallBytes)}} }},
		{"meta", func(m *Memory) { m.Meta = json.RawMessage("{") }},
		{"meta", func(m *Memory) { m.Meta = json.RawMessage(`"` + strings.Repeat("x", MaxMeta) + `"`) }},
		{"entities", func(m *Memory) { m.Entities = make([]ID, MaxEntities+1) }},
		{"version", func(m *Memory) { m.Version = 0 }},
		{"chain", func(m *Memory) { m.Chain = "" }},
		{"createdAt", func(m *Memory) { m.RecordedAt = time.Time{} }},
		{"salience", func(m *Memory) { m.Salience = math.NaN() }},
		{"authority", func(m *Memory) { m.Authority = 1.01 }},
		{"confidence", func(m *Memory) { m.Confidence = -0.01 }},
		{"importance", func(m *Memory) { m.Importance = math.Inf(1) }},
		{"decayK", func(m *Memory) { m.DecayK = math.NaN() }},
	} {
		m := sample()
		c.spoil(m)
		err := m.Validate()
		e, ok := err.(*Error)
		if !ok || e.Field != c.field {
			t.Errorf("spoilt %s: error %v", c.field, err)
		}
	}
}

func TestEveryEnumValueIsValid(t *testing.T) {
	check := func(name string, good, bad bool) {
		if !good || bad {
			t.Errorf("%s: a listed value is valid, another is not", name)
		}
	}
	for _, v := range Types {
		check("Type", v.Valid(), Type(strings.ToLower(string(v))).Valid())
	}
	for _, v := range Tiers {
		check("Tier", v.Valid(), Tier("").Valid())
	}
	for _, v := range Statuses {
		check("Status", v.Valid(), Status("").Valid())
	}
	for _, v := range Consents {
		check("Consent", v.Valid(), Consent("").Valid())
	}
	for _, v := range Sensitivities {
		check("Sensitivity", v.Valid(), Sensitivity("").Valid())
	}
	for _, v := range DecayClasses {
		check("DecayClass", v.Valid(), DecayClass("").Valid())
	}
	for _, v := range Priorities {
		check("Priority", v.Valid(), Priority("").Valid())
	}
	for _, v := range SourceKinds {
		check("SourceKind", v.Valid(), SourceKind("").Valid())
	}
	for _, v := range EntityTypes {
		check("EntityType", v.Valid(), EntityType("").Valid())
	}
}
