package lifecycle

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/engine/policy"
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
	TaskCandidate TaskStatus = "CANDIDATE" // read from a turn; it lives for TaskTTL after its session
	TaskConfirmed TaskStatus = "CONFIRMED" // tracked: it has no time to live
	TaskDone      TaskStatus = "DONE"      // it was done; EXPIRED
	TaskDismissed TaskStatus = "DISMISSED" // it was no task, or is not wanted; EXPIRED
)

// TaskTTL is the time to live of an unconfirmed task after the end of its session; while the
// session has no end, after its last turn.
const TaskTTL = 48 * time.Hour

// TaskMeta is what the meta of a memory says about the task that it is.
type TaskMeta struct {
	Status     TaskStatus `json:"status"`
	Confidence float64    `json:"confidence"`
	Strength   float64    `json:"strength"`
	Blocks     string     `json:"blocks,omitempty"` // what waits for it
	Due        time.Time  `json:"due,omitzero"`     // when it is to be done; zero: unknown
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
	if err := json.Unmarshal(m.Meta, &x); err != nil || !slices.Contains([]TaskStatus{TaskConfirmed, TaskDone, TaskDismissed}, x.Status) {
		x.Status = TaskCandidate
	}
	return x
}

// ProlongTask lets an unconfirmed task that was read from a turn live for TaskTTL after its session
// ended, or had its last turn. It reports whether that changed the task: an end is never moved
// forward, and the time to live of its sensitivity may come earlier.
func ProlongTask(m *graph.Memory, ended time.Time, p policy.Policy) bool {
	until := ended.Add(TaskTTL)
	if !IsOpenTask(m) || IsTracked(m) || MetaOf(m).Turn == "" || !until.After(m.ExpiresAt) {
		return false
	}
	before := m.ExpiresAt
	m.ExpiresAt = until
	BindPolicy(m, p)
	return !m.ExpiresAt.Equal(before)
}

// EndWorking ends a working memory whose session or time to live is over. It becomes an episode if it
// has priority MEDIUM or HIGH and was used, or is an unconfirmed task that was mentioned again; and
// if it is safety-critical. The time to live of its sensitivity may end it all the same. Else it
// expires at the given time. episode reports which.
func EndWorking(m *graph.Memory, p policy.Policy, at, now time.Time) (episode bool) {
	m.UpdatedAt = now
	used := m.Usage.Count > 0 || IsTask(m) && MetaOf(m).Again
	if m.SafetyCritical || used && OutlivesSession(m.Priority) {
		kept := *m
		kept.Type, kept.DecayClass, kept.ExpiresAt = graph.Episodic, DecayClassOf(graph.Episodic), time.Time{}
		if BindPolicy(&kept, p); !IsExpired(&kept, now) {
			*m = kept
			return true
		}
	}
	m.SetState(at, func(s *graph.State) { s.Status = graph.Expired })
	return false
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

// IsOpenTask reports whether a memory is a task that has not ended, apart from its time to live.
func IsOpenTask(m *graph.Memory) bool {
	return m.Type == graph.Working && m.Status() == graph.Active && IsTask(m)
}

// IsTracked reports whether a memory is a confirmed task: it stays WORKING until it is done or
// dismissed.
func IsTracked(m *graph.Memory) bool {
	return m.Type == graph.Working && IsTask(m) && MetaOf(m).Status == TaskConfirmed
}
