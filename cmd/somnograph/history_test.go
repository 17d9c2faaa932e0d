package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/histories"
)

const historyFiles = "internal/histories/testdata/"

// heard is a memory as the tests read it back.
type heard struct {
	ID, Content, OccurredAt, RecordedAt, SourceKind, Consent string
	User, Agent, Session, Source, Status                     *string
	ValidTo                                                  *string
	Tier                                                     string
	ToolCalls                                                []struct {
		Name      string
		Arguments any
		Result    *string
	}
}

// all reads all memories of a server.
func (s *server) all() (memories []heard) {
	s.t.Helper()
	c, after := s.client(), ""
	for {
		var out struct {
			Memories struct {
				Nodes    []heard
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		err := c.Do(s.t.Context(), `query($after:String){memories(first:500,after:$after,filter:{statuses:[ACTIVE,SUPERSEDED,CONSOLIDATED,ARCHIVED,EXPIRED]}){nodes{id content occurredAt recordedAt sourceKind consent user agent session source status validTo tier
			toolCalls{name arguments result}} pageInfo{hasNextPage endCursor}}}`, map[string]any{"after": nullText(after)}, &out)
		if err != nil {
			s.t.Fatal(err)
		}
		memories = append(memories, out.Memories.Nodes...)
		if !out.Memories.PageInfo.HasNextPage {
			return memories
		}
		after = *out.Memories.PageInfo.EndCursor
	}
}

func nullText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Every format is imported by one command without a word on what it is; the times are those of the
// export, a second run writes nothing, and no text is in the log.
func TestImportOfHistories(t *testing.T) { importHistories(t) }

func TestImportOfHistoriesOverDgraph(t *testing.T) {
	importHistories(t, "--store", "dgraph", "--dgraph", startDgraph(t).Addr)
}

func importHistories(t *testing.T, over ...string) {
	s := start(t, t.TempDir(), append(over, "--log-level", "debug")...)
	for _, format := range histories.Formats() {
		before := len(s.all())
		args := []string{"import", "--addr", s.url, "--user", "ines", "--restart", historyFiles + format}
		if format == "slack" {
			args = append(args, "--me", "ines@harbour.example")
		}
		out, errs, _ := output(t, args...)
		imported := regexp.MustCompile(`(?m)^(\d+) imported`).FindStringSubmatch(out)
		if !strings.HasPrefix(out, format+": ") || imported == nil || imported[1] == "0" {
			t.Fatalf("%s: %s%s", format, out, errs)
		}
		if n := len(s.all()) - before; strconv.Itoa(n) != imported[1] {
			t.Errorf("%s: %s imported, %d there", format, imported[1], n)
		}
		again, errs, _ := output(t, args...)
		if !strings.Contains(again, "\n0 imported, "+imported[1]+" already there") || len(s.all()) != before+mustInt(t, imported[1]) {
			t.Errorf("%s again: %s%s", format, again, errs)
		}
	}
	var first, bram, calls int
	for _, m := range s.all() {
		switch {
		case m.Content == "My boat is called Petrel. Which grease is right for its winch?":
			first++
			if m.OccurredAt != "2023-11-14T22:13:21.500Z" || m.RecordedAt < "2026" || m.Tier == "L0" || *m.User != "ines" || m.Consent != "IMPLICIT" || m.SourceKind != "USER" {
				t.Errorf("%+v", m)
			}
		case strings.Contains(m.Content, "moved to Bergen"):
			bram++
			if m.Content != "Bram Vik: I moved to Bergen." || m.Agent == nil || *m.Agent != "Bram Vik" {
				t.Errorf("%+v", m)
			}
		case m.Content == "Ines lives in Oslo":
			if m.ValidTo == nil || *m.ValidTo != "2025-03-01T00:00:00.000Z" || m.OccurredAt != "2024-01-01T00:00:00.000Z" || m.SourceKind != "EXTRACTION" {
				t.Errorf("%+v", m)
			}
		}
		calls += len(m.ToolCalls)
	}
	if first != 1 || bram != 1 || calls < 6 {
		t.Errorf("%d, %d, %d calls of tools", first, bram, calls)
	}
	hits, errs, code := output(t, "search", "--addr", s.url, "--user", "ines", "-k", "3", "which grease for the winch")
	if code != 0 || !strings.Contains(hits, "lithium grease") || !strings.Contains(hits, "2023-11-14") {
		t.Errorf("the search: %s%s", hits, errs)
	}
	var closed struct {
		CloseSession struct{ StartedAt, EndedAt string }
	}
	err := s.client().Do(t.Context(), `mutation{closeSession(session:"c0ffee00-0000-4000-8000-000000000001"){startedAt endedAt}}`, nil, &closed)
	if err != nil || closed.CloseSession.StartedAt != "2023-11-14T22:13:21.500Z" || closed.CloseSession.EndedAt != "2023-11-14T22:14:20.000Z" {
		t.Errorf("the session: %+v, %v", closed, err)
	}
	s.stop()
	for _, secret := range []string{"Petrel", "lithium", "crane", "Biscuit", "port 8420", "tea before noon"} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("%q is in the log", secret)
		}
	}
}

