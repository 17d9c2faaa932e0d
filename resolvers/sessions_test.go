package resolvers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const observe = `mutation($i: ObserveInput!) { observe(input: $i) { replayed flushed { id tier } memory { id tier content consent sourceKind session user agent project namespace occurredAt } } }`

// The turns of a conversation enter L0 with their roles, and leave it when the session is
// closed.
func TestConversation(t *testing.T) {
	s := start(t)
	turn := func(role, text string) vars {
		return vars{"session": "s1", "role": role, "text": text, "consent": "IMPLICIT", "namespace": "talk", "user": "ada", "agent": "bot", "project": "kite",
			"occurredAt": "2026-03-01T10:00:00Z"}
	}
	for role, kind := range map[string]string{"USER": "USER", "ASSISTANT": "ASSISTANT", "TOOL": "TOOL", "SYSTEM": "SYSTEM"} {
		a := s.must(observe, vars{"i": turn(role, "Said as "+role+".")})
		m := a.at(t, "observe.memory").(map[string]any)
		delete(m, "id")
		same(t, "the turn", m, fmt.Sprintf(`{"tier":"L0","content":"Said as %s.","consent":"IMPLICIT","sourceKind":%q,"session":"s1","user":"ada","agent":"bot",
			"project":"kite","namespace":"talk","occurredAt":"2026-03-01T10:00:00.000Z"}`, role, kind))
	}
	again := merge(turn("USER", "Once."), "idempotencyKey", "k")
	first := s.must(observe, vars{"i": again})
	if second := s.must(observe, vars{"i": again}); second.at(t, "observe.replayed") != true || second.at(t, "observe.memory.id") != first.at(t, "observe.memory.id") {
		t.Errorf("the same key twice answers %s", second.Body)
	}
	s.must(rememberID, vars{"input": vars{"content": "Fetch the spare line.", "consent": "EXPLICIT", "type": "WORKING", "namespace": "talk", "session": "s1"}})

	const closing = `mutation($s: String!, $first: Int) { closeSession(session: $s, namespace: "talk") { session startedAt endedAt
		flushed(first: $first) { tier content } kept { id } expired { status content } } }`
	a := s.must(closing, vars{"s": "s1", "first": 3})
	if a.at(t, "closeSession.session") != "s1" || len(a.at(t, "closeSession.flushed").([]any)) != 3 || a.at(t, "closeSession.flushed.0.tier") != "L1" ||
		len(a.at(t, "closeSession.kept").([]any)) != 0 || a.at(t, "closeSession.expired.0.status") != "EXPIRED" {
		t.Errorf("the close answers %s", a.Body)
	}
	if a := s.ask(closing, vars{"s": "s1", "first": 201}); a.code() != "INVALID_REQUEST" || a.field() != "first" {
		t.Errorf("201 turns answer %s", a.Body)
	}
	if a := s.ask(closing, vars{"s": "unheard of", "first": 1}); a.code() != "MEMORY_NOT_FOUND" || a.field() != "session" {
		t.Errorf("an unknown session answers %s", a.Body)
	}
}

// Turns that leave a full buffer are returned.
func TestTurnsLeaveAFullBuffer(t *testing.T) {
	s := start(t)
	flushed := 0
	for i := range 6 {
		text := fmt.Sprintf("Part %d. %s", i, strings.Repeat("the wind turned north ", 250))
		a := s.must(observe, vars{"i": vars{"session": "long", "role": "USER", "text": text, "consent": "EXPLICIT"}})
		flushed += len(a.at(t, "observe.flushed").([]any))
	}
	if flushed == 0 {
		t.Error("6,000 tokens fit into 4,096")
	}
}

func TestRefusedTurnNamesItsField(t *testing.T) {
	s := start(t)
	good := func() vars { return vars{"session": "s", "role": "USER", "text": "words", "consent": "EXPLICIT"} }
	for _, c := range []struct {
		field       string
		value       any
		code, wrong string
	}{
		{"consent", nil, "CONSENT_REQUIRED", "consent"},
		{"session", "", "INVALID_REQUEST", "session"},
		{"text", "", "INVALID_REQUEST", "text"},
		{"role", "user", "INVALID_REQUEST", "role"},
		{"namespace", "no space", "INVALID_REQUEST", "namespace"},
		{"occurredAt", "today", "INVALID_REQUEST", "occurredAt"},
		{"agent", strings.Repeat("a", 513), "LIMIT_EXCEEDED", "agent"},
		{"project", strings.Repeat("a", 513), "LIMIT_EXCEEDED", "project"},
		{"toolCalls", []vars{{"name": "read"}}, "INVALID_REQUEST", "toolCalls"},
	} {
		if a := s.ask(observe, vars{"i": merge(good(), c.field, c.value)}); a.code() != c.code || a.field() != c.wrong {
			t.Errorf("%s: %.20v answers %s", c.field, c.value, a.Body)
		}
	}
}

