package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
)

// recoveryPoint is how much of what was acknowledged a backup may lack after a kill.
const recoveryPoint = 10 * time.Second

// write is a memory whose write was acknowledged.
type write struct {
	content string
	acked   time.Time
}

// writes is the twin of a store: what was sent to it, and what it acknowledged.
type writes struct {
	mu    sync.Mutex
	sent  map[string]time.Time // by content
	acked map[string]write     // by id
	times []time.Time          // of the acknowledgements, ascending
}

func newWrites() *writes { return &writes{sent: map[string]time.Time{}, acked: map[string]write{}} }

func (x *writes) send(content string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sent[content] = time.Now()
}

// acknowledge notes an acknowledgement and returns the times of all.
func (x *writes) acknowledge(id, content string) []time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	now := time.Now()
	x.acked[id], x.times = write{content, now}, append(x.times, now)
	return x.times
}

// until writes from several clients until enough says so, and kills the server then. It returns when.
func (x *writes) until(t *testing.T, s *server, round int, enough func(acked []time.Time) bool) (killed time.Time) {
	t.Helper()
	var wg sync.WaitGroup
	var once sync.Once
	c := s.client()
	for w := range killWriters {
		wg.Go(func() {
			for i := 0; ; i++ {
				content := fmt.Sprintf("Round %d, writer %d wrote line %d about the weather at buoy %d.", round, w, i, i*killWriters+w)
				x.send(content)
				out, err := c.RememberMany(context.Background(), []importer.Memory{{Content: content, Consent: "EXPLICIT", OnDuplicate: "INSERT"}})
				if err != nil || len(out) != 1 || out[0].Err != nil {
					return // the server is gone
				}
				if enough(x.acknowledge(out[0].ID, content)) {
					once.Do(func() {
						killed = time.Now()
						s.signal(syscall.SIGKILL)
					})
				}
			}
		})
	}
	wg.Wait()
	<-s.done
	return killed
}

// contents are the contents of the memories of an export, by id.
func contents(t *testing.T, export string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for line := range strings.Lines(export) {
		var l struct{ Memory *struct{ ID, Content string } }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Memory != nil {
			all[l.Memory.ID] = l.Memory.Content
		}
	}
	return all
}

// has fails the test unless a store has every write that was acknowledged before an instant, and returns
// how many these are.
func (x *writes) has(t *testing.T, what string, stored map[string]string, before time.Time) (n int) {
	t.Helper()
	for id, w := range x.acked {
		if !w.acked.Before(before) {
			continue
		}
		n++
		switch got, found := stored[id]; {
		case !found:
			t.Fatalf("%s: %s was acknowledged at %s and is lost", what, id, w.acked.Format(time.RFC3339Nano))
		case got != w.content:
			t.Fatalf("%s: %s was acknowledged as %q and says %q", what, id, w.content, got)
		}
	}
	return n
}

// hasPrefix fails the test unless a store has a prefix of the writes: all that were acknowledged before the
// last one that it has was sent. Other content was not written by these writers.
func (x *writes) hasPrefix(t *testing.T, what string, stored map[string]string) {
	t.Helper()
	var last time.Time
	for _, content := range stored {
		if sent := x.sent[content]; sent.After(last) {
			last = sent
		}
	}
	n := x.has(t, what, stored, last)
	t.Logf("%s: %d of %d writes", what, n, len(x.acked))
}

