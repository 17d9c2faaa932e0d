package session

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// ringTokens is how many tokens of turns a conversation may have in L0, SPEC section 5.
const ringTokens = 4096

// slot is what a ring knows of a turn. Its words are in the store only.
type slot struct {
	id     graph.ID
	tokens int
}

// ring is the order of the turns of one conversation that are in L0, oldest first.
type ring struct {
	slots  []slot
	tokens int       // of all slots
	last   time.Time // when the last turn came in
}

// push takes a turn in and answers those that have to leave for it, oldest first. A turn
// that is larger than the ring leaves at once.
func (r *ring) push(s slot, at time.Time) (leaving []graph.ID) {
	r.slots, r.tokens, r.last = append(r.slots, s), r.tokens+s.tokens, at
	for r.tokens > ringTokens {
		r.tokens -= r.slots[0].tokens
		leaving = append(leaving, r.slots[0].id)
		r.slots = r.slots[1:]
	}
	return leaving
}

// join takes a turn in at its place, sends nobody off, and reports whether it is new.
func (r *ring) join(s slot, at time.Time) bool {
	r.last = lifecycle.Later(r.last, at)
	if slices.ContainsFunc(r.slots, func(x slot) bool { return x.id == s.id }) {
		return false
	}
	i := len(r.slots)
	for i > 0 && r.slots[i-1].id > s.id { // ids ascend, as far as clocks agree
		i--
	}
	r.slots, r.tokens = slices.Insert(r.slots, i, s), r.tokens+s.tokens
	return true
}

// sessionBuffer is what the engine keeps in memory about L0 of one tenant: order and size of
// the turns. All of it follows from the store, and is read from there once.
type sessionBuffer struct {
	loading sync.Mutex
	loaded  bool // the rings were read back; under loading

	mu           sync.Mutex
	rings        map[workspace.Conversation]*ring
	prompts      map[workspace.Conversation][]graph.ID // what stood in the last context of a conversation
	leaving      []leavingTurn                         // turns that left their rings and are not in L1 yet, in order
	stuckTurns   []graph.ID                            // turns that can't become L1; they stay in L0
	unread       []graph.ID                            // turns whose tasks were not read yet, in order
	tasks        map[graph.ID]openTask                 // every task that may be open
	readingTasks sync.Mutex                            // tasks are read in order: one at a time
	wake         chan struct{}                         // to runBuffer
	flushing     sync.Mutex                            // turns leave L0 in order: one flush at a time
}

// leaver is a turn on its way from L0 to L1.
type leavingTurn struct {
	id    graph.ID
	tries int // failed ones
}

func newBuffer() *sessionBuffer {
	return &sessionBuffer{rings: map[workspace.Conversation]*ring{}, prompts: map[workspace.Conversation][]graph.ID{}, tasks: map[graph.ID]openTask{}, wake: make(chan struct{}, 1)}
}

// push takes a turn into its ring and sends off those that have to leave for it.
func (b *sessionBuffer) push(k workspace.Conversation, s slot, at time.Time) (leaving []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	leaving = b.ring(k).push(s, at)
	b.unread = append(b.unread, s.id)
	b.queueLeaving(leaving)
	b.wakeUp()
	return leaving
}

// ring is that of a conversation, made where there is none. The caller holds the lock.
func (b *sessionBuffer) ring(k workspace.Conversation) *ring {
	r := b.rings[k]
	if r == nil {
		r = &ring{}
		b.rings[k] = r
	}
	return r
}

// join takes a turn into its ring that another server observed. Nobody has to leave for
// it: that server sends off whom it displaces, and where that one is gone the next turn
// observed here does.
func (b *sessionBuffer) join(k workspace.Conversation, s slot, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ring(k).join(s, at) {
		b.unread = append(b.unread, s.id)
		b.wakeUp()
	}
}

// left takes turns out of their rings that are in L0 no more.
func (b *sessionBuffer) remove(ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, r := range b.rings {
		r.slots = slices.DeleteFunc(r.slots, func(s slot) bool {
			_, gone := slices.BinarySearch(ids, s.id)
			if gone {
				r.tokens -= s.tokens
			}
			return gone
		})
		if len(r.slots) == 0 {
			delete(b.rings, k)
		}
	}
}

