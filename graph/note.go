package graph

import (
	"encoding/json"
	"slices"
	"time"
)

// NoteKind is the kind of a note.
type NoteKind string

// The kinds of note.
const (
	NoteDecision NoteKind = "DECISION"   // a decision of the reconsolidation gate
	NoteSleep    NoteKind = "SLEEP"      // a morning report
	NotePlan     NoteKind = "PLAN"       // the planned steps of a running sleep
	NoteUndo     NoteKind = "UNDO"       // how to undo a step of a sleep
	NoteSession  NoteKind = "SESSION"    // a conversation
	NoteFeedback NoteKind = "FEEDBACK"   // a memory that did not answer a question
	NoteDead     NoteKind = "DEADLETTER" // a task for a memory that failed
	NoteAside    NoteKind = "ASIDE"      // vectors of a model that is not in use yet
	NoteDocument NoteKind = "DOCUMENT"   // a document and the ids of its chunks
	NoteConflict NoteKind = "CONFLICT"   // a decided conflict of two patterns
	NoteAPIKey   NoteKind = "APIKEY"     // an API key, in ServerScope only
	NoteTenant   NoteKind = "TENANT"     // name and quotas of a tenant, in ServerScope only

	// Notes of clusters hold ids and numbers, and name no memories in Memories: what they are about is
	// decided by who sees the members. See package engine/grouping.
	NoteClusters      NoteKind = "CLUSTERS"      // the clusters of an owner as a sleep found them
	NoteClusterPart   NoteKind = "CLUSTERPART"   // members of such clusters
	NoteClusterEvents NoteKind = "CLUSTEREVENTS" // births and deaths of clusters in a sleep

	// The audit says who called which verb, without content. Its notes name no memories in Memories,
	// so that an erasure leaves them, and do not count for Reader.LastRecorded.
	NoteAudit      NoteKind = "AUDIT"      // a row of the audit that is not sealed yet
	NoteAuditBlock NoteKind = "AUDITBLOCK" // sealed rows of the audit
	NoteAuditRoot  NoteKind = "AUDITROOT"  // a signed root of the audit

	NoteProof   NoteKind = "PROOF"   // a leaf of the log of erasures; its id is that of the receipt
	NoteErasure NoteKind = "ERASURE" // an erasure that was asked for; its id is that of the receipt, and Data says how far it is

	// Alarms hold names and numbers, and do not count for Reader.LastRecorded. Those of the server
	// are in ServerScope.
	NoteAlarm NoteKind = "ALARM"
)

// Recorded reports whether notes of the kind count for Reader.LastRecorded.
func (k NoteKind) Recorded() bool {
	return k != NoteAudit && k != NoteAuditBlock && k != NoteAuditRoot && k != NoteAlarm
}

// OfClusters reports whether notes of the kind hold clusters.
func (k NoteKind) OfClusters() bool {
	return k == NoteClusters || k == NoteClusterPart || k == NoteClusterEvents
}

// OfOwner reports whether notes of the kind are records of their owner, which an erasure of the owner deletes.
func (k NoteKind) OfOwner() bool { return slices.Contains(OwnerNotes, k) }

// OwnerNotes are the kinds of notes that an erasure of their owner deletes. Their Data names the owner, see [Note.Owner].
var OwnerNotes = []NoteKind{NoteSession, NoteFeedback, NoteDecision, NoteDocument}

// MaxNote is the largest Data of a note in bytes.
const MaxNote = 256 << 10

// Note is a dated record apart from the memories, such as a decision or a report.
// (Kind, ID) is its key. When one of its memories is erased, its Data is removed,
// since it may quote the memory; the note itself stays.
type Note struct {
	Kind      NoteKind
	ID        ID // UUIDv7: ascending id order is the order of writing, or that of the memory that it is about
	Namespace string
	Memories  []ID // the memories that it is about
	At        time.Time
	Data      json.RawMessage // JSON, at most MaxNote; nil after one of its memories was erased
}

// Owner returns the owner of the note, whom its Data names as "user", empty for nobody. known is false if Data is no object.
func (n *Note) Owner() (owner string, known bool) {
	var owned struct {
		User string `json:"user"`
	}
	err := json.Unmarshal(n.Data, &owned)
	return owned.User, err == nil
}
