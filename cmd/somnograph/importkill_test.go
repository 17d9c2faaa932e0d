package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// killer stands between an import and the server at a constant address, and kills the server at a chosen
// step of one request.
type killer struct {
	*httptest.Server

	mu     sync.Mutex
	server *victim
	left   int             // requests with content before the kill; below 0: there is none
	kill   func(r *step)   // what happens to the request then
	acked  map[string]bool // ids of memories in answers that the import was given
}

// step is a request during which the server is killed.
type step struct {
	k *killer
	r *http.Request
	n int64 // bytes of the body
}

// memoryID is an id in an answer or an export.
var memoryID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// claimedFrom is when a claim was written.
var claimedFrom = regexp.MustCompile(`"From":"[^"]*"`)

func newKiller(t *testing.T) *killer {
	k := &killer{left: -1, acked: map[string]bool{}}
	k.Server = httptest.NewServer(http.HandlerFunc(k.serve))
	t.Cleanup(k.Close)
	return k
}

// victim is a server that is killed once.
type victim struct {
	*server
	once sync.Once
}

// kill kills the server, and returns when it has ended.
func (v *victim) kill() {
	v.once.Do(func() {
		v.signal(syscall.SIGKILL)
		<-v.done
	})
}

// start starts the server that requests go to.
func (k *killer) start(t *testing.T, dir string) {
	t.Helper()
	k.server = &victim{server: start(t, dir)}
}

func (k *killer) serve(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock() // an import sends one request after another
	to, err := url.Parse(k.server.url)
	if err != nil {
		panic(err)
	}
	writes := r.Method == http.MethodPost && r.ContentLength != 0 && (r.URL.Path == "/import" || r.ContentLength > 4096)
	if writes {
		k.left--
	}
	proxy := &httputil.ReverseProxy{
		Rewrite:      func(p *httputil.ProxyRequest) { p.SetURL(to) },
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	if writes && k.left == -1 {
		k.kill(&step{k, r, r.ContentLength})
	}
	var answer []byte
	proxy.ModifyResponse = func(answered *http.Response) error {
		if answered.Request.URL.Path != "/graphql" {
			return nil
		}
		b, err := io.ReadAll(answered.Body)
		if err != nil {
			return err
		}
		answer, answered.Body = b, io.NopCloser(strings.NewReader(string(b)))
		return nil
	}
	proxy.ServeHTTP(w, r)
	if writes {
		for _, id := range memoryID.FindAllString(string(answer), -1) {
			k.acked[id] = true
		}
	}
}

// killingBody kills the server once some bytes of the body have been read.
type killingBody struct {
	io.ReadCloser
	left int64
	kill func()
}

func (b *killingBody) Read(p []byte) (int, error) {
	if b.left <= 0 && b.kill != nil {
		b.kill()
		b.kill = nil
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), max(b.left, 1), 16<<10)])
	b.left -= int64(n)
	return n, err
}

// inBody kills the server when a share of the body has been sent to it.
func inBody(share float64) func(*step) {
	return func(x *step) {
		size := x.n
		if size < 0 { // its length is not known
			size = 3 << 20
		}
		x.r.Body = &killingBody{x.r.Body, int64(share * float64(size)), x.k.server.kill}
	}
}

// afterBody kills the server some time after the whole body has been sent: while it writes, or when it has.
func afterBody(d time.Duration) func(*step) {
	return func(x *step) { time.AfterFunc(d, x.k.server.kill) } // of this server, not of a later one
}

// asImported are the memories of an export without what differs between two imports of the same file: ids,
// the times at which this server learned of them, and what was scored by its neighbours at that moment.
func asImported(t *testing.T, export string) (all []string, ids map[string]bool) {
	t.Helper()
	ids = map[string]bool{}
	for line := range strings.Lines(export) {
		var l struct {
			Memory *struct {
				ID, Namespace, User, Agent, Session, Project, ExternalID, Type, Content, Subject, Predicate, Object, EmbeddingModel string
				Sensitivity, Consent, SourceKind, Source, Vector, Meta                                                              string
				Tags                                                                                                                []string
				Entities, Claims, ToolCalls                                                                                         []json.RawMessage
				OccurredAt, ExpiresAt                                                                                               time.Time
				Version                                                                                                             int
				SafetyCritical, Important                                                                                           bool
				History                                                                                                             []struct{ Status string }
			}
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Memory == nil {
			continue
		}
		ids[l.Memory.ID] = true
		l.Memory.ID, l.Memory.History = "", l.Memory.History[len(l.Memory.History)-1:] // the state now
		text, err := json.Marshal(l.Memory)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, claimedFrom.ReplaceAllString(memoryID.ReplaceAllString(string(text), "id"), `"From":""`))
	}
	slices.Sort(all)
	return all, ids
}