// copied copies a directory, as it is at this instant.
func copied(t *testing.T, from, to string) string {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// importing is an import of lines by the command, beside other writes.
type importing struct {
	path  string
	lines int
}

const importedLine = "The harbour log of day %d names %d ships at the quay."

// newImporting writes the file of an import and notes its lines as sent.
func (x *writes) newImporting(t *testing.T, dir string, lines int) importing {
	t.Helper()
	var b strings.Builder
	for i := range lines {
		content := fmt.Sprintf(importedLine, i, i*7)
		x.send(content)
		line, err := json.Marshal(map[string]string{"content": content, "consent": "EXPLICIT", "onDuplicate": "INSERT"})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	path := filepath.Join(dir, "lines.ndjson")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return importing{path, lines}
}

// beside starts the import. The function it returns ends it, after the server was killed.
func (x importing) beside(t *testing.T, s *server) (end func()) {
	t.Helper()
	cmd := command(t, "import", x.path, "--addr", s.url)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		_ = cmd.Process.Kill() // it can't go on without the server
		_ = cmd.Wait()
	}
}

// goesOn runs the import again, to its end.
func (x importing) goesOn(t *testing.T, s *server) {
	t.Helper()
	if out, errs, code := output(t, "import", x.path, "--addr", s.url); code != exitOK {
		t.Fatalf("import: %s%s", out, errs)
	}
}

// once fails the test unless every line was imported once.
func (x importing) once(t *testing.T, stored map[string]string) {
	t.Helper()
	found := map[string]int{}
	for _, content := range stored {
		found[content]++
	}
	for i := range x.lines {
		if content := fmt.Sprintf(importedLine, i, i*7); found[content] != 1 {
			t.Fatalf("%q is there %d times", content, found[content])
		}
	}
}

// A backup with the default interval, copied at the instant of a kill, has every write that was
// acknowledged more than ten seconds before, and nothing that was not sent. The restarted server has
// all that was acknowledged, and so has its backup.
func TestABackupLacksAtMostTenSeconds(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	p := newPlace(t)
	args := []string{"--keys", p.at("keys"), "--backup-to", p.at("bk")}
	s := start(t, p.at("data"), args...)
	twin := newWrites()
	lines := twin.newImporting(t, p.base, 500)
	end := lines.beside(t, s)
	const more = 100 // writes that are older than the recovery point
	killed := twin.until(t, s, 0, func(acked []time.Time) bool {
		return len(acked) > more && acked[len(acked)-1].Sub(acked[more]) > recoveryPoint
	})
	bk := copied(t, p.at("bk"), p.at("copy"))
	end()

	got := contents(t, restored(t, p.at("keys"), bk, p.at("restored")))
	if n := twin.has(t, "at the kill", got, killed.Add(-recoveryPoint)); n < more {
		t.Errorf("only %d of %d writes were acknowledged %v before the kill", n, len(twin.acked), recoveryPoint)
	} else {
		t.Logf("%d writes acknowledged, %d of them %v before the kill; the copy has %d memories", len(twin.acked), n, recoveryPoint, len(got))
	}
	for id, content := range got {
		if twin.sent[content].IsZero() {
			t.Fatalf("%s says %q, which nobody sent", id, content)
		}
	}
	s = start(t, p.at("data"), args...)
	lines.goesOn(t, s)
	s.stop()
	for what, export := range map[string]string{"the store": stored(t, p.at("data"), p.at("keys")), "its backup": restored(t, p.at("keys"), p.at("bk"), p.at("end"))} {
		all := contents(t, export)
		twin.has(t, what, all, killed.Add(time.Hour))
		lines.once(t, all)
	}
}

// A server is killed beside its backup while it imports an export (POST /import). A copy of the backup has
// nothing that the export lacks. The import goes on after the restart, and the end of the backup equals the
// store, which has the whole export.
func TestABackupBesideAnImportThatIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	p := newPlace(t)
	source := start(t, p.at("source"), "--keys", p.at("source-keys"))
	for part := range 40 {
		remember2(t, source, 0, part, 50)
	}
	twin := contents(t, exportFrom(t, source, p.at("export")))
	source.stop()
	args := []string{"--keys", p.at("keys"), "--backup-to", p.at("bk"), "--backup-every", "1s"}
	s := start(t, p.at("data"), args...)
	cmd := command(t, "import", p.at("export"), "--addr", s.url)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	segments := func() int {
		found, err := filepath.Glob(p.at("bk/*/*.seg"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	first := slices.Min(slices.Collect(maps.Keys(twin)))
	for c, before := s.client(), 0; before == 0 || segments() == before; { // until a segment has been written beside it
		known, err := c.Knows(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		if known && before == 0 {
			before = segments()
		}
	}
	s.signal(syscall.SIGKILL)
	<-s.done
	bk := copied(t, p.at("bk"), p.at("copy"))
	_ = cmd.Process.Kill() // it can't go on without the server, if it has not ended
	<-ended
	got := contents(t, restored(t, p.at("keys"), bk, p.at("restored")))
	for id, content := range got {
		if twin[id] != content {
			t.Fatalf("%s says %q, and %q in the export", id, content, twin[id])
		}
	}
	t.Logf("the copy has %d of %d memories", len(got), len(twin))
	s = start(t, p.at("data"), args...)
	if out, errs, code := output(t, "import", p.at("export"), "--addr", s.url); code != exitOK && !strings.Contains(errs, "not empty") { // it was complete
		t.Fatalf("code %d: %s%s", code, out, errs)
	}
	s.stop()
	want := stored(t, p.at("data"), p.at("keys"))
	if all := contents(t, want); !maps.Equal(all, twin) {
		t.Errorf("the store has %d memories, and the export %d, or they differ", len(all), len(twin))
	}
	sameExport(t, "the end", restored(t, p.at("keys"), p.at("bk"), p.at("end")), want, "")
}

// A server knows the backups that commands go on with: one that was killed still counts, one that a person
// has interrupted or given up does not.
func TestTheServerKnowsWhichBackupsGoOn(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	going := func() map[string]time.Duration {
		known := map[string]time.Duration{}
		b, err := os.ReadFile(p.at("data/backup-watch.json"))
		if errors.Is(err, fs.ErrNotExist) {
			return known
		}
		if err = errors.Join(err, json.Unmarshal(b, &known)); err != nil {
			t.Fatal(err)
		}
		return known
	}
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	if n := len(going()); n != 0 {
		t.Errorf("a backup that is made once goes on: %d", n)
	}
	for _, x := range []struct {
		signal syscall.Signal
		left   int
	}{{syscall.SIGINT, 0}, {syscall.SIGTERM, 1}, {syscall.SIGKILL, 1}} {
		cmd := command(t, "backup", "--addr", s.url, "--to", p.at("bk"), "--every", "2s")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for len(going()) == 0 {
			select {
			case err := <-ended:
				t.Fatalf("it ended: %v", err)
			default:
			}
		}
		if err := cmd.Process.Signal(x.signal); err != nil {
			t.Fatal(err)
		}
		<-ended
		if n := len(going()); n != x.left {
			t.Errorf("after %v %d backups go on, want %d", x.signal, n, x.left)
		}
		p.succeeds("backup", "--addr", s.url, "--end")
		if n := len(going()); n != 0 {
			t.Errorf("given up: %d backups go on", n)
		}
	}
	s.stop()
}
