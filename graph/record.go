package graph

import (
	"encoding/json"
	"time"
)

// Request remembers an idempotent write: the same key twice is one write.
type Request struct {
	Key    string // verb and caller's key, joined by the engine; at most 300 bytes
	Digest string // of what was asked; another digest under the same key is refused
	Result ID     // the memory or receipt that the write made
	Before ID     // the memory it replaced, where it did
	Answer json.RawMessage
	At     time.Time
}

// DeletionStatus says how far an erasure has come.
type DeletionStatus string

// The statuses of an erasure.
const (
	DeletionPending  DeletionStatus = "PENDING"
	DeletionComplete DeletionStatus = "COMPLETE"
)

// Receipt proves an erasure: anyone can hash the sorted ids and compare. Its ids
// are kept as pages beside it (Reader.ReceiptIDs).
type Receipt struct {
	ID          ID
	Status      DeletionStatus
	Count       int
	Hash        string // SHA-256 of the sorted ids joined by newlines, lower-case hex
	RequestedAt time.Time
	CompletedAt time.Time
	Anonymised  int // of the erased, how many safety-critical ones are kept in a form that names nobody
}
