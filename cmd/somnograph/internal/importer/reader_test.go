package importer

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func read(t *testing.T, file string, o Options) (items []Item, bad []*LineError) {
	t.Helper()
	if o.MaxContent == 0 {
		o.MaxContent = 32 << 10
	}
	r := NewReader(strings.NewReader(file), o)
	for {
		item, err := r.Next()
		var line *LineError
		switch {
		case errors.As(err, &line):
			bad = append(bad, line)
		case errors.Is(err, io.EOF):
			return items, bad
		case err != nil:
			t.Fatal(err)
		default:
			items = append(items, item)
		}
	}
}

const talk = `{"id":"call-17","source":"support","turns":[` +
	`{"key":"1","session":"monday","speaker":"Ines","text":"The winch sticks again.","at":"2026-01-12T08:30:00Z"},` +
	`{"key":"2","session":"monday","speaker":"assistant","text":"Was it greased?","at":"2026-01-12T08:30:20Z"}],` +
	`"questions":[{"q":"What sticks?","category":"single","evidence":["1"]}]}` + "\n"

func TestAConversationIsOneMemoryATurn(t *testing.T) {
	items, bad := read(t, talk, Options{})
	if len(bad) != 0 || len(items) != 2 {
		t.Fatalf("%d items, errors %v", len(items), bad)
	}
	m := items[0].Memory
	if m.Content != "Ines: The winch sticks again." || m.Namespace != "call_17" || m.Session != "monday" || m.Agent != "Ines" ||
		m.Source != "1" || m.SourceKind != "USER" || m.Consent != "EXPLICIT" || m.OccurredAt != "2026-01-12T08:30:00Z" || m.OnDuplicate != "INSERT" {
		t.Errorf("turn 1 = %+v", m)
	}
	var meta map[string]string
	if err := json.Unmarshal(m.Meta, &meta); err != nil || meta["turn"] != "1" || meta["speaker"] != "Ines" || meta["conversation"] != "call-17" || meta["set"] != "support" {
		t.Errorf("meta = %s, %v", m.Meta, err)
	}
	if m := items[1].Memory; m.Content != "Was it greased?" || m.SourceKind != "ASSISTANT" || m.Agent != "" {
		t.Errorf("turn 2 = %+v", m)
	}
	if items[0].Memory.IdempotencyKey == items[1].Memory.IdempotencyKey {
		t.Error("two turns have one idempotency key")
	}
	if items[1].Where() != "line 1, turn 2" || items[1].End != int64(len(talk)) {
		t.Errorf("where = %q, end = %d", items[1].Where(), items[1].End)
	}
}

func TestOptionsAreDefaults(t *testing.T) {
	items, _ := read(t, talk+`{"content":"bare"}`+"\n"+`{"content":"full","consent":"NONE","namespace":"own"}`, Options{Namespace: "here", Consent: "IMPLICIT"})
	if len(items) != 4 {
		t.Fatalf("%d items", len(items))
	}
	for i, want := range []struct{ namespace, consent string }{{"here", "IMPLICIT"}, {"here", "IMPLICIT"}, {"here", "IMPLICIT"}, {"own", "NONE"}} {
		if m := items[i].Memory; m.Namespace != want.namespace || m.Consent != want.consent {
			t.Errorf("item %d: %s, %s, want %+v", i, m.Namespace, m.Consent, want)
		}
	}
}

func TestConsentOfAMemoryIsNeverGuessed(t *testing.T) {
	items, _ := read(t, `{"content":"x"}`, Options{})
	if len(items) != 1 || items[0].Memory.Consent != "" {
		t.Errorf("items = %+v", items)
	}
}

func TestAMemoryLineHasEveryFieldOfTheAPI(t *testing.T) {
	line := `{"content":"c","consent":"EXPLICIT","type":"SEMANTIC","namespace":"n","user":"u","session":"s","project":"p","agent":"a",` +
		`"subject":"s","predicate":"is","object":"o","sourceKind":"TOOL","source":"src","authority":0.5,"salience":0.1,"surprise":0,` +
		`"confidence":0.9,"importance":1,"criticality":0.2,"entities":["E"],"tags":["t"],"meta":{"k":1},"decayClass":"SLOW","priority":"LOW",` +
		`"ttlSeconds":5,"validFrom":"2026-01-01T00:00:00Z","validTo":"2026-02-01T00:00:00Z","occurredAt":"2026-01-02T00:00:00Z",` +
		`"important":true,"core":true,"safetyCritical":true,"onDuplicate":"REJECT","idempotencyKey":"mine"}`
	items, bad := read(t, line, Options{})
	if len(bad) != 0 {
		t.Fatal(bad)
	}
	raw, err := json.Marshal(items[0].Memory)
	if err != nil {
		t.Fatal(err)
	}
	var got, want map[string]any
	if err := errors.Join(json.Unmarshal(raw, &got), json.Unmarshal([]byte(line), &want)); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Errorf("%d fields come out, %d went in", len(got), len(want))
	}
	for k := range want {
		if _, there := got[k]; !there {
			t.Errorf("field %s was lost", k)
		}
	}
	// A given zero differs from a missing value.
	if s := items[0].Memory.Surprise; s == nil || *s != 0 {
		t.Error("surprise 0 was lost")
	}
}