// importLines writes a file with memories and conversations, and with what is said twice.
func importLines(t *testing.T, path string) {
	t.Helper()
	var b strings.Builder
	put := func(v any) {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	at := time.Date(2026, 1, 12, 8, 0, 0, 0, time.UTC)
	for i := range 1100 {
		put(map[string]any{
			"content": fmt.Sprintf("Buoy %d is moored at %d metres and blinks every %d seconds.", i, 5+i%40, 2+i%9), "consent": "EXPLICIT", "onDuplicate": "INSERT",
			"occurredAt": at.Add(time.Duration(i) * time.Minute), "tags": []string{"buoy"}, "externalId": fmt.Sprintf("buoy-%d", i),
		})
		if i%100 == 0 {
			var turns []map[string]any
			for n := range 6 {
				turns = append(turns, map[string]any{"key": fmt.Sprint(n), "session": fmt.Sprint("watch ", i), "speaker": "Ines", "text": fmt.Sprintf("Turn %d of watch %d: the winch sticks.", n, i), "at": at.Add(time.Duration(i+n) * time.Minute)})
			}
			put(map[string]any{"id": fmt.Sprintf("call-%d", i), "turns": turns})
		}
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A server is killed again and again beside an import of lines, of a chat history and of an export: before a
// batch has arrived, within it, while it is written and after it. Each time the same command goes on, nothing
// that was acknowledged is lost, and in the end the store has what that of an import without a kill has.
func TestAKilledImportEqualsItsTwin(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	steps := 3 // of each import; make verify has all
	if n, err := strconv.Atoi(os.Getenv("IMPORT_KILLS")); err == nil {
		steps = n
	}
	p := newPlace(t)
	importLines(t, p.at("lines.ndjson"))
	writeChatGPT(t, p.at("conversations.json"), 600<<10, "twin", 10)
	source := start(t, p.at("source"))
	if out, errs, code := output(t, "import", p.at("lines.ndjson"), "--addr", source.url); code != exitOK {
		t.Fatalf("%s%s", out, errs)
	}
	exportFrom(t, source, p.at("export.ndjson"))
	source.stop()
	type kill struct {
		request int // of the import, from 0
		how     func(*step)
	}
	ofBatches := []kill{
		{0, inBody(0.6)}, {0, afterBody(60 * time.Millisecond)}, {1, inBody(0.3)}, {0, inBody(0)}, {0, afterBody(5 * time.Millisecond)}, {0, afterBody(250 * time.Millisecond)},
		{1, afterBody(20 * time.Millisecond)}, {0, afterBody(120 * time.Millisecond)},
	}
	ofExports := []kill{
		{0, inBody(0.3)}, {0, inBody(0.9)}, {0, afterBody(300 * time.Millisecond)}, {0, inBody(0)}, {0, inBody(0.1)}, {0, inBody(0.6)}, {0, afterBody(30 * time.Millisecond)},
	}
	for _, c := range []struct {
		name  string
		args  []string
		kills []kill
	}{
		{"lines", []string{p.at("lines.ndjson")}, ofBatches},
		{"history", []string{"--user", "ines", p.at("conversations.json")}, ofBatches},
		{"export", []string{p.at("export.ndjson")}, ofExports},
	} {
		t.Run(c.name, func(t *testing.T) {
			twin := start(t, t.TempDir())
			if out, errs, code := output(t, append([]string{"import", "--addr", twin.url}, c.args...)...); code != exitOK {
				t.Fatalf("%s%s", out, errs)
			}
			want, ofTwin := asImported(t, exportOf(t, twin))
			twin.stop()

			dir, cache, k := t.TempDir(), t.TempDir(), newKiller(t)
			args := append([]string{"import", "--addr", k.URL}, c.args...)
			run := func() (string, int) {
				cmd := command(t, args...)
				cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+cache)
				out, _ := cmd.CombinedOutput() // its code says it
				return string(out), cmd.ProcessState.ExitCode()
			}
			killed, complete := 0, false
			kills := c.kills[:min(steps, len(c.kills))]
			for n, x := range kills { // each is beside what the ones before have left
				k.start(t, dir)
				k.left, k.kill = x.request, x.how
				out, code := run()
				k.server.kill()
				if complete = code == exitOK; complete { // it was faster
					break
				}
				killed++
				if strings.Contains(out, "refused") {
					t.Fatalf("kill %d: %s", n, out)
				}
				k.start(t, dir)
				_, ids := asImported(t, exportOf(t, k.server.server))
				complete = len(ids) == len(want) // the end came before the answer
				for id := range k.acked {
					if !ids[id] {
						t.Fatalf("kill %d: %s was acknowledged and is lost", n, id)
					}
				}
				t.Logf("kill %d: %d of %d memories, %d acknowledged", n, len(ids), len(want), len(k.acked))
				k.server.kill()
			}
			if killed < len(kills)/2 {
				t.Errorf("only %d kills", killed)
			}
			k.start(t, dir)
			k.left = -1
			if out, code := run(); code != exitOK && !(complete && strings.Contains(out, "not empty")) {
				t.Fatalf("the end: %s", out)
			}
			got, ids := asImported(t, exportOf(t, k.server.server))
			if len(got) != len(want) {
				t.Errorf("%d memories, and %d without a kill", len(got), len(want))
			}
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("%s\nand without a kill\n%s", got[i], want[i])
				}
			}
			if c.name == "export" && !maps.Equal(ids, ofTwin) {
				t.Error("the ids are not those of the export")
			}
			k.server.stop()
		})
	}
}
