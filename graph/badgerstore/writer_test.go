package badgerstore_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// childDir names the directory that a child process writes to until it is killed.
const childDir = "BADGERSTORE_TEST_CHILD_DIR"

var scope = graph.Scope{Tenant: "faults"}

// memory makes a memory with the content.
func memory(id graph.ID, at time.Time, content string) *graph.Memory {
	return &graph.Memory{
		ID: id, Namespace: "main", User: "ada", Session: "s" + string(id[35:]), Type: graph.Episodic, Content: content,
		EmbeddingModel: "test", Salience: 0.5, Authority: 0.5, Confidence: 0.5, Importance: 0.5, Criticality: 0.5,
		DecayClass: graph.DecayMedium, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
		Chain: id, Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at,
		History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
	}
}

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// write is the child: eight writers that print what was acknowledged, one line each, until
// the process is killed or a write is refused.
//
//	W id digest    the memory was written
//	U id           a use of it was counted
//	R message      a write was refused; the child reads and tries again
//
// An interrupt closes the store.
func write(dir string) int {
	o := small
	if os.Getenv(childDir+"_GUARD") != "" {
		o.MinFree, o.Reserve, o.MinOpen = 64<<20, 8<<20, 16<<20
	}
	s, err := badgerstore.Open(dir, o)
	if err != nil {
		fmt.Println("E", err)
		return 3
	}
	fmt.Println("O")
	var out sync.Mutex
	say := func(words ...any) {
		out.Lock()
		defer out.Unlock()
		fmt.Println(words...)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	for i := range 8 {
		go runWriter(s, uint64(i), say)
	}
	<-stop
	if err := s.Close(); err != nil {
		say("E", err)
		return 3
	}
	return 0
}

func runWriter(s *badgerstore.Store, n uint64, say func(...any)) {
	ctx := context.Background()
	rnd := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), n))
	var mine []graph.ID
	for {
		at := time.Now()
		var r [10]byte
		for i := range r {
			r[i] = byte(rnd.Uint32())
		}
		id, err := graph.NewID(at, strings.NewReader(string(r[:])))
		if err != nil {
			say("E", err)
			return
		}
		content := strings.Repeat(string(id), 1+rnd.IntN(60))
		_, err = s.Update(ctx, scope, func(tx graph.Tx) error {
			return errors.Join(tx.PutMemory(memory(id, at, content), graph.EventCreated), tx.PutEmbedding(id, make([]float32, 384)))
		})
		switch {
		case err == nil:
			say("W", id, digest(content))
			mine = append(mine, id)
		case errors.Is(err, graph.ErrUnavailable):
			read := "no"
			if len(mine) > 0 && s.View(ctx, scope, func(r graph.Reader) error { _, err := r.Memory(mine[0]); return err }) == nil {
				read = "yes"
			}
			say("R", "reads", read, err)
			time.Sleep(20 * time.Millisecond) // a client that backs off
		case errors.Is(err, graph.ErrClosed):
			return
		default:
			say("E", err)
			return
		}
		if len(mine) > 0 && rnd.IntN(4) == 0 {
			used := mine[rnd.IntN(len(mine))]
			if err := s.CountUses(ctx, scope, []graph.ID{used}, graph.Use{At: at}); err == nil {
				say("U", used)
			}
		}
	}
}

// oracle is what was acknowledged.
type oracle struct {
	written map[graph.ID]string // digest of the content
	uses    map[graph.ID]int
}

func newOracle() *oracle { return &oracle{written: map[graph.ID]string{}, uses: map[graph.ID]int{}} }

// child runs the writers on dir.
type child struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	pipe  io.Closer
}

func startChild(t testing.TB, dir string, env ...string) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), childDir+"="+dir), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: cmd, lines: bufio.NewScanner(out), pipe: out}
	t.Cleanup(func() { c.cmd.Process.Kill() })
	return c
}

// read takes lines until stop returns true or the child has ended.
func (c *child) read(t testing.TB, o *oracle, stop func(line string) bool) {
	t.Helper()
	for c.lines.Scan() {
		line := c.lines.Text()
		switch f := strings.Fields(line); {
		case len(f) == 3 && f[0] == "W":
			o.written[graph.ID(f[1])] = f[2]
		case len(f) == 2 && f[0] == "U":
			o.uses[graph.ID(f[1])]++
		case len(f) > 0 && f[0] == "E":
			t.Logf("child: %s", line)
		}
		if stop(line) {
			return
		}
	}
}

// kill ends the child and reads the rest of its output. It returns how it ended.
func (c *child) kill(t testing.TB, o *oracle) error {
	t.Helper()
	if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	c.read(t, o, func(string) bool { return false })
	return c.cmd.Wait()
}

// interrupt makes the child close its store. It returns how it ended.
func (c *child) interrupt(t testing.TB, o *oracle) error {
	t.Helper()
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.read(t, o, func(string) bool { return false })
	return c.cmd.Wait()
}

// check fails the test if anything acknowledged is lost or altered.
func (o *oracle) check(t testing.TB, s *badgerstore.Store, usesToo bool) {
	t.Helper()
	err := s.View(t.Context(), scope, func(r graph.Reader) error {
		for id, want := range o.written {
			m, err := r.Memory(id)
			if err != nil {
				return fmt.Errorf("acknowledged memory %s: %w", id, err)
			}
			if digest(m.Content) != want {
				return fmt.Errorf("acknowledged memory %s is altered", id)
			}
			if usesToo && m.Usage.Count < o.uses[id] {
				return fmt.Errorf("memory %s has %d uses, %d were acknowledged", id, m.Usage.Count, o.uses[id])
			}
			if v, err := r.Embedding(id); err != nil || len(v) != 384 {
				return fmt.Errorf("vector of %s: %d, %w", id, len(v), err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	created := map[graph.ID]int{}
	for after := graph.Cursor(0); ; {
		cs, err := s.Changes(t.Context(), scope, after, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(cs) == 0 {
			break
		}
		for _, c := range cs {
			if c.Cursor <= after {
				t.Fatalf("cursor %d after %d", c.Cursor, after)
			}
			after = c.Cursor
			if c.Kind == graph.EventCreated {
				created[c.ID]++
			}
		}
	}
	for id := range o.written {
		if created[id] != 1 {
			t.Fatalf("the feed has %d creations of %s", created[id], id)
		}
	}
}