// take empties the rings that are chosen and sends their turns off, oldest first.
func (b *sessionBuffer) emptyRings(match func(workspace.Conversation, *ring) bool) (leaving []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, r := range b.rings {
		if match(k, r) {
			for _, s := range r.slots {
				leaving = append(leaving, s.id)
			}
			delete(b.rings, k)
		}
	}
	slices.Sort(leaving) // ids ascend in the order of recording
	b.queueLeaving(leaving)
	return leaving
}

// idle reports a ring that nothing came into since then.
func idleSince(since time.Time) func(workspace.Conversation, *ring) bool {
	return func(_ workspace.Conversation, r *ring) bool { return !r.last.After(since) }
}

// send queues turns for the flush. The caller holds the lock.
func (b *sessionBuffer) queueLeaving(ids []graph.ID) {
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		b.leaving = append(b.leaving, leavingTurn{id: id})
	}
	b.wakeUp()
}

// wakeUp asks for a flush in the background.
func (b *sessionBuffer) wakeUp() {
	select {
	case b.wake <- struct{}{}:
	default: // it is awake already
	}
}

// length is how many turns wait.
func (b *sessionBuffer) leavingCount() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.leaving)
}

// waiting answers the turns that leave next, at most n, without taking them.
func (b *sessionBuffer) nextLeaving(n int) []leavingTurn {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.leaving[:min(n, len(b.leaving))])
}

// dequeue takes the next n turns off the queue. again go back to its end, dead are given up.
func (b *sessionBuffer) dequeue(n int, retry []leavingTurn, stuck []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.leaving = append(b.leaving[n:], retry...)
	b.stuckTurns = append(b.stuckTurns, stuck...)
}

// holds reports whether a conversation has turns in its ring.
func (b *sessionBuffer) hasTurns(k workspace.Conversation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rings[k] != nil
}

// stuck are the turns that can't become L1.
func (b *sessionBuffer) listStuck() []graph.ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.stuckTurns)
}

// notePrompt remembers what stood in a context of the conversations that are chosen.
func (b *sessionBuffer) notePrompt(match func(workspace.Conversation) bool, ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k := range b.rings {
		if match(k) {
			b.prompts[k] = ids
		}
	}
}

// prompt is what stood in the last context of a conversation.
func (b *sessionBuffer) lastPrompt(k workspace.Conversation) []graph.ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.prompts[k]
}

// tidy drops what is known about conversations that have no turn in L0.
func (b *sessionBuffer) dropIdlePrompts() {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.prompts, func(k workspace.Conversation, _ []graph.ID) bool { return b.rings[k] == nil })
}

// forget drops the conversations that are chosen.
func (b *sessionBuffer) forget(match func(workspace.Conversation) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.rings, func(k workspace.Conversation, _ *ring) bool { return match(k) })
	maps.DeleteFunc(b.prompts, func(k workspace.Conversation, _ []graph.ID) bool { return match(k) })
}

// unread answers the turns whose tasks are read next, at most n, without taking them.
func (b *sessionBuffer) nextUnread(n int) []graph.ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.unread[:min(n, len(b.unread))])
}

// doneReading takes the next n turns off those whose tasks are to be read.
func (b *sessionBuffer) doneReading(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unread = b.unread[n:]
}

// before answers the turns of a conversation in L0 before one, the last n.
func (b *sessionBuffer) turnsBefore(k workspace.Conversation, id graph.ID, n int) (ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.rings[k]; r != nil {
		for _, s := range r.slots {
			if s.id < id {
				ids = append(ids, s.id)
			}
		}
	}
	return ids[max(0, len(ids)-n):]
}

// addTasks remembers tasks that are open.
func (b *sessionBuffer) addTasks(tasks map[graph.ID]openTask) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.Copy(b.tasks, tasks)
}

// openTasks answers the tasks that may be open.
func (b *sessionBuffer) openTasks() map[graph.ID]openTask {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.tasks)
}

// closeTasks drops tasks that are over.
func (b *sessionBuffer) closeTasks(ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		delete(b.tasks, id)
	}
}