// Tasks detected in turns can be listed, confirmed, completed and dismissed.
func TestTasks(t *testing.T) {
	s := start(t)
	say := func(text string) string {
		return s.must(observe, vars{"i": vars{"session": "s1", "role": "USER", "text": text, "consent": "EXPLICIT", "user": "ada"}}).at(t, "observe.memory.id").(string)
	}
	turn := say("TODO: grease the winch.")
	s.Clock.Advance(time.Second)
	say("Don't forget to order rope.")
	const list = `query($status: TaskStatus, $after: String, $first: Int, $user: String) { tasks(status: $status, after: $after, first: $first, user: $user) {
		nodes { memory { id type status } status confidence strength blocks turn } edges { cursor node { turn } } pageInfo { hasNextPage endCursor } } }`
	a := s.must(list, vars{"first": 1})
	first := a.at(t, "tasks.nodes.0.memory.id")
	if a.at(t, "tasks.nodes.0.turn") != turn || a.at(t, "tasks.nodes.0.status") != "CANDIDATE" || a.at(t, "tasks.nodes.0.strength") != 0.9 || a.at(t, "tasks.nodes.0.blocks") != nil ||
		a.at(t, "tasks.nodes.0.memory.type") != "WORKING" || a.at(t, "tasks.pageInfo.hasNextPage") != true {
		t.Errorf("the first task is %s", a.Body)
	}
	rest := s.must(list, vars{"after": a.at(t, "tasks.pageInfo.endCursor")})
	if len(rest.at(t, "tasks.nodes").([]any)) != 1 || rest.at(t, "tasks.nodes.0.memory.id") == first || rest.at(t, "tasks.pageInfo.hasNextPage") != false {
		t.Errorf("the rest is %s", rest.Body)
	}
	if none := s.must(list, vars{"user": "bram"}); len(none.at(t, "tasks.nodes").([]any)) != 0 {
		t.Errorf("the tasks of another user are %s", none.Body)
	}
	const confirm, dismiss = `mutation($id: ID!) { confirmTask(id: $id) { status memory { expiresAt } } }`, `mutation($id: ID!) { dismissTask(id: $id) { status memory { status } } }`
	if a := s.must(confirm, vars{"id": first}); a.at(t, "confirmTask.status") != "CONFIRMED" || a.at(t, "confirmTask.memory.expiresAt") != nil {
		t.Errorf("confirmed: %s", a.Body)
	}
	if a := s.must(list, vars{"status": "CONFIRMED"}); len(a.at(t, "tasks.nodes").([]any)) != 1 {
		t.Errorf("the confirmed are %s", a.Body)
	}
	if a := s.must(dismiss, vars{"id": first}); a.at(t, "dismissTask.status") != "DISMISSED" || a.at(t, "dismissTask.memory.status") != "EXPIRED" {
		t.Errorf("dismissed: %s", a.Body)
	}
	say("Before we can sail, we need to mend the keel by Friday.")
	say("TODO: sail north")
	const open = `{ tasks { nodes { memory { id content } blocks blockedBy due endedAt } } }`
	a = s.must(open, nil)
	n := len(a.at(t, "tasks.nodes").([]any))
	keel, sail := fmt.Sprintf("tasks.nodes.%d.", n-2), fmt.Sprintf("tasks.nodes.%d.", n-1)
	due, err := time.Parse(time.RFC3339, a.at(t, keel+"due").(string))
	if err != nil || due.Weekday() != time.Friday || !due.After(s.Clock.Now()) || a.at(t, keel+"blocks") != "sail" || a.at(t, keel+"endedAt") != nil ||
		a.at(t, sail+"blockedBy.0") != a.at(t, keel+"memory.id") || a.at(t, sail+"due") != nil {
		t.Errorf("due %v, %v: %s", due, err, a.Body)
	}
	const overdue = `query($t: Time) { tasks(dueBefore: $t) { nodes { memory { content } } } }`
	if a := s.must(overdue, vars{"t": due.Format(time.RFC3339Nano)}); len(a.at(t, "tasks.nodes").([]any)) != 0 {
		t.Errorf("due before its end: %s", a.Body)
	}
	if a := s.must(overdue, vars{"t": due.Add(time.Millisecond).Format(time.RFC3339Nano)}); len(a.at(t, "tasks.nodes").([]any)) != 1 {
		t.Errorf("due after its end: %s", a.Body)
	}
	const complete = `mutation($id: ID!) { completeTask(id: $id) { status endedAt memory { status } } }`
	if a := s.must(complete, vars{"id": a.at(t, keel+"memory.id")}); a.at(t, "completeTask.status") != "DONE" || a.at(t, "completeTask.memory.status") != "EXPIRED" || a.at(t, "completeTask.endedAt") == nil {
		t.Errorf("completed: %s", a.Body)
	}
	if a := s.must(list, vars{"status": "DONE"}); len(a.at(t, "tasks.nodes").([]any)) != 1 {
		t.Errorf("the done are %s", a.Body)
	}
	if a := s.must(`{ search(input: {mode: MANAGER}) { hits { memory { content } } manager { tasks { blockedBy due } } } }`, nil); a.at(t, "search.hits.0.memory.content") != "sail north" {
		t.Errorf("the open task does not lead: %s", a.Body)
	}
	if a := s.ask(confirm, vars{"id": "0198f0a0-0000-7000-8000-000000000001"}); a.code() != "MEMORY_NOT_FOUND" || a.field() != "id" {
		t.Errorf("an unknown task answers %s", a.Body)
	}
	if a := s.ask(list, vars{"after": "AXYAAAAAAAAAAA"}); a.code() != "INVALID_REQUEST" || a.field() != "after" {
		t.Errorf("with a cursor of another list: %s", a.Body)
	}
}

