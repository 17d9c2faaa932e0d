package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/csv"
	"encoding/json"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph/ledger"
)

// TestRestoreAfterKills kills a server beside its backup, another backup over the API, a sleep and
// an import. Restores to earlier boundaries and to the end equal what the server had then. A copy of either
// backup at the kill has a prefix of the writes, and the end has all that were acknowledged.
func TestRestoreAfterKills(t *testing.T) {
	rounds := 5
	if n, err := strconv.Atoi(os.Getenv("RESTORES")); err == nil {
		rounds = n
	} else if testing.Short() {
		t.Skip("the full run has it")
	}
	for round := range rounds {
		killAndRestore(t, round)
	}
}

const canary = "The walnut canary sings at dawn."

func killAndRestore(t *testing.T, round int) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	args := []string{"--keys", at("keys"), "--backup-to", at("own"), "--backup-every", "1s", "--simulated-clock", "--seal=" + strconv.FormatBool(round%2 == 0)}
	s := start(t, at("data"), args...)
	c := s.client()
	type twin struct{ boundary, export string }
	var twins []twin
	gone := remember(t, c, canary)
	for part := range 3 {
		remember2(t, s, round, part, 30)
		if part == 2 {
			if err := c.Do(t.Context(), `mutation($i:ForgetInput!){forget(input:$i){__typename}}`, map[string]any{"i": map[string]any{"ids": []string{gone}}}, &struct{}{}); err != nil {
				t.Fatal(err)
			}
		}
		twins = append(twins, twin{})
		for twins[part].boundary == "" { // until nothing changes in the background meanwhile
			before := exportOf(t, s)
			out, errs, code := output(t, "backup", "--addr", s.url, "--to", at("api"))
			if code != 0 {
				t.Fatalf("backup: %s", errs)
			}
			if after := exportOf(t, s); after == before {
				twins[part] = twin{boundaryOf(t, out), after}
			}
		}
	}

	// Everything at once, then a kill.
	going := command(t, "backup", "--addr", s.url, "--to", at("api"), "--every", "1s")
	if err := going.Start(); err != nil {
		t.Fatal(err)
	}
	kill := 60 + mathrand.IntN(400)
	t.Logf("round %d: kill after %d writes", round, kill)
	var wg sync.WaitGroup
	wg.Go(func() {
		for c := s.client(); c.Do(context.Background(), `mutation{sleep(input:{deep:true,wait:true}){__typename}}`, nil, &struct{}{}) == nil; {
		}
	})
	acked := newWrites()
	lines := acked.newImporting(t, base, 300)
	endImport := lines.beside(t, s)
	acked.until(t, s, round, func(acked []time.Time) bool { return len(acked) >= kill })
	copied(t, at("own"), at("own-copy"))
	wg.Wait()
	endImport()
	_ = going.Process.Kill() // it can't go on without the server
	_ = going.Wait()
	copied(t, at("api"), at("api-copy"))
	for _, name := range []string{"own-copy", "api-copy"} {
		acked.hasPrefix(t, name, contents(t, restored(t, at("keys"), at(name), at("at-"+name))))
	}

	// Both backups are intact, whatever the kill interrupted.
	for _, name := range []string{"own", "api"} {
		if out, errs, code := output(t, "backup", "verify", "--from", at(name), "--keys", at("keys")); code != 0 {
			t.Fatalf("round %d: verify %s: %s%s", round, name, out, errs)
		}
	}
	for i, w := range twins {
		got := restored(t, at("keys"), at("api"), at("r"+strconv.Itoa(i)), "--at", w.boundary)
		sameExport(t, "boundary "+w.boundary, got, w.export, gone)
		if strings.Contains(got, "walnut") {
			t.Errorf("boundary %s: forgotten content is back", w.boundary)
		}
	}
	// The server starts again, its backup goes on, and its end equals the store.
	s = start(t, at("data"), args...)
	lines.goesOn(t, s)
	if _, errs, code := output(t, "backup", "--addr", s.url, "--to", at("api")); code != 0 {
		t.Fatalf("backup: %s", errs)
	}
	s.stop()
	want := stored(t, at("data"), at("keys"))
	all := contents(t, want)
	acked.has(t, "the store", all, time.Now())
	lines.once(t, all)
	sameExport(t, "the end", restored(t, at("keys"), at("own"), at("end")), want, "")
	if out, errs, code := output(t, "doctor", "--data", at("end"), "--keys", at("keys"), "--json"); code != 0 {
		t.Errorf("doctor: %s%s", out, errs)
	}
}

