package graph

import (
	"encoding/json"
	"time"
)

// Request records an idempotent write: a second write with the same key does nothing.
type Request struct {
	Key    string // verb and the caller's key, joined by the engine; at most 300 bytes
	Digest string // of the input; a different digest under the same key is refused
	Result ID     // the memory, receipt or decision (NoteDecision) that the write made
	Before ID     // the memory that it replaced, if any
	Answer json.RawMessage
	At     time.Time
}

// DeletionStatus is the progress of an erasure.
type DeletionStatus string

// The statuses of an erasure.
const (
	DeletionPending  DeletionStatus = "PENDING"
	DeletionComplete DeletionStatus = "COMPLETE"
)

// Receipt proves an erasure: anyone can hash the sorted ids and compare. Its ids
// are stored apart from it (Reader.ReceiptIDs).
type Receipt struct {
	ID          ID
	Status      DeletionStatus
	Count       int
	Hash        string // SHA-256 of the sorted ids joined by newlines, lower-case hex
	RequestedAt time.Time
	CompletedAt time.Time
	Owner       string // mark of the principal that asked for the erasure; empty for receipts of earlier versions
	Anonymised  int    // how many of the erased memories are safety-critical and kept in anonymised form

	Forecast *Forecast // of a dry run, never stored; nil: the erasure took place
}

// Forecast is what a dry run of an erasure says besides the receipt.
type Forecast struct {
	IDs []ID // memories that would be erased, ascending
	// Mentions counts the memories that mention the user or the entities and would stay, because
	// they belong to others or to nobody.
	Mentions int
	// SafetyLost are the memories that would be erased without an anonymised copy and are safety-critical, or state what harm follows from, such as an allergy.
	SafetyLost []ID
	// APIKeys counts the API keys that are bound to the user and would be deleted.
	APIKeys int
}