func mustInt(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A dry run needs no server and says what there is; a range of time and wrong flags are said.
func TestDryRunOfAnImport(t *testing.T) {
	out, errs, code := output(t, "import", "--dry-run", "--addr", "127.0.0.1:1", historyFiles+"chatgpt/conversations.json")
	if code != 1 || out != "chatgpt: 2 conversations, 5 turns (3 user, 1 assistant, 1 tool), 2 calls of tools, from 2023-11-14 to 2024-03-09\n"+
		"dry run: nothing was written; 0 outside the time range, 2 would be refused\n" || !strings.Contains(errs, "conversation 2: ") || strings.Contains(errs, "broken") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	out, errs, code = output(t, "import", "--dry-run", "--addr", "127.0.0.1:1", "--since", "2025-05-01", "--until", "2025-05-01T08:01:00Z", historyFiles+"claude")
	if !strings.Contains(out, "1 conversation, 2 turns (1 user, 1 assistant)") || !strings.Contains(out, "2 outside the time range") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--from", "myspace", historyFiles + "claude"}, "--from must be"},
		{[]string{"--since", "yesterday", "--dry-run", historyFiles + "claude"}, "--since must be a day"},
		{[]string{"--me", "nobody", "--dry-run", historyFiles + "slack"}, "Ines Holm (U01), Bram Vik (U02)"},
		{[]string{"--user", "ines", "history_test.go"}, "not recognised"},
		{[]string{"--namespace", "a b", "--dry-run", historyFiles + "claude"}, "--namespace must be"},
		{[]string{"--consent", "maybe", historyFiles + "claude"}, "--consent must be"},
	} {
		out, errs, code := output(t, append([]string{"import", "--addr", "127.0.0.1:1"}, c.args...)...)
		if code != 2 || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%v: exit code %d: %s%s", c.args, code, out, errs)
		}
	}
	for _, c := range [][3]string{
		{"zep", historyFiles + "mem0", "it looks like --from mem0"},
		{"slack", historyFiles + "chatgpt/conversations.json", "it looks like --from chatgpt"},
		{"slack", "history_test.go", "holds nothing in the format slack"},
	} {
		if out, errs, code := output(t, "import", "--dry-run", "--from", c[0], c[1]); code != 1 || out != "" || !strings.Contains(errs, c[2]) {
			t.Errorf("%s as %s: exit code %d: %s%s", c[1], c[0], code, out, errs)
		}
	}
	empty := filepath.Join(t.TempDir(), "conversations.json")
	if err := os.WriteFile(empty, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := output(t, "import", "--dry-run", "--from", "chatgpt", empty); code == 0 && !strings.Contains(out, "nothing") {
		t.Errorf("an account without conversations: exit code %d: %s%s", code, out, errs)
	}
	if _, errs, code := output(t, "import", "--addr", "127.0.0.1:1", historyFiles+"claude"); code != 1 || !strings.Contains(errs, "no server answers") {
		t.Errorf("without a server: exit code %d: %s", code, errs)
	}
}

