package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

const (
	someID  = "0198f0a0-0000-7000-8000-000000000001"
	otherID = "0198f0a0-0000-7000-8000-000000000002"
)

var recorded = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// sealed is an export of lines, with the last line that they need, as anybody can make one.
func sealed(t *testing.T, lines ...string) string {
	t.Helper()
	m := &importer{sum: sha256.New()}
	text := fmt.Sprintf(`{"somnograph":"export","version":1,"tenant":"default","recorded":%q}`+"\n", recorded.Format(time.RFC3339))
	for _, x := range lines {
		var l line
		if err := json.Unmarshal([]byte(x), &l); err != nil {
			t.Fatal(err)
		}
		m.count(l)
		_, _ = m.sum.Write([]byte(x + "\n"))
		text += x + "\n"
	}
	last, err := json.Marshal(line{End: &end{m.done, digest(m.sum)}})
	if err != nil {
		t.Fatal(err)
	}
	return text + string(last) + "\n"
}

func note(kind graph.NoteKind, data string, change ...string) string {
	text := fmt.Sprintf(`{"note":{"Kind":%q,"ID":%q,"Namespace":"main","Memories":null,"At":%q,"Data":%q}}`,
		kind, someID, recorded.Format(time.RFC3339), base64.StdEncoding.EncodeToString([]byte(data)))
	return strings.NewReplacer(change...).Replace(text)
}

func setting(name, value string) string {
	return fmt.Sprintf(`{"setting":{"Name":%q,"Value":%q}}`, name, base64.StdEncoding.EncodeToString([]byte(value)))
}

