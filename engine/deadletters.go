package engine

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// DeadLetter is a memory for which something was tried in vain. One that the model refused
// to embed is stored, found by its words, and tried anew by the next start; one that the
// recess refused stays in L2, and is tried anew by the next sleep.
type DeadLetter struct {
	ID       graph.ID  `json:"id"`
	Attempts int       `json:"attempts"` // since the start
	At       time.Time `json:"at"`       // of the last one
	Reason   string    `json:"reason"`   // what was answered; never content
}

// letters are what was refused in one tenant, by their memories.
type letters struct {
	mu      sync.Mutex
	refused map[graph.ID]DeadLetter
}

// refuse notes a failed attempt and answers how many there were.
func (l *letters) refuse(id graph.ID, why error, at time.Time) (attempts int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused == nil {
		l.refused = map[graph.ID]DeadLetter{}
	}
	attempts = l.refused[id].Attempts + 1
	l.refused[id] = DeadLetter{ID: id, Attempts: attempts, At: at, Reason: why.Error()}
	return attempts
}

// dead reports whether no more attempts are made for a memory.
func (l *letters) dead(id graph.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused[id].Attempts > leaveRetries
}

// settled forgets a memory that got its vector.
func (l *letters) settled(id graph.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.refused, id)
}

// list are those with more failed attempts than that, by id.
func (l *letters) list(attempts int) []DeadLetter {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []DeadLetter
	for _, x := range l.refused {
		if x.Attempts > attempts {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b DeadLetter) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// deadLetters are those that the caller may see and that still wait.
func (e *Engine) deadLetters(c Caller, t *tenant) []DeadLetter {
	return slices.DeleteFunc(t.letters.list(leaveRetries), func(x DeadLetter) bool {
		d, there := e.index.Doc(t.scope, x.ID)
		return !there || !c.sees(d.Namespace, d.User) || len(d.Vector) > 0
	})
}