// A data directory that no server has open is served by the import itself.
func TestImportIntoADataDirectory(t *testing.T) {
	dir := t.TempDir()
	for _, want := range []string{"\n4 imported", "\n0 imported, 4 already there"} {
		if out, errs, _ := output(t, "import", "--data", dir, "--restart", historyFiles+"claude"); !strings.Contains(out, want) {
			t.Fatalf("%s%s", out, errs)
		}
	}
	s := start(t, dir)
	if n := len(s.all()); n != 4 {
		t.Errorf("%d turns", n)
	}
	if out, errs, _ := output(t, "import", "--data", dir, "--restart", historyFiles+"claude"); !strings.Contains(out, "\n0 imported, 4 already there") {
		t.Errorf("through the server that has it open: %s%s", out, errs)
	}
	s.stop()
}

// writeChatGPT writes an export of at least so many bytes about made-up people. Each conversation has 20
// turns; the rest of its bytes, up to padding words a turn, are what an export has around them. It returns the
// number of turns.
func writeChatGPT(t testing.TB, path string, bytes int64, about string, padding int) (turns int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriterSize(f, 1<<20)
	rnd := rand.New(rand.NewPCG(7, 7))
	people := []string{"Ines", "Bram", "Odile", "Tomas", "Petra", "Yusuf"}
	things := []string{"winch", "rudder", "ledger", "kiln", "orchard", "bicycle", "telescope", "ferry", "bakery", "archive"}
	verbs := []string{"repaired", "sold", "painted", "measured", "borrowed", "photographed"}
	written := int64(0)
	put := func(format string, args ...any) {
		n, err := fmt.Fprintf(out, format, args...)
		if err != nil {
			t.Fatal(err)
		}
		written += int64(n)
	}
	put("[")
	for c := 0; written < bytes; c++ {
		if c > 0 {
			put(",")
		}
		began := 1_650_000_000 + int64(c)*3600
		put(`{"title":"Talk %d","create_time":%d,"conversation_id":"%s-%d","current_node":"m19","moderation_results":[],"mapping":{"root":{"id":"root","parent":null,"message":null}`, c, began, about, c)
		parent := "root"
		for i := range 20 {
			role, text := "user", fmt.Sprintf("In talk %d, %s %s the %s number %d, and it took %d days.", c, people[rnd.IntN(6)], verbs[rnd.IntN(6)], things[rnd.IntN(10)], rnd.IntN(5000), rnd.IntN(90))
			if i%2 == 1 {
				role, text = "assistant", fmt.Sprintf("Noted for talk %d: the %s, %d.", c, things[rnd.IntN(10)], rnd.IntN(5000))
			}
			put(`,"m%d":{"id":"m%d","parent":%q,"children":[],"message":{"id":"m%d","author":{"role":%q},"create_time":%d,"content":{"content_type":"text","parts":[%q]},"recipient":"all","metadata":{"citations":[],"padding":%q}}}`,
				i, i, parent, i, role, began+int64(i)*10, text, strings.Repeat("metadata ", 2+rnd.IntN(padding)))
			parent = fmt.Sprintf("m%d", i)
			turns++
		}
		put("}}")
	}
	put("]")
	if err := errors.Join(out.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return turns
}

// An import that is killed, and then the server, is continued by the same command: nothing is lost and
// nothing is there twice.
func TestKilledImportIsContinued(t *testing.T) {
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "conversations.json")
	turns := writeChatGPT(t, path, 1<<20, "kill", 100)
	s := start(t, dir)
	cache := t.TempDir()
	args := func() []string { return []string{"import", "--addr", s.url, "--user", "ines", path} }
	run := func() *exec.Cmd {
		cmd := command(t, args()...)
		cmd.Env = append(slices.DeleteFunc(cmd.Environ(), func(v string) bool { return strings.HasPrefix(v, "XDG_CACHE_HOME=") }), "XDG_CACHE_HOME="+cache)
		return cmd
	}
	for _, victim := range []string{"import", "server"} {
		cmd := run()
		cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
		before := s.count()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for s.count() <= before { // until something is written
			if err := t.Context().Err(); err != nil {
				t.Fatal(err)
			}
		}
		if victim == "import" {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		} else {
			s.signal(syscall.SIGKILL)
			<-s.done
		}
		_ = cmd.Wait() // it failed
		if victim == "server" {
			s = start(t, dir)
		}
	}
	if n := s.count(); n == 0 || n >= turns {
		t.Fatalf("%d of %d turns were written before the kills", n, turns)
	}
	cmd := run()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := map[string]int{}
	for _, m := range s.all() {
		seen[*m.Session+m.OccurredAt+m.SourceKind]++
	}
	if n := len(s.all()); len(seen) != turns || n != turns {
		t.Errorf("%d different turns and %d in all, want %d\n%s", len(seen), n, turns, out)
	}
	s.stop()
}

