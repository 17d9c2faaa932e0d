package lifecycle

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// IsDismissed reports whether a person has let two memories stand beside each other.
func IsDismissed(r graph.Reader, a, b graph.ID) (bool, error) {
	for _, ends := range [][2]graph.ID{{a, b}, {b, a}} {
		edge, err := r.Edge(ends[0], graph.Contradicts, ends[1])
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil || edge.Weight == 0 {
			return err == nil, err
		}
	}
	return false, nil
}

// OutlivesSession reports whether a working memory of the priority may become an episode.
func OutlivesSession(p graph.Priority) bool {
	return slices.Index(graph.Priorities, p) >= slices.Index(graph.Priorities, graph.Medium)
}

// taskTag marks the working memories that are tasks.
const TaskTag = "task"

// TaskStatus is how far a task has come.
type TaskStatus string

// The statuses of a task.
const (
	TaskCandidate TaskStatus = "CANDIDATE" // read from a turn; it lives as long as a working memory
	TaskConfirmed TaskStatus = "CONFIRMED" // tracked: it outlives its session and its time to live
	TaskDismissed TaskStatus = "DISMISSED" // EXPIRED
)

// TaskMeta is a task in the meta of its memory.
type TaskMeta struct {
	Status     TaskStatus `json:"status"`
	Confidence float64    `json:"confidence"`
	Strength   float64    `json:"strength"`
	Blocks     string     `json:"blocks,omitempty"`
	Turn       graph.ID   `json:"turn,omitempty"`
	Again      bool       `json:"again,omitempty"` // it was said again
}

// IsTask reports whether a memory is a task.
func IsTask(m *graph.Memory) bool { return slices.Contains(m.Tags, TaskTag) }

// MetaOf reads the task of a memory. A memory that somebody tagged by hand is a
// candidate as sure as the memory is.
func MetaOf(m *graph.Memory) TaskMeta {
	x := TaskMeta{Status: TaskCandidate, Confidence: m.Confidence}
	// What else stands in meta is the caller's; it need not fit.
	if err := json.Unmarshal(m.Meta, &x); err != nil || x.Status != TaskConfirmed && x.Status != TaskDismissed {
		x.Status = TaskCandidate
	}
	return x
}

// SetMeta writes the task into the meta of its memory, beside what else stands there.
func SetMeta(m *graph.Memory, x TaskMeta) error {
	all := map[string]any{}
	if len(m.Meta) > 0 {
		if err := json.Unmarshal(m.Meta, &all); err != nil {
			all = map[string]any{} // no object: there is no room beside it
		}
	}
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	m.Meta, err = json.Marshal(all)
	return err
}

// IsTracked reports a task that was confirmed: it stays WORKING until it is dismissed.
func IsTracked(m *graph.Memory) bool {
	return m.Type == graph.Working && IsTask(m) && MetaOf(m).Status == TaskConfirmed
}
