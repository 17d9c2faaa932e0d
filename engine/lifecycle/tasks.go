package lifecycle

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// IsDismissed reports whether a person has decided that two memories do not conflict.
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

// TaskTag marks the working memories that are tasks.
const TaskTag = "task"

// TaskStatus is the state of a task.
type TaskStatus string

// The statuses of a task.
const (
	TaskCandidate TaskStatus = "CANDIDATE" // read from a turn; it lives as long as a working memory
	TaskConfirmed TaskStatus = "CONFIRMED" // tracked: it outlives its session and its time to live
	TaskDismissed TaskStatus = "DISMISSED" // EXPIRED
)

// TaskMeta is what the meta of a memory says about the task that it is.
type TaskMeta struct {
	Status     TaskStatus `json:"status"`
	Confidence float64    `json:"confidence"`
	Strength   float64    `json:"strength"`
	Blocks     string     `json:"blocks,omitempty"`
	Turn       graph.ID   `json:"turn,omitempty"`
	Again      bool       `json:"again,omitempty"` // it was mentioned again
}

// IsTask reports whether a memory is a task.
func IsTask(m *graph.Memory) bool { return slices.Contains(m.Tags, TaskTag) }

// MetaOf reads the task in the meta of a memory. A memory that was tagged by hand is a
// candidate with the confidence of the memory.
func MetaOf(m *graph.Memory) TaskMeta {
	x := TaskMeta{Status: TaskCandidate, Confidence: m.Confidence}
	// The rest of meta belongs to the caller and may have another shape.
	if err := json.Unmarshal(m.Meta, &x); err != nil || x.Status != TaskConfirmed && x.Status != TaskDismissed {
		x.Status = TaskCandidate
	}
	return x
}

// SetMeta writes the task into the meta of its memory and keeps the other keys.
func SetMeta(m *graph.Memory, x TaskMeta) error {
	all := map[string]any{}
	if len(m.Meta) > 0 {
		if err := json.Unmarshal(m.Meta, &all); err != nil {
			all = map[string]any{} // not an object: it is replaced
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

// IsTracked reports whether a memory is a confirmed task: it stays WORKING until it is
// dismissed.
func IsTracked(m *graph.Memory) bool {
	return m.Type == graph.Working && IsTask(m) && MetaOf(m).Status == TaskConfirmed
}
