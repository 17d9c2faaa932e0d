package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"pgregory.net/rapid"
)

// A ring never exceeds its limit, loses no turn, keeps the order, and displaces no more
// turns than needed.
func TestRingHoldsTheLastTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ring
		var all []slot
		gone := 0
		for i, tokens := range rapid.SliceOfN(rapid.IntRange(0, 2*ringTokens), 1, 60).Draw(t, "tokens") {
			s := slot{graph.ID(fmt.Sprint(i)), tokens}
			all = append(all, s)
			for _, id := range r.push(s, time.UnixMilli(int64(i))) {
				if id != all[gone].id {
					t.Fatalf("%s left, %s is the oldest", id, all[gone].id)
				}
				gone++
			}
			if !slices.Equal(r.slots, all[gone:]) {
				t.Fatalf("the ring has %v, want %v", r.slots, all[gone:])
			}
			sum := 0
			for _, s := range r.slots {
				sum += s.tokens
			}
			if sum != r.tokens || sum > ringTokens {
				t.Fatalf("%d tokens, counted %d", sum, r.tokens)
			}
			if gone > 0 && sum+all[gone-1].tokens <= ringTokens {
				t.Fatalf("%s left though there was room for it", all[gone-1].id)
			}
		}
	})
}

func TestBufferQueue(t *testing.T) {
	b := newBuffer()
	k := workspace.Conversation{Namespace: "default", User: "ana", Session: "s"}
	for i := range 5 {
		b.push(k, slot{graph.ID(fmt.Sprint(i)), ringTokens / 2}, time.UnixMilli(int64(i)))
	}
	if n := b.leavingCount(); n != 3 {
		t.Fatalf("%d turns wait", n)
	}
	b.dequeue(2, []leavingTurn{{"0", 1}}, []graph.ID{"1"})
	if got := fmt.Sprint(b.nextLeaving(9), b.listStuck()); got != "[{2 0} {0 1}] [1]" {
		t.Errorf("queue %s", got)
	}
	b.notePrompt(func(x workspace.Conversation) bool { return x == k }, []graph.ID{"7"})
	if len(b.lastPrompt(k)) != 1 {
		t.Error("the context of a running conversation is not cached")
	}
	if got := b.emptyRings(idleSince(time.UnixMilli(3))); got != nil {
		t.Errorf("%v left a ring that is not idle", got)
	}
	if got := fmt.Sprint(b.emptyRings(idleSince(time.UnixMilli(4)))); got != "[3 4]" || b.hasTurns(k) {
		t.Errorf("idle: %s", got)
	}
	if b.dropIdlePrompts(); b.lastPrompt(k) != nil {
		t.Error("the context of a conversation outside L0 is cached")
	}
	b.push(k, slot{"8", 1}, time.UnixMilli(9))
	b.forget(func(x workspace.Conversation) bool { return x == k })
	if b.hasTurns(k) {
		t.Error("a forgotten conversation has a ring")
	}
}

// A turn that another server observed is inserted in order, once, and displaces no turn.
// The next turn observed here does.
func TestTurnOfAnotherServerJoinsTheRing(t *testing.T) {
	b := newBuffer()
	k := workspace.Conversation{Namespace: "default", User: "ana", Session: "s"}
	at := func(n int) time.Time { return time.UnixMilli(int64(n)) }
	third := ringTokens / 3
	b.push(k, slot{"1", third}, at(1))
	b.push(k, slot{"3", third}, at(3))
	for range 2 {
		b.join(k, slot{"2", third}, at(2))
		b.join(k, slot{"4", third}, at(4))
	}
	if got := fmt.Sprint(b.rings[k].slots, b.leavingCount(), b.nextUnread(9)); got != fmt.Sprintf("[{1 %[1]d} {2 %[1]d} {3 %[1]d} {4 %[1]d}] 0 [1 3 2 4]", third) {
		t.Errorf("ring, queue and unread turns: %s", got)
	}
	if b.emptyRings(idleSince(at(3))) != nil {
		t.Error("the ring is idle though a turn came in elsewhere")
	}
	if left := b.push(k, slot{"5", third}, at(5)); !slices.Equal(left, []graph.ID{"1", "2"}) {
		t.Errorf("%v made room", left)
	}
	b.remove([]graph.ID{"3", "5"})
	if r := b.rings[k]; len(r.slots) != 1 || r.tokens != third {
		t.Errorf("the ring has %+v", r)
	}
	if b.remove([]graph.ID{"4"}); b.hasTurns(k) {
		t.Error("an empty ring is held")
	}
}
