package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// postLine sends an export of one line with a key, sealed as anybody can.
func postLine(t *testing.T, s *server, key, line, count string) (int, string) {
	t.Helper()
	sum := sha256.Sum256([]byte(line + "\n"))
	body := fmt.Sprintf("%s\n%s\n"+`{"end":{%q:1,"sha256":"%x"}}`+"\n", `{"somnograph":"export","version":1,"tenant":"acme","recorded":"2026-01-01T00:00:00Z"}`, line, count, sum)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/import", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", transfer.MediaType)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(said)
}

// The administrator of a tenant can't stop the server, nor the writes of its tenant, by what an import says: each
// attempt is refused, and the server starts after it and writes for every tenant.
func TestAnImportCantStopTheServer(t *testing.T) {
	dir := t.TempDir()
	admin := newKey(t, dir, "--scopes", "server:admin,memory:read,memory:write,memory:share").Key
	serve := func() *server { return start(t, dir, "--auth", "keys", "--rate-limit", "0", "--rate-principal", "0") }
	s := serve()
	t.Setenv("SOMNOGRAPH_KEY", admin)
	ran(t, "tenants", "create", "acme", "--addr", s.url)
	var made client.CreatedAPIKey
	if err := json.Unmarshal([]byte(ran(t, "keys", "create", "--json", "--tenant", "acme", "--scopes", "memory:read,memory:write,memory:admin", "--addr", s.url)), &made); err != nil {
		t.Fatal(err)
	}
	const id = "01982f6a-1c7f-7000-9fec-947d84931999"
	note := func(kind graph.NoteKind, data string) string {
		return fmt.Sprintf(`{"note":{"Kind":%q,"ID":%q,"At":"2026-01-01T00:00:00Z","Data":%q}}`, kind, id, base64.StdEncoding.EncodeToString([]byte(data)))
	}
	attempts := []struct{ line, count string }{
		{note(graph.NoteAlarm, `{"since":1}`), "notes"},
		{note(graph.NoteAlarm, `{"id":"`+id+`","indicator":"backup_age","severity":"CRITICAL","message":"made up","action":"HALT_WRITES","value":999,"since":"2026-01-01T00:00:00Z"}`), "notes"},
	}
	for _, name := range []string{"forget.job", "forget.shred", "proof.successors", "sleep.rollback", "documents.applying", "webhooks", "policy.main"} {
		attempts = append(attempts, struct{ line, count string }{fmt.Sprintf(`{"setting":{"Name":%q,"Value":%q}}`, name, base64.StdEncoding.EncodeToString([]byte(`{"version":1}`))), "settings"})
	}
	for _, kind := range graph.NoteKinds {
		if code, said := postLine(t, s, made.Key, note(kind, `"junk"`), "notes"); code != http.StatusBadRequest || !strings.Contains(said, string(kind)) {
			t.Errorf("%s: %d %s", kind, code, said)
		}
	}
	for _, x := range attempts {
		if code, said := postLine(t, s, made.Key, x.line, x.count); code != http.StatusBadRequest || !strings.Contains(said, "line 2: ") {
			t.Errorf("%s: %d %s", x.line, code, said)
		}
		s.stop()
		s = serve()
	}
	remember(t, s.withKey(admin), "The lane floods in spring.")
	remember(t, s.withKey(made.Key), "The winch of acme sticks.")
	s.stop()
}

// Alarms that can't be read, of a tenant and of the server, don't keep the server from starting. Doctor names them.
func TestDamagedAlarmsKeepNothingFromStarting(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, "--seal=off")
	remember(t, s.client(), "The lane floods in spring.")
	s.stop()
	store, err := badgerstore.Open(filepath.Join(dir, "store"), badgerstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().Add(-time.Hour)
	ids := map[graph.ID]string{}
	for i, data := range []string{`{"since":1}`, `{}`, `7`} {
		for name, scope := range map[string]graph.Scope{"tenant": {Tenant: "default"}, "server": graph.ServerScope()} {
			id, err := graph.DerivedID(now, "test", name, fmt.Sprint(i))
			if err != nil {
				t.Fatal(err)
			}
			ids[id] = name + " " + data
			_, err = store.Update(t.Context(), scope, func(tx graph.Tx) error {
				return tx.PutNote(graph.Note{Kind: graph.NoteAlarm, ID: id, At: now, Data: json.RawMessage(data)})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	out, errs, code := output(t, "doctor", "--data", dir)
	s = start(t, dir, "--seal=off")
	for id, what := range ids {
		if code != exitFailed || !strings.Contains(out, "alarm "+string(id)+" can't be read") {
			t.Errorf("%s: doctor: code %d, %s%s", what, code, out, errs)
		}
		if !strings.Contains(s.log.String(), string(id)) {
			t.Errorf("%s: the log does not name it:\n%s", what, s.log)
		}
	}
	remember(t, s.client(), "The ford is passable in August.")
	s.stop()
}
