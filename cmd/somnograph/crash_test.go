package main

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// killWriters is the number of clients that write while the server is killed.
const killWriters = 8

// TestKillUnderLoad kills the server repeatedly while clients write. Every acknowledged memory
// is there afterwards, unchanged.
func TestKillUnderLoad(t *testing.T) { killRounds(t, 3, time.Time{}) }

// TestSoakKillUnderLoad does so for the duration SOMNOGRAPH_SOAK.
func TestSoakKillUnderLoad(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("SOMNOGRAPH_SOAK"))
	if err != nil {
		t.Skip("runs only where SOMNOGRAPH_SOAK is a duration, as 30m")
	}
	killRounds(t, 1<<30, time.Now().Add(d))
}

func killRounds(t *testing.T, rounds int, until time.Time) {
	dir, seed := t.TempDir(), rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	acked := map[string]string{} // id to content
	for round := range rounds {
		if !until.IsZero() && time.Now().After(until) {
			t.Logf("%d rounds, %d acknowledged", round, len(acked))
			return
		}
		s := start(t, dir)
		compare(t, s.client(), acked)
		maps.Copy(acked, writeUntilKilled(t, s, round, 40+rnd.IntN(400)))
	}
	s := start(t, dir)
	compare(t, s.client(), acked)
	s.stop()
	if len(acked) < rounds*40 {
		t.Errorf("only %d writes were acknowledged", len(acked))
	}
}

// TestKillLeavesNoWriteWithoutARow kills the server repeatedly while clients write. Afterwards the audit is intact, and every
// acknowledged write is in a row of its caller.
func TestKillLeavesNoWriteWithoutARow(t *testing.T) {
	dir, seed := t.TempDir(), rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	acked := map[string]string{}
	for round := range 3 {
		s := start(t, dir)
		maps.Copy(acked, writeUntilKilled(t, s, round, 40+rnd.IntN(200)))
	}
	s := start(t, dir)
	compare(t, s.client(), acked)
	s.stop()
	if out := ran(t, "audit", "verify", "--data", dir); !strings.Contains(out, "the audit is intact") {
		t.Error(out)
	}
	rows, last := map[string]int{}, uint64(0)
	for line := range strings.Lines(ran(t, "audit", "export", "--data", dir)) {
		var e client.AuditEntry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		seq, err := strconv.ParseUint(e.Seq, 10, 64)
		if err != nil || seq != 0 && seq != last+1 {
			t.Fatalf("row %s follows row %d: %v", e.Seq, last, err)
		}
		if seq != 0 {
			last = seq
		}
		if e.Verb != "rememberMany" || e.Outcome != "OK" {
			continue
		}
		if e.Principal != "loopback" || e.Milliseconds <= 0 || e.More > 0 {
			t.Errorf("an incomplete row %+v", e)
		}
		for _, id := range e.IDs {
			rows[id]++
		}
	}
	for id := range acked {
		if rows[id] == 0 {
			t.Errorf("the acknowledged memory %s is in no row", id)
		}
	}
}

// writeUntilKilled writes from several clients, kills the server after some acknowledgements,
// and returns what was acknowledged.
func writeUntilKilled(t *testing.T, s *server, round, kill int) map[string]string {
	t.Helper()
	x := newWrites()
	x.until(t, s, round, func(acked []time.Time) bool { return len(acked) >= kill })
	acked := map[string]string{}
	for id, w := range x.acked {
		acked[id] = w.content
	}
	return acked
}

// compare fails the test unless every acknowledged memory is there.
func compare(t *testing.T, c *client.Client, acked map[string]string) {
	t.Helper()
	for id, want := range acked {
		var out struct{ Memory *struct{ Content string } }
		if err := c.Do(t.Context(), `query($id:ID!){memory(id:$id){content}}`, map[string]any{"id": id}, &out); err != nil || out.Memory == nil {
			t.Fatalf("%s was acknowledged and is lost: %v", id, err)
		}
		if out.Memory.Content != want {
			t.Fatalf("%s was acknowledged as %q and says %q", id, want, out.Memory.Content)
		}
	}
}
