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

// ringTokens is the maximum number of tokens of a conversation in L0.
const ringTokens = 4096

// slot is the entry of a turn in a ring. The text is only in the store.
type slot struct {
	id     graph.ID
	tokens int
}

// ring holds the turns of one conversation in L0, oldest first.
type ring struct {
	slots  []slot
	tokens int       // sum over all slots
	last   time.Time // time of the last turn
}

// push adds a turn and returns the turns that must leave for it, oldest first. A turn that
// is larger than the ring leaves at once.
func (r *ring) push(s slot, at time.Time) (leaving []graph.ID) {
	r.slots, r.tokens, r.last = append(r.slots, s), r.tokens+s.tokens, at
	for r.tokens > ringTokens {
		r.tokens -= r.slots[0].tokens
		leaving = append(leaving, r.slots[0].id)
		r.slots = r.slots[1:]
	}
	return leaving
}

// join inserts a turn by id, displaces no other, and reports whether the turn is new.
func (r *ring) join(s slot, at time.Time) bool {
	r.last = lifecycle.Later(r.last, at)
	if slices.ContainsFunc(r.slots, func(x slot) bool { return x.id == s.id }) {
		return false
	}
	i := len(r.slots)
	for i > 0 && r.slots[i-1].id > s.id { // ids ascend, as far as the clocks agree
		i--
	}
	r.slots, r.tokens = slices.Insert(r.slots, i, s), r.tokens+s.tokens
	return true
}

// sessionBuffer is the in-memory state of L0 for one tenant: order and size of the turns.
// All of it is derived from the store and loaded once.
type sessionBuffer struct {
	loading sync.Mutex
	loaded  bool // the rings are loaded; guarded by loading

	mu           sync.Mutex
	rings        map[workspace.Conversation]*ring
	prompts      map[workspace.Conversation][]graph.ID // memories in the last prompt of each conversation
	leaving      []leavingTurn                         // turns between their ring and L1, in order
	stuckTurns   []graph.ID                            // turns that can't become L1; they stay in L0
	unread       []graph.ID                            // turns whose tasks are not extracted yet, in order
	tasks        map[graph.ID]openTask                 // every task that may be open
	voices       map[workspace.Conversation]voices     // who spoke, of every conversation of the last day
	readingTasks sync.Mutex                            // serialises the extraction of tasks
	wake         chan struct{}                         // wakes runBuffer
	begun        chan struct{}                         // wakes runIdle: a conversation has begun
	flushing     sync.Mutex                            // serialises flushes, so turns leave L0 in order
}

// voices says when a conversation was heard last, and whether a user spoke in it.
type voices struct {
	last   time.Time
	person bool
}

const (
	maxVoices = 4096           // conversations
	voicesFor = 24 * time.Hour // after the last turn
)

// hear notes the speaker of a turn.
func (b *sessionBuffer) hear(turn *graph.Memory) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := workspace.ConversationOf(turn)
	if _, known := b.voices[k]; !known && len(b.voices) >= maxVoices {
		maps.DeleteFunc(b.voices, func(_ workspace.Conversation, v voices) bool { return turn.CreatedAt.Sub(v.last) > voicesFor })
		if len(b.voices) >= maxVoices {
			clear(b.voices)
		}
	}
	v := b.voices[k]
	b.voices[k] = voices{lifecycle.Later(v.last, turn.CreatedAt), v.person || turn.SourceKind == graph.FromUser}
}

// heard reports whether a matching conversation had a turn since the instant, and whether a user
// spoke in one of them.
func (b *sessionBuffer) heard(match func(workspace.Conversation) bool, since time.Time) (observed, person bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, v := range b.voices {
		if !v.last.Before(since) && match(k) {
			observed, person = true, person || v.person
		}
	}
	return observed, person
}