// Past turns keep when they were said, with the calls of tools; a bad one is refused alone, a second time writes nothing.
func TestPastTurns(t *testing.T) {
	s := start(t)
	turn := func(role, text, at string) vars {
		return vars{"session": "old", "role": role, "text": text, "consent": "EXPLICIT", "user": "ada", "occurredAt": at, "idempotencyKey": text}
	}
	turns := []vars{
		turn("USER", "The spare line is in the lazarette.", "2025-03-01T10:00:00Z"),
		merge(turn("ASSISTANT", "I wrote it down.", "2025-03-01T10:00:05Z"), "toolCalls", []vars{{"name": "write", "arguments": vars{"path": "lines.md"}, "result": "ok"}, {"name": "list"}}),
		turn("USER", "When?", "2125-03-01T10:00:00Z"),
		merge(turn("USER", "Where?", "2025-03-01T10:00:06Z"), "namespace", "no space"),
	}
	const past = `mutation($i: [ObserveInput!]!) { observePast(input: $i) { replayed error { code field }
		memory { content tier recordedAt occurredAt validFrom sourceKind toolCalls { name arguments result } } } }`
	a := s.must(past, vars{"i": turns})
	same(t, "the turns", a.at(t, "observePast"), fmt.Sprintf(`[
		{"replayed":false,"error":null,"memory":{"content":"The spare line is in the lazarette.","tier":"L1","recordedAt":%[1]q,"occurredAt":"2025-03-01T10:00:00.000Z",
			"validFrom":"2025-03-01T10:00:00.000Z","sourceKind":"USER","toolCalls":[]}},
		{"replayed":false,"error":null,"memory":{"content":"I wrote it down.","tier":"L1","recordedAt":%[1]q,"occurredAt":"2025-03-01T10:00:05.000Z",
			"validFrom":"2025-03-01T10:00:05.000Z","sourceKind":"ASSISTANT",
			"toolCalls":[{"name":"write","arguments":{"path":"lines.md"},"result":"ok"},{"name":"list","arguments":null,"result":null}]}},
		{"replayed":false,"error":{"code":"INVALID_REQUEST","field":"occurredAt"},"memory":null},
		{"replayed":false,"error":{"code":"INVALID_REQUEST","field":"namespace"},"memory":null}]`, s.Clock.Now().Format("2006-01-02T15:04:05.000Z")))
	s.Clock.Advance(time.Hour)
	again := s.must(past, vars{"i": turns[:2]})
	if again.at(t, "observePast.0.replayed") != true || again.at(t, "observePast.1.replayed") != true {
		t.Errorf("a second time: %s", again.Body)
	}
	if a := s.ask(past, vars{"i": make([]vars, 1001)}); len(a.Errors) == 0 {
		t.Errorf("1,001 turns answer %s", a.Body)
	}
}

// A write that cites a turn of the user is a statement of the user.
func TestAWriteCitesATurn(t *testing.T) {
	s := start(t)
	turn := s.must(observe, vars{"i": vars{"session": "s1", "role": "USER", "text": "I moved to Bergen last week.", "consent": "EXPLICIT", "user": "ana"}}).at(t, "observe.memory.id")
	const write = `mutation($i: RememberInput!) { remember(input: $i) { memory { sourceKind agent user } } }`
	in := vars{"content": "Ana lives in Bergen.", "consent": "EXPLICIT", "session": "s1", "user": "ana", "agent": "bot", "sourceKind": "ASSISTANT", "cites": turn}
	same(t, "the memory", s.must(write, vars{"i": in}).at(t, "remember.memory"), `{"sourceKind":"USER","agent":"bot","user":"ana"}`)
	in["content"] = "Ana lives in Oslo."
	if a := s.ask(write, vars{"i": in}); a.code() != "INVALID_REQUEST" || a.field() != "cites" {
		t.Errorf("what the turn does not say answers %s", a.Body)
	}
}