// remember2 writes some memories from several clients.
func remember2(t *testing.T, s *server, round, part, n int) {
	t.Helper()
	var many []importer.Memory
	for i := range n {
		many = append(many, importer.Memory{Content: "In round " + strconv.Itoa(round) + " part " + strconv.Itoa(part) + " buoy " + strconv.Itoa(i) + " reported calm weather.", Consent: "EXPLICIT"})
	}
	out, err := s.client().RememberMany(t.Context(), many)
	if err != nil || len(out) != n {
		t.Fatalf("%d of %d written: %v", len(out), n, err)
	}
}

// body is an export without its first line, which names the store.
func body(export string) string { return export[strings.IndexByte(export, '\n')+1:] }

func exportOf(t *testing.T, s *server) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.client().Export(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return body(b.String())
}

var boundaryPattern = regexp.MustCompile(`boundary is at (\S+)`)

func boundaryOf(t *testing.T, out string) string {
	t.Helper()
	m := boundaryPattern.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no boundary in %q", out)
	}
	return m[1]
}

// restored restores a backup and returns what the new store exports.
func restored(t *testing.T, keys, from, data string, args ...string) string {
	t.Helper()
	out, errs, code := output(t, append([]string{"restore", "--from", from, "--data", data, "--keys", keys, "--seal", "true"}, args...)...)
	if code != 0 {
		t.Fatalf("restore: %s%s", out, errs)
	}
	return stored(t, data, keys)
}

