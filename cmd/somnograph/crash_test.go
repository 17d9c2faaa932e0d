package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
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

// writeUntilKilled writes from several clients, kills the server after some acknowledgements,
// and adds what was acknowledged to acked.
func writeUntilKilled(t *testing.T, s *server, round, kill int) map[string]string {
	t.Helper()
	var (
		mu    sync.Mutex
		acked = map[string]string{}
		wg    sync.WaitGroup
	)
	c := s.client()
	for w := range killWriters {
		wg.Go(func() {
			for i := 0; ; i++ {
				content := fmt.Sprintf("Round %d, writer %d wrote line %d about the weather at buoy %d.", round, w, i, i*killWriters+w)
				out, err := c.RememberMany(context.Background(), []importer.Memory{{Content: content, Consent: "EXPLICIT", OnDuplicate: "INSERT"}})
				if err != nil || len(out) != 1 || out[0].Err != nil {
					return // the server is gone
				}
				mu.Lock()
				acked[out[0].ID] = content
				n := len(acked)
				mu.Unlock()
				if n == kill {
					s.signal(syscall.SIGKILL)
				}
			}
		})
	}
	wg.Wait()
	<-s.done
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
