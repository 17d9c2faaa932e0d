package transfer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/library"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/session"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// movedNote is a kind of notes that an export holds and an import takes.
type movedNote struct {
	kind graph.NoteKind
	// check returns what is wrong with a note, and the memories that its Data names and that must exist.
	check func(*graph.Note) ([]graph.ID, error)
}

// movedNotes are the kinds of notes that are exported, and all that an import takes. A running sleep
// (NotePlan) is not among them: the memories have what it did so far.
var movedNotes = []movedNote{
	{graph.NoteDecision, alone(ingest.CheckNote)},
	{graph.NoteSleep, alone(checkReport)},
	{graph.NoteUndo, alone(checkUndo)},
	{graph.NoteSession, alone(session.CheckNote)},
	{graph.NoteFeedback, alone(recall.CheckNote)},
	{graph.NoteDead, alone(workspace.CheckLetter)},
	{graph.NoteDocument, library.CheckNote},
	{graph.NoteConflict, alone(patterns.CheckNote)},
	// Notes of clusters are checked with each other, see grouping.Imported.
	{graph.NoteClusters, alone(clusterNote)},
	{graph.NoteClusterPart, alone(clusterNote)},
	{graph.NoteClusterEvents, alone(clusterNote)},
}

// stays says why the other kinds stay with their server.
var stays = map[graph.NoteKind]string{
	graph.NotePlan:       "it belongs to a running sleep",
	graph.NoteAside:      "it holds vectors of a model that is not in use",
	graph.NoteAPIKey:     "a server makes its own keys",
	graph.NoteTenant:     "a server makes its own tenants",
	graph.NoteAudit:      "the audit belongs to the server that signs it",
	graph.NoteAuditBlock: "the audit belongs to the server that signs it",
	graph.NoteAuditRoot:  "the audit belongs to the server that signs it",
	graph.NoteProof:      "the log of erasures belongs to the server that signs it",
	graph.NoteErasure:    "a server makes the erasures that it was asked for",
	graph.NoteAlarm:      "a server raises its own alarms",
}

func alone(check func(*graph.Note) error) func(*graph.Note) ([]graph.ID, error) {
	return func(n *graph.Note) ([]graph.ID, error) { return nil, check(n) }
}

func clusterNote(*graph.Note) error { return nil }

// checkNote returns what is wrong with a note, and the memories that its Data names.
func checkNote(n *graph.Note) ([]graph.ID, error) {
	at := slices.IndexFunc(movedNotes, func(m movedNote) bool { return m.kind == n.Kind })
	if at < 0 {
		why := "no such kind is known"
		if said, known := stays[n.Kind]; known {
			why = said
		}
		return nil, fmt.Errorf("in Kind: a note of kind %q is in no export and can't be imported (%s); the kinds are %s", n.Kind, why, kinds())
	}
	if err := n.Validate(); err != nil {
		return nil, fmt.Errorf("in a note of kind %s: %s", n.Kind, err)
	}
	if i := slices.IndexFunc(n.Memories, func(id graph.ID) bool { return !id.Valid() }); i >= 0 {
		return nil, fmt.Errorf("in a note of kind %s: in Memories: %q is no id", n.Kind, n.Memories[i])
	}
	names, err := movedNotes[at].check(n)
	if err != nil {
		return nil, fmt.Errorf("in a note of kind %s: %s", n.Kind, err)
	}
	return names, nil
}

// kinds lists the kinds of notes that move.
func kinds() string {
	var all []string
	for _, m := range movedNotes {
		all = append(all, string(m.kind))
	}
	return strings.Join(all, ", ")
}

// PolicySetting is the name of the setting that holds the policy of a namespace. Policies are the
// settings that are exported, and all that an import takes.
func PolicySetting(namespace string) string { return "policy." + namespace }

// checkSetting returns what is wrong with a setting, or nil.
func checkSetting(name string, value []byte) error {
	namespace, is := strings.CutPrefix(name, PolicySetting(""))
	if !is {
		return fmt.Errorf("in Name: the setting %q is in no export and can't be imported; only %s can, the policy of a namespace", name, PolicySetting("NAMESPACE"))
	}
	if !graph.ValidNamespace(namespace) {
		return fmt.Errorf("in Name: %q names no namespace", name)
	}
	p, err := policy.Decode(value)
	if err == nil {
		_, err = policy.Encode(p)
	}
	if err != nil {
		// Not %w: an invalid policy in the store is its damage, and one in a file is not.
		return fmt.Errorf("in Setting %s: not a valid policy: %s", name, err)
	}
	if len(value) > graph.MaxSetting {
		return fmt.Errorf("in Setting %s: it has %d bytes, more than %d", name, len(value), graph.MaxSetting)
	}
	return nil
}

// errUnknown is returned for a line that has no known field.
var errUnknown = errors.New("has no known field: a line is an entity, a memory, a relation, a note, a setting or the end")
