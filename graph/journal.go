package graph

import (
	"regexp"
	"strings"
)

// RowKind is the kind of a row of a tenant, as a [Journal] names it.
type RowKind string

// The kinds of row.
const (
	RowMemory   RowKind = "MEMORY" // with its vector, its usage and the edges that begin at it
	RowEntity   RowKind = "ENTITY"
	RowRelation RowKind = "RELATION"
	RowNote     RowKind = "NOTE"
	RowReceipt  RowKind = "RECEIPT" // with its erased ids
	RowSetting  RowKind = "SETTING"
)

// Row names a row of a tenant.
type Row struct {
	Kind RowKind
	ID   ID     // empty for a setting
	Name string // the kind of a note, or the name of a setting
}

// Position is a place in the order of commits of a tenant. Zero is before the first commit. Its
// numbers have a meaning for the store that made them only.
type Position struct {
	Commit uint64 `json:"commit"`
	Cursor Cursor `json:"cursor"`
}

// Journal is a [Reader] that knows which rows each commit touched. The readers of both stores
// implement it for a scope that shows everything. Commits of earlier versions are known by their
// changes only: the feed names memories, entities and relations, and [Journal] also what a commit
// writes without a change of that kind.
type Journal interface {
	// Position is that of the last commit which the snapshot shows.
	Position() (Position, error)
	// Touched calls each for every row that was written or removed after the position, up to the
	// snapshot, at least once. A row may have been removed since. Requests are not named.
	Touched(after Position, each func(Row) error) error
}

var settingWords = regexp.MustCompile(`^[a-z]+(\.[a-z0-9]+)*$`)

// NamedInJournal reports whether a [Journal] names a setting. Names in a journal are in clear and
// outlive what they name, so they must hold no content: only words and numbers with dots between them,
// "policy." with a namespace, which the feed names too, and "webhook." with an id are named. Other
// settings are not in segments of backups.
func NamedInJournal(setting string) bool {
	if ns, ok := strings.CutPrefix(setting, "policy."); ok {
		return ValidNamespace(ns)
	}
	if id, ok := strings.CutPrefix(setting, "webhook."); ok {
		return ID(id).Valid()
	}
	return settingWords.MatchString(setting)
}

// NoteKinds lists every NoteKind.
var NoteKinds = []NoteKind{
	NoteDecision, NoteSleep, NotePlan, NoteUndo, NoteSession, NoteFeedback, NoteDead, NoteAside, NoteDocument, NoteConflict, NoteAPIKey, NoteTenant,
	NoteClusters, NoteClusterPart, NoteClusterEvents, NoteAudit, NoteAuditBlock, NoteAuditRoot, NoteProof, NoteErasure, NoteAlarm,
}

// Row returns the row that a change is about. ok is false for a change without a row.
func (c Change) Row() (row Row, ok bool) {
	switch c.Node {
	case NodeMemory, NodeUsage:
		return Row{Kind: RowMemory, ID: c.ID}, true
	case NodeEntity:
		return Row{Kind: RowEntity, ID: c.ID}, true
	case NodeRelation:
		return Row{Kind: RowRelation, ID: c.ID}, true
	}
	return Row{}, false
}

// Mender is a [Tx] that can take away damaged rows, so that others can be written in their place. The
// transactions of both stores implement it.
type Mender interface {
	// DropDamaged removes those rows of a memory that fail their checksum: its own, and that of its
	// vector. It says which. What refers to the memory stays.
	DropDamaged(id ID) (memory, vector bool, err error)
}
