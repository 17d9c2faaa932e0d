package index

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// sealedFeed is a feed of a sealed store.
type sealedFeed struct {
	*feed
	keys *keyring.Keyring
}

func (f sealedFeed) Ring(t graph.Tenant) (*keyring.Ring, error) { return f.keys.Ring(t) }

// A copy of an unfinished snapshot can't be opened once what it holds was erased, whether a kill or an error ended its writing.
func TestTheKeyOfAnUnfinishedSnapshotIsDestroyed(t *testing.T) {
	for _, kill := range []bool{true, false} {
		dir := t.TempDir()
		keys, err := keyring.Open(t.TempDir(), keyring.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f := sealedFeed{newFeed(), keys}
		m := f.memory(epoch, "the canary sings")
		f.put(m, nil)
		x, err := Open(t.Context(), f, Options{Dir: dir, SnapshotDelay: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		settle(t, x, f.feed)
		tn := x.tenantOrNil(world)
		var draft uint64
		if kill {
			pic, err := tn.captureSnapshot(t.Context())
			if err := errors.Join(err, tn.newSnapshotKey(pic), tn.writeDraft(pic, func() error { return nil })); err != nil {
				t.Fatal(err)
			}
			left, err := os.ReadFile(tn.draftPath())
			draft = pic.key.Number
			if err := errors.Join(err, x.Close(t.Context()), os.WriteFile(tn.draftPath(), left, 0o600)); err != nil {
				t.Fatal(err)
			}
			x = opened(t, f, Options{Dir: dir, SnapshotDelay: time.Hour})
		} else {
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if err := tn.saveSnapshot(ended); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			draft = tn.snapshots.draftKey
			if err := tn.saveSnapshot(t.Context()); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = x.Close(context.Background()) })
		}
		settle(t, x, f.feed)
		f.erase(m.ID, epoch.Add(time.Hour))
		settle(t, x, f.feed)
		ring, err := keys.Ring(world.Tenant)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ring.Key(draft); !errors.Is(err, keyring.ErrDestroyed) {
			t.Errorf("killed %v: the key %d of the unfinished snapshot is there after the erasure: %v", kill, draft, err)
		}
	}
}