// reinforces reports whether a turn that repeats a memory strengthens it. A turn of an assistant
// came from memory and does not. Neither does one of a tool in a conversation without a user.
func (b *sessionBuffer) reinforces(turn *graph.Memory) bool {
	switch turn.SourceKind {
	case graph.FromUser:
		return true
	case graph.FromAssistant:
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.voices[workspace.ConversationOf(turn)].person
}

// leavingTurn is a turn between L0 and L1.
type leavingTurn struct {
	id    graph.ID
	tries int // failed attempts
}

func newBuffer() *sessionBuffer {
	return &sessionBuffer{rings: map[workspace.Conversation]*ring{}, prompts: map[workspace.Conversation][]graph.ID{}, tasks: map[graph.ID]openTask{}, voices: map[workspace.Conversation]voices{}, wake: make(chan struct{}, 1), begun: make(chan struct{}, 1)}
}

// push adds a turn to its ring and queues the turns that must leave for it.
func (b *sessionBuffer) push(k workspace.Conversation, s slot, at time.Time) (leaving []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	leaving = b.ring(k).push(s, at)
	b.unread = append(b.unread, s.id)
	b.queueLeaving(leaving)
	b.wakeUp()
	return leaving
}

// readLater queues a memory that is no turn for the extraction of tasks.
func (b *sessionBuffer) readLater(id graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unread = append(b.unread, id)
	b.wakeUp()
}

// ring returns the ring of a conversation, and creates it if needed. The caller holds the
// lock.
func (b *sessionBuffer) ring(k workspace.Conversation) *ring {
	r := b.rings[k]
	if r == nil {
		r = &ring{}
		b.rings[k] = r
		select {
		case b.begun <- struct{}{}:
		default: // runIdle has not seen the last one yet
		}
	}
	return r
}

// quietest returns the time of the last turn of the conversation that has been quiet for longest;
// zero: no turn is in L0. A turn of a conversation that is known never makes it earlier.
func (b *sessionBuffer) quietest() (last time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.rings {
		if last.IsZero() || r.last.Before(last) {
			last = r.last
		}
	}
	return last
}

// join adds a turn that another server observed, and reports whether it is new. It displaces no turn: that server queues
// the turns that it displaces, and if it has stopped, the next turn observed here does.
func (b *sessionBuffer) join(k workspace.Conversation, s slot, at time.Time) (news bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.ring(k).join(s, at) {
		return false
	}
	b.unread = append(b.unread, s.id)
	b.wakeUp()
	return true
}

// remove removes turns that are no longer in L0 from their rings. ids are ascending.
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

// emptyRings removes the matching rings and queues their turns, oldest first.
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

// idleSince matches the rings without a new turn after since.
func idleSince(since time.Time) func(workspace.Conversation, *ring) bool {
	return func(_ workspace.Conversation, r *ring) bool { return !r.last.After(since) }
}

// queueLeaving queues turns for the flush. The caller holds the lock.
func (b *sessionBuffer) queueLeaving(ids []graph.ID) {
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		b.leaving = append(b.leaving, leavingTurn{id: id})
	}
	b.wakeUp()
}

// wakeUp requests a flush in the background.
func (b *sessionBuffer) wakeUp() {
	select {
	case b.wake <- struct{}{}:
	default: // a request is pending already
	}
}

// leavingCount returns the number of queued turns.
func (b *sessionBuffer) leavingCount() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.leaving)
}

// nextLeaving returns the next turns to leave, at most n. It does not remove them.
func (b *sessionBuffer) nextLeaving(n int) []leavingTurn {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.leaving[:min(n, len(b.leaving))])
}

// dequeue removes the next n turns from the queue. The turns in retry return to its end;
// those in stuck are given up.
func (b *sessionBuffer) dequeue(n int, retry []leavingTurn, stuck []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.leaving = append(b.leaving[n:], retry...)
	b.stuckTurns = append(b.stuckTurns, stuck...)
}

// hasTurns reports whether a conversation has turns in its ring.
func (b *sessionBuffer) hasTurns(k workspace.Conversation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rings[k] != nil
}

// listStuck returns the turns that can't become L1.
func (b *sessionBuffer) listStuck() []graph.ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.stuckTurns)
}

// notePrompt records the memories in a prompt of the matching conversations.
func (b *sessionBuffer) notePrompt(match func(workspace.Conversation) bool, ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k := range b.rings {
		if match(k) {
			b.prompts[k] = ids
		}
	}
}

// lastPrompt returns the memories in the last prompt of a conversation.
func (b *sessionBuffer) lastPrompt(k workspace.Conversation) []graph.ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.prompts[k]
}

// dropIdlePrompts drops the prompts of conversations without a turn in L0.
func (b *sessionBuffer) dropIdlePrompts() {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.prompts, func(k workspace.Conversation, _ []graph.ID) bool { return b.rings[k] == nil })
}

// forget drops the matching conversations.
func (b *sessionBuffer) forget(match func(workspace.Conversation) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.rings, func(k workspace.Conversation, _ *ring) bool { return match(k) })
	maps.DeleteFunc(b.prompts, func(k workspace.Conversation, _ []graph.ID) bool { return match(k) })
	maps.DeleteFunc(b.voices, func(k workspace.Conversation, _ voices) bool { return match(k) })
}

// nextUnread returns the next turns for task extraction, at most n. It does not remove
// them.
func (b *sessionBuffer) nextUnread(n int) []graph.ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.unread[:min(n, len(b.unread))])
}

// doneReading removes the next n turns from the queue for task extraction.
func (b *sessionBuffer) doneReading(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unread = b.unread[n:]
}

// turnsBefore returns the last n turns of a conversation in L0 before the turn id.
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

// addTasks adds open tasks.
func (b *sessionBuffer) addTasks(tasks map[graph.ID]openTask) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.Copy(b.tasks, tasks)
}

// openTasks returns the tasks that may be open.
func (b *sessionBuffer) openTasks() map[graph.ID]openTask {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.tasks)
}

// tasksOf returns the tasks of a conversation that may be open, ids ascending.
func (b *sessionBuffer) tasksOf(k workspace.Conversation) (ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, x := range b.tasks {
		if x.conversation == k {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// closeTasks removes tasks that are no longer open.
func (b *sessionBuffer) closeTasks(ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		delete(b.tasks, id)
	}
}
