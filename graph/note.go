package graph

import (
	"encoding/json"
	"time"
)

// NoteKind is what a note is about.
type NoteKind string

// The kinds of note.
const (
	NoteDecision NoteKind = "DECISION"   // a decision of the reconsolidation gate
	NoteSleep    NoteKind = "SLEEP"      // a morning report
	NotePlan     NoteKind = "PLAN"       // what a sleep under way is about to do
	NoteUndo     NoteKind = "UNDO"       // how a step of a sleep is taken back
	NoteSession  NoteKind = "SESSION"    // a conversation
	NoteFeedback NoteKind = "FEEDBACK"   // a memory that was no answer to a question
	NoteDead     NoteKind = "DEADLETTER" // what was tried for a memory in vain
	NoteAside    NoteKind = "ASIDE"      // vectors of a model that is not in use yet
)

// MaxNote is the largest Data of a note in bytes.
const MaxNote = 256 << 10

// Note is something dated that is written down beside the memories: a decision, a
// report. (Kind, ID) is its key. When one of the memories it names is erased its Data
// goes, since it may quote what the memory said; that it was written stays.
type Note struct {
	Kind      NoteKind
	ID        ID // UUIDv7: ascending id order is the order of writing, or of the memory it is about
	Namespace string
	Memories  []ID // that it is about
	At        time.Time
	Data      json.RawMessage // JSON, at most MaxNote; nil once a memory of it was erased
}