// count is the number of ACTIVE memories of a server.
func (s *server) count() int {
	s.t.Helper()
	var out struct{ Health struct{ Memories int } }
	if err := s.client().Do(context.Background(), `{health{memories}}`, nil, &out); err != nil {
		s.t.Fatal(err)
	}
	return out.Health.Memories
}

// peakOf follows the peak of the resident memory of a process, in bytes, until the function that it returns is
// called. The usage that Wait reports is no measure of it: it begins with the peak of the process that started it.
func peakOf(pid int) func() int64 {
	var peak int64
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		poll := time.NewTicker(20 * time.Millisecond)
		defer poll.Stop()
		for {
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
				kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
				peak = max(peak, kib<<10)
			}
			select {
			case <-quit:
				return
			case <-poll.C:
			}
		}
	}()
	return func() int64 { close(quit); <-done; return peak }
}

// TestLargeHistory imports an export of LARGE_HISTORY bytes in at most 100 MB of memory: killed in
// the middle, continued, and once more, which writes nothing.
func TestLargeHistory(t *testing.T) {
	size, err := strconv.ParseInt(os.Getenv("LARGE_HISTORY"), 10, 64)
	if err != nil {
		t.Skip("runs only where LARGE_HISTORY is a number of bytes, as 209715200")
	}
	const most = 100 << 20
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "conversations.json")
	turns := writeChatGPT(t, path, size, "large", 1800)
	s := start(t, dir)
	var peaks []string
	run := func(stopAt int, args ...string) string {
		t.Helper()
		cmd := command(t, append([]string{"import", "--addr", s.url, "--user", "ines", path}, args...)...)
		out, errs := &lockedBuffer{}, &lockedBuffer{}
		cmd.Stdout, cmd.Stderr = out, errs
		began := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		peak := peakOf(cmd.Process.Pid)
		if stopAt > 0 {
			poll := time.NewTicker(100 * time.Millisecond)
			defer poll.Stop()
			for s.count() < stopAt {
				<-poll.C
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		err := cmd.Wait()
		if stopAt == 0 && err != nil {
			t.Fatalf("%v\n%s%s", err, out, errs)
		}
		took := peak()
		if peaks = append(peaks, fmt.Sprintf("%d MB, %.0f s", took>>20, time.Since(began).Seconds())); took == 0 || took > most {
			t.Errorf("the import took %d MB", took>>20)
		}
		return out.String()
	}
	run(0, "--dry-run")
	run(turns / 2)
	first := run(0)
	second := run(0, "--restart")
	if !strings.Contains(second, fmt.Sprintf("\n0 imported, %d already there", turns)) {
		t.Errorf("once more: %s", second)
	}
	wrong, seen := 0, map[string]bool{}
	memories := s.all()
	for _, m := range memories {
		seen[*m.Session+m.OccurredAt+m.SourceKind] = true
		var talk int
		if _, err := fmt.Sscanf(*m.Session, "large-%d", &talk); err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, m.OccurredAt)
		if since := at.Unix() - (1_650_000_000 + int64(talk)*3600); err != nil || since < 0 || since > 190 {
			wrong++
		}
	}
	if len(memories) != turns || len(seen) != turns {
		t.Errorf("%d memories, %d different, for %d turns", len(memories), len(seen), turns)
	}
	if wrong > 0 {
		t.Errorf("%d of %d turns have another time", wrong, turns)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB, %d turns; peak memory and time of a dry run, until killed, continued, once more: %s\n%s", info.Size()>>20, turns, strings.Join(peaks, "; "), first)
	s.stop()
}