// stored is what the store in a data directory exports.
func stored(t *testing.T, data, keys string) string {
	t.Helper()
	o := instance.Options{Dir: data, Keys: keys, Engine: engine.Options{Logger: slog.New(slog.DiscardHandler)}}
	l, err := ledger.Open(keys, data, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	store, err := instance.OpenStore(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := transfer.Export(t.Context(), store, engine.Loopback().Scope(), "", &b); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return body(b.String())
}

// sameExport compares two exports, without the lines that name a memory and the last one, whose
// digest covers them.
func sameExport(t *testing.T, what, got, want, without string) {
	t.Helper()
	lines := func(export string) (all []string) {
		for line := range strings.Lines(export) {
			if without == "" || !strings.Contains(line, without) && !strings.HasPrefix(line, `{"end":`) {
				all = append(all, line)
			}
		}
		return all
	}
	a, b := lines(got), lines(want)
	if len(b) < 30 {
		t.Fatalf("%s: only %d lines are compared", what, len(b))
	}
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("%s: line %d\n got %.500s\nwant %.500s", what, i, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("%s: %d lines, want %d", what, len(a), len(b))
	}
}

func TestBackupCommandsRefuse(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	if _, errs, code := output(t, "backup", "--addr", s.url, "--to", at("bk")); code != 0 {
		t.Fatalf("backup: %s", errs)
	}
	full := at("full")
	if err := os.MkdirAll(filepath.Join(full, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"restore", "--from", at("bk"), "--keys", at("keys"), "--data", at("new")}, "stop it before a restore"},
		{[]string{"restore", "--from", at("bk"), "--keys", at("keys"), "--data", full}, "is not empty"},
		{[]string{"restore", "--from", at("bk"), "--keys", at("others"), "--data", at("new")}, "has no key for it"},
		{[]string{"restore", "--from", at("none"), "--keys", at("keys"), "--data", at("new")}, "there is no directory"},
		{[]string{"restore", "--from", full, "--keys", at("keys"), "--data", at("new")}, "there is no backup in"},
		{[]string{"restore", "--from", at("bk"), "--keys", at("keys"), "--data", at("new"), "--at", "yesterday"}, "--at must be a time"},
		{[]string{"restore", "--from", at("bk"), "--keys", at("keys"), "--data", at("new"), "--at", "2020-01-01T00:00:00Z"}, "the backup begins at"},
		{[]string{"backup", "--addr", s.url}, "needs --to"},
		{[]string{"backup", "--addr", s.url, "--to", "s3://"}, "must be s3://bucket"},
	} {
		_, errs, code := output(t, c.args...)
		if code == 0 || !strings.Contains(errs, c.want) || strings.Count(errs, "\n") > 2 {
			t.Errorf("%q: exit code %d, %q, want %q", c.args, code, errs, c.want)
		}
	}
	s.stop()
	if _, err := os.Stat(at("new")); err == nil {
		t.Error("a refused restore left a data directory")
	}
}

func TestDoctorFindsDamage(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	if _, errs, code := output(t, "doctor", "--data", at("data"), "--keys", at("keys")); code != 1 || !strings.Contains(errs, "in use by another somnograph") {
		t.Errorf("beside a server: %d %s", code, errs)
	}
	remember2(t, s, 0, 0, 40)
	s.stop()
	keys := at("keys")
	report := func(want int) (r struct {
		Sound    bool
		Checked  struct{ Memories int }
		Findings []struct{ Part, What, Do string }
	}) {
		t.Helper()
		out, errs, code := output(t, "doctor", "--data", at("data"), "--keys", keys, "--json")
		if code != want {
			t.Fatalf("exit code %d: %s%s", code, out, errs)
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := report(0); !r.Sound || r.Checked.Memories != 40 || len(r.Findings) > 0 {
		t.Fatalf("%+v", r)
	}
	keys = t.TempDir()
	if r := report(1); len(r.Findings) != 1 || r.Findings[0].Part != "LEDGER" {
		t.Errorf("with the keys of another server: %+v", r)
	}
	keys = at("keys")
	secrets, err := filepath.Glob(filepath.Join(keys, "*", "secrets", "*"))
	if err != nil || len(secrets) == 0 {
		t.Fatalf("no secrets: %v", err)
	}
	for mode, want := range map[os.FileMode]int{0o644: 1, 0o600: 0} {
		if err := os.Chmod(secrets[0], mode); err != nil {
			t.Fatal(err)
		}
		if r := report(want); want == 1 && (len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Do, "chmod 600")) {
			t.Errorf("mode %o: %+v", mode, r)
		}
	}
	if err := os.Chmod(secrets[0], 0o600); err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(at("data"), "store", "mark")
	if err := os.Truncate(mark, 4100); err != nil { // the first of two copies is whole
		t.Fatal(err)
	}
	for range 2 { // a check changes nothing
		if r := report(0); !r.Sound || len(r.Findings) != 1 || !strings.Contains(r.Findings[0].What, "one of the two copies in "+mark) {
			t.Errorf("half a mark: %+v", r)
		}
	}
	s = start(t, at("data"), "--keys", at("keys"))
	s.stop()
	if r := report(0); len(r.Findings) > 0 {
		t.Errorf("the mark was not written again: %+v", r)
	}
	tables, err := filepath.Glob(filepath.Join(at("data"), "store", "graph", "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	b, err := os.ReadFile(tables[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 4
	if err := os.WriteFile(tables[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := report(1); r.Sound || len(r.Findings) != 1 || !strings.Contains(r.Findings[0].What, "is damaged") || !strings.Contains(r.Findings[0].Do, "restore it from a backup") {
		t.Errorf("%+v", r)
	}
}

func TestExportAsCSV(t *testing.T) {
	s := start(t, t.TempDir())
	gone := remember(t, s.client(), canary)
	id := remember(t, s.client(), "The lane, \"quoted\",\nfloods in spring.")
	if err := s.client().Do(t.Context(), `mutation($i:ForgetInput!){forget(input:$i){__typename}}`, map[string]any{"i": map[string]any{"ids": []string{gone}}}, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	out, errs, code := output(t, "export", "-", "--format", "csv", "--addr", s.url)
	if code != 0 {
		t.Fatal(errs)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	content := slices.Index(rows[0], "content")
	if rows[1][0] != id || rows[1][content] != "The lane, \"quoted\",\nfloods in spring." || rows[1][slices.Index(rows[0], "status")] != "ACTIVE" {
		t.Errorf("%q", rows[1])
	}
	path := filepath.Join(t.TempDir(), "memories.csv")
	for _, want := range []int{0, 1} { // a file is not replaced
		if out, errs, code = output(t, "export", path, "--format", "csv", "--addr", s.url); code != want {
			t.Errorf("exit code %d: %s%s", code, out, errs)
		}
	}
	if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), "walnut") {
		t.Errorf("%q, %v", b, err)
	}
	if _, _, code := output(t, "export", path, "--format", "xml", "--addr", s.url); code != 2 {
		t.Errorf("a wrong format has exit code %d", code)
	}
}

// Intervals out of range are refused before the server is asked, with the name of the flag.
func TestBackupIntervals(t *testing.T) {
	for _, c := range []struct{ flag, value, want string }{
		{"every", "0s", "--every must be 1s to 1h (got 0s)"},
		{"every", "-5s", "--every must be 1s to 1h (got -5s)"},
		{"every", "500ms", "--every must be 1s to 1h (got 500ms)"},
		{"every", "2h", "--every must be 1s to 1h (got 2h0m0s)"},
		{"full-every", "0s", "--full-every must be 1m to 2160h (got 0s)"},
		{"full-every", "-1h", "--full-every must be 1m to 2160h (got -1h0m0s)"},
		{"keep", "-3", "--keep must be 0 (all) to 10000 (got -3)"},
	} {
		_, errs, code := output(t, "backup", "--addr", "127.0.0.1:1", "--to", t.TempDir(), "--"+c.flag, c.value)
		if code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("--%s %s: code %d, %s", c.flag, c.value, code, errs)
		}
	}
	if _, errs, code := output(t, "backup", "--addr", "127.0.0.1:1", "--to", t.TempDir(), "--every", "1h"); code == exitUsage || !strings.Contains(errs, "no server answers") {
		t.Errorf("--every 1h: code %d, %s", code, errs)
	}
}