func TestBadLinesAreReportedAndSkipped(t *testing.T) {
	file := strings.Join([]string{
		`{"content":"first","consent":"EXPLICIT"}`,
		`half a line`,
		``,
		`[1,2]`,
		`{"content":"x","colour":"red"}`,
		`{"content":7}`,
		`{"name":"neither"}`,
		`{"content":"x","turns":[]}`,
		`{"turns":[{"key":"1","text":"x"}]}`,
		`{"id":"c","turns":[{"text":"x"}]}`,
		`{"id":"c","turns":[{"key":"1","text":"x"},{"key":"1","text":"y"}]}`,
		`{"content":"last","consent":"EXPLICIT"}`,
	}, "\n")
	items, bad := read(t, file, Options{})
	if len(items) != 2 || items[0].Memory.Content != "first" || items[1].Memory.Content != "last" || items[1].Line != 12 {
		t.Fatalf("items = %+v", items)
	}
	wants := map[int]string{2: "not JSON", 4: "object", 5: "colour", 6: "content must not be a number", 7: "neither",
		8: "both", 9: "id is missing", 10: "no key", 11: "twice"}
	if len(bad) != len(wants) {
		t.Errorf("%d errors, want %d: %v", len(bad), len(wants), bad)
	}
	for _, b := range bad {
		if !strings.Contains(b.Error(), wants[b.Line]) || wants[b.Line] == "" {
			t.Errorf("error %q, want one with %q", b, wants[b.Line])
		}
	}
}

func TestKeysAreStableAndDiffer(t *testing.T) {
	a, _ := read(t, talk+`{"content":"x"}`, Options{})
	b, _ := read(t, talk+`{"content":"x"}`, Options{})
	for i := range a {
		if a[i].Memory.IdempotencyKey != b[i].Memory.IdempotencyKey || len(a[i].Memory.IdempotencyKey) > 200 {
			t.Errorf("item %d: keys %q and %q", i, a[i].Memory.IdempotencyKey, b[i].Memory.IdempotencyKey)
		}
	}
	other, _ := read(t, talk+`{"content":"x"}`, Options{Namespace: "elsewhere"})
	for i := range a {
		if a[i].Memory.IdempotencyKey == other[i].Memory.IdempotencyKey {
			t.Errorf("item %d has one key in two namespaces", i)
		}
	}
}

func TestNamespacesAreValidAndDistinct(t *testing.T) {
	long := strings.Repeat("n", 80)
	a, b := Conversation{ID: long + "1"}.Namespace(""), Conversation{ID: long + "2"}.Namespace("")
	if a == b || len(a) > 64 || len(b) > 64 {
		t.Errorf("namespaces %q and %q", a, b)
	}
	if got := (Conversation{ID: "Zürich/7 ☂"}).Namespace(""); got != "Z_rich_7__" {
		t.Errorf("namespace = %q", got)
	}
}

func TestLongContentIsSplit(t *testing.T) {
	text := strings.Repeat("One sentence of words. ", 50)
	line, err := json.Marshal(map[string]any{"content": text, "consent": "EXPLICIT", "meta": map[string]int{"page": 3}})
	if err != nil {
		t.Fatal(err)
	}
	items, bad := read(t, string(line), Options{MaxContent: 200})
	if len(bad) != 0 || len(items) < 6 {
		t.Fatalf("%d items, errors %v", len(items), bad)
	}
	keys := map[string]bool{}
	var words []string
	for i, item := range items {
		m := item.Memory
		keys[m.IdempotencyKey] = true
		words = append(words, strings.Fields(m.Content)...)
		if len(m.Content) > 200 || !strings.HasSuffix(m.Content, ".") {
			t.Errorf("part %d: %d bytes, ends %q", i, len(m.Content), m.Content[len(m.Content)-5:])
		}
		var meta map[string]int
		if err := json.Unmarshal(m.Meta, &meta); err != nil || meta["page"] != 3 || meta["part"] != i+1 || meta["parts"] != len(items) {
			t.Errorf("part %d: meta %s, %v", i, m.Meta, err)
		}
	}
	if len(keys) != len(items) {
		t.Errorf("%d keys for %d parts", len(keys), len(items))
	}
	if strings.Join(words, " ") != strings.TrimSpace(text) {
		t.Error("words were lost or reordered")
	}
}

func TestSplitKeepsCharactersWhole(t *testing.T) {
	for _, text := range []string{strings.Repeat("ü", 50), strings.Repeat("☂", 50), strings.Repeat("🜁", 50), "", "short", strings.Repeat(" ", 50) + "end"} {
		parts := Split(text, 10)
		for _, p := range parts {
			if len(p) > 10 || !utf8.ValidString(p) {
				t.Errorf("Split(%.12q): part %q", text, p)
			}
		}
		if got := strings.TrimSpace(strings.Join(parts, "")); got != strings.TrimSpace(text) {
			t.Errorf("Split(%.12q) joined = %q", text, got)
		}
	}
	if parts := Split("first paragraph.\n\nsecond one", 20); len(parts) != 2 || parts[0] != "first paragraph." {
		t.Errorf("at the paragraph: %q", parts)
	}
}

func TestConversationsReadsTheQuestions(t *testing.T) {
	all, err := Conversations(strings.NewReader(talk + "\n" + talk))
	if err != nil || len(all) != 2 || all[1].Questions[0].Evidence[0] != "1" {
		t.Errorf("conversations = %+v, %v", all, err)
	}
	if _, err := Conversations(strings.NewReader(talk + "oops\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error = %v, want one that names line 2", err)
	}
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	items, bad := read(t, "\xef\xbb\xbf"+`{"content":"x"}`, Options{})
	if len(items) != 1 || len(bad) != 0 {
		t.Errorf("items %v, errors %v", items, bad)
	}
}
