package lifecycle

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

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

// MaxTurnTasks is the number of tasks that one turn may name.
const MaxTurnTasks = 256

// TaskID returns the id of a task that a turn names, by its place among the tasks of the turn, 0 to
// MaxTurnTasks-1. The same turn and place give the same id.
func TaskID(turn graph.ID, at time.Time, place int) (graph.ID, error) {
	return graph.DerivedID(at, TaskTag, string(turn), strconv.Itoa(place))
}

// IsTask reports whether a memory is a task, or a later version of one. The id decides, which only
// the extraction of a turn makes (TaskID): tags and meta, which callers write, make no task.
func IsTask(m *graph.Memory) bool {
	turn := MetaOf(m).Turn
	raw, err := m.Chain.Bytes()
	if err != nil || !turn.Valid() || !slices.Contains(m.Tags, TaskTag) {
		return false
	}
	at := time.UnixMilli(int64(binary.BigEndian.Uint64(raw[:8]) >> 16))
	for place := range MaxTurnTasks {
		if id, err := TaskID(turn, at, place); err == nil && id == m.Chain {
			return true
		}
	}
	return false
}

// KeepTask puts the tag and the meta of a task back after a caller has written the tags and the
// meta of the memory. They change by the verbs of tasks only.
func KeepTask(m *graph.Memory, was TaskMeta) error {
	if !slices.Contains(m.Tags, TaskTag) {
		m.Tags = append(slices.Clip(m.Tags), TaskTag)
	}
	return SetMeta(m, was)
}

// MetaOf reads the task in the meta of a memory; see IsTask. Without a status it is a candidate with
// the confidence of the memory.
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