// post sends an export to the handler over an empty store.
func post(t *testing.T, text string) (code int, says string, store graph.Store) {
	t.Helper()
	store = storetest.NewModel()
	scope := graph.Scope{Tenant: "default"}
	h := &Handler{
		Store: store, Scope: scope, Head: func(ctx context.Context) (graph.Cursor, error) { return store.Head(ctx, scope) },
		Now: func() time.Time { return recorded.AddDate(0, 1, 0) }, Logger: slog.New(slog.DiscardHandler),
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/import", strings.NewReader(text))
	r.Header.Set("Content-Type", MediaType)
	_ = h.Import(1, w, r) // it responds with the error
	return w.Code, w.Body.String(), store
}

// refused fails unless a line is refused with what is said about it, and nothing is written.
func refused(t *testing.T, what, text string, says ...string) {
	t.Helper()
	code, said, store := post(t, sealed(t, text))
	if code != http.StatusBadRequest {
		t.Errorf("%s: %d %s", what, code, said)
	}
	for _, part := range append(says, "line 2: ") {
		if !strings.Contains(said, part) {
			t.Errorf("%s: it says %q, not %q", what, said, part)
		}
	}
	if tenants, err := store.Tenants(t.Context()); err != nil || len(tenants) > 0 {
		t.Errorf("%s: the store has %v, %v", what, tenants, err)
	}
}

// What an export never holds is refused, whatever its data, and so is a kind that it holds with data that no server
// wrote.
func TestEveryOtherNoteIsRefused(t *testing.T) {
	for _, kind := range append(slices.Clone(graph.NoteKinds), "FOO", "alarm", "") {
		if slices.ContainsFunc(movedNotes, func(m movedNote) bool { return m.kind == kind }) {
			for _, data := range []string{`{"since":1}`, `"junk"`, `{}`, `null`, `[]`, ``, `{`} {
				// A settlement without clusters and changes without any are well formed.
				if !kind.OfClusters() || data == `"junk"` || data == `[]` || data == `{` {
					refused(t, string(kind)+" "+data, note(kind, data), string(kind))
				}
			}
			continue
		}
		for _, data := range []string{
			`{"since":1}`, `{}`,
			`{"id":"` + someID + `","indicator":"backup_age","severity":"CRITICAL","message":"made up","action":"HALT_WRITES","value":999,"since":"2026-03-01T08:00:00Z"}`,
		} {
			refused(t, string(kind), note(kind, data), fmt.Sprintf("%q is in no export", string(kind)), "the kinds are DECISION, SLEEP")
		}
	}
}

// settingNames are the names of settings that the source has.
func settingNames(t *testing.T) (names []string) {
	t.Helper()
	declared := regexp.MustCompile(`(?:etting|Turn)\w*\s*=\s*"([a-z][\w.-]+)"`)
	for _, room := range []string{"engine", "graph", "cmd"} {
		err := filepath.WalkDir(filepath.Join("../../../..", room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
				names = append(names, m[1])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// No setting but the policy of a namespace is taken.
func TestEveryOtherSettingIsRefused(t *testing.T) {
	names := settingNames(t)
	for _, name := range []string{"webhooks", "forget.job", "forget.shred", "audit.restores", "proof.successors", "sleep.cycle", "sleep.rollback", "canary", "import", "claims", "reembed"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s was not found in the source", name)
		}
	}
	for _, name := range append(names, "", "policy", "policies.main", "webhook."+someID, "invented") {
		refused(t, name, setting(name, `{"version":1}`), "only policy.NAMESPACE can")
		refused(t, name, setting(name, ``), "only policy.NAMESPACE can")
	}
	valid, err := policy.Encode(policy.Default())
	if err != nil {
		t.Fatal(err)
	}
	refused(t, "no namespace", setting("policy.", string(valid)), "names no namespace")
	refused(t, "a path", setting("policy.a b", string(valid)), "names no namespace")
	for _, junk := range []string{`{"version":1}`, `{"version":9}`, `7`, ``, `junk`} {
		refused(t, junk, setting("policy.main", junk), "not a valid policy")
	}
	if code, said, _ := post(t, sealed(t, setting("policy.main", string(valid)))); code != http.StatusOK {
		t.Errorf("a policy: %d %s", code, said)
	}
}

// A line is one thing: it can't be checked as a policy and written as an alarm.
func TestALineIsOneThing(t *testing.T) {
	valid, err := policy.Encode(policy.Default())
	if err != nil {
		t.Fatal(err)
	}
	s, n := setting("policy.main", string(valid)), note(graph.NoteAlarm, `{"since":1}`)
	refused(t, "a policy and a note", s[:len(s)-1]+","+n[1:], "has no known field")
	for _, text := range []string{`{}`, `{"foo":{}}`, `{"memory":null}`, `{"entity":{}}`, `{"receipt":{"ID":"` + someID + `"}}`, `[]`, `7`} {
		if code, said, _ := post(t, strings.Replace(sealed(t), "\n", "\n"+text+"\n", 1)); code != http.StatusBadRequest || !strings.Contains(said, "line 2: ") {
			t.Errorf("%s: %d %s", text, code, said)
		}
	}
	for _, text := range []string{`{"entity":{"Name":"Ada"}}`, `{"relation":{"Predicate":"is"}}`, `{"memory":{"ID":"` + someID + `"}}`} {
		refused(t, text, text)
	}
}

// The data of a note that moves is what a server would write.
func TestDamagedNotesAreRefused(t *testing.T) {
	report := `{"report":{"ID":"` + someID + `","Kind":"DEEP","Trigger":"HAND","StartedAt":"2026-03-01T09:00:00Z"},"at":"2026-03-01T09:00:00Z","undo":1}`
	ofServer := []string{`"Namespace":"main"`, `"Namespace":""`}
	about := []string{`"Memories":null`, `"Memories":["` + otherID + `"]`}
	patch := func(field, before string) string {
		return `{"memories":[{"id":"` + someID + `","fields":{"` + field + `":{"b":` + before + `,"a":0.5}}}]}`
	}
	for _, x := range []struct {
		kind   graph.NoteKind
		data   string
		change []string
		says   string
	}{
		{graph.NoteDecision, `{"decision":"MAYBE","fact":"x"}`, nil, "decision must be one of"},
		{graph.NoteDecision, `{"decision":"STORED","fact":""}`, nil, "fact"},
		{graph.NoteDecision, `{"decision":"STORED","fact":"x","conflict":7}`, nil, "range"},
		{graph.NoteDecision, `{"decision":"STORED","fact":"x"}`, about, "names an id"},
		{graph.NoteSleep, strings.Replace(report, someID, otherID, 1), ofServer, "ID must be that of the note"},
		{graph.NoteSleep, strings.Replace(report, "DEEP", "DEEPER", 1), ofServer, "Kind must be"},
		{graph.NoteSleep, strings.Replace(report, "HAND", "FOOT", 1), ofServer, "Trigger"},
		{graph.NoteSleep, strings.Replace(report, `"undo":1`, `"undo":-2`, 1), ofServer, "range"},
		{graph.NoteSleep, strings.Replace(report, `"Kind"`, `"RolledBackIn":[{"Namespace":"a b"}],"Kind"`, 1), ofServer, "namespace"},
		{graph.NoteSleep, strings.Replace(report, `"Kind"`, `"Phases":[{"Phase":"N9"}],"Kind"`, 1), ofServer, "phase must be"},
		{graph.NoteSleep, strings.ReplaceAll(report, someID, "fffff0a0-0000-7000-8000-000000000001"), append([]string{someID, "fffff0a0-0000-7000-8000-000000000001"}, ofServer...), "made after the last instant"},
		{graph.NoteUndo, patch("Authority", "1"), ofServer, "no sleep changes the field Authority"},
		{graph.NoteUndo, patch("authority", "1"), ofServer, "no sleep changes the field authority"},
		{graph.NoteUndo, patch("Content", `"other"`), ofServer, "no sleep changes the field Content"},
		{graph.NoteUndo, patch("Salience", `"much"`), ofServer, "another type"},
		{graph.NoteUndo, `{"memories":[{"id":"` + someID + `","before":{"Status":"ACTIVE","Tier":"L1"}}]}`, ofServer, "a state"},
		{graph.NoteUndo, `{"edges":[null]}`, ofServer, "an edge is null"},
		{graph.NoteUndo, `{"relations":[null]}`, ofServer, "a relation is null"},
		{graph.NoteUndo, `{"vectors":["x"]}`, ofServer, "an invalid id"},
		{graph.NoteUndo, `{"steps":[{"Phase":"REM","Verb":"FLY"}]}`, ofServer, "a step"},
		{graph.NoteUndo, `[1,2]`, ofServer, "a vector needs its memory"},
		{graph.NoteSession, `{"session":"monday","startedAt":"2026-03-01T08:00:00Z"}`, nil, "not that of namespace, user and session"},
		{graph.NoteFeedback, `{"model":"test","vector":[]}`, about, "vector must have"},
		{graph.NoteFeedback, `{"model":"test","vector":[3,4]}`, about, "unit length"},
		{graph.NoteFeedback, `{"model":"test","vector":[1]}`, about, "names an id"},
		{graph.NoteFeedback, `{"model":"test","vector":[1]}`, nil, "in Memories"},
		{graph.NoteDead, `{"id":"` + someID + `","work":"EMBED"}`, about, "id must be that of the memory"},
		{graph.NoteDead, `{"id":"` + otherID + `","work":"DIG"}`, about, "work must be one of"},
		{graph.NoteDead, `{"id":"` + otherID + `","work":"EMBED","first":"2026-03-01T08:00:00Z","at":"2026-03-01T08:00:00Z"}`, about, "names an id"},
		{graph.NoteDocument, `{"path":"a.md","revision":1}`, nil, "not that of namespace, user and path"},
		{graph.NoteDocument, `{"path":"a.md","revision":1,"next":{"done":-1}}`, nil, "done"},
		{graph.NoteConflict, `{"kept":"` + someID + `"}`, []string{`"Memories":null`, `"Memories":["` + otherID + `","` + someID + `"]`}, "kept and ended"},
	} {
		text := note(x.kind, x.data, x.change...)
		what := string(x.kind) + " " + x.data
		if x.says == "names an id" { // known at the end only
			code, said, store := post(t, sealed(t, text))
			tenants, err := store.Tenants(t.Context())
			if code != http.StatusBadRequest || !strings.Contains(said, x.says) || err != nil || len(tenants) > 0 {
				t.Errorf("%s: %d %s, %v, %v", what, code, said, tenants, err)
			}
			continue
		}
		refused(t, what, text, string(x.kind), x.says)
	}
	if code, said, _ := post(t, sealed(t, note(graph.NoteSleep, report, ofServer...), note(graph.NoteUndo, patch("Salience", "0.4"), append([]string{someID, otherID}, ofServer...)...))); code != http.StatusOK {
		t.Errorf("a report and an undo note: %d %s", code, said)
	}
}
