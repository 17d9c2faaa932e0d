package grouping

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Settlement is the clusters of one owner as a sleep found them. All members belong to one
// namespace and one user.
type Settlement struct {
	ID        graph.ID // of its note
	Namespace string
	User      string    // known where the settlement was made; it is not stored
	At        time.Time // instant of the sleep
	Sleep     graph.ID  // its report
	Before    graph.ID  // the settlement that it replaces; empty: none
	Clusters  []Stored
	Events    []Event // those of the largest clusters first
}

// Stored is a cluster of a settlement.
type Stored struct {
	ID        graph.ID
	CreatedAt time.Time // when it was born
	UpdatedAt time.Time // instant of the last sleep that changed its members
	Density   float64   // [0,1], see [cluster.Settled]
	Medoid    graph.ID
	Members   []Member // the strongest first
}

// Member is a memory in a cluster.
type Member struct {
	ID       graph.ID
	Strength float64 // how deep inside the cluster it lies, [0,1]
	Settled  bool    // false: it joined since the last sleep
}

// rootRecord is the Data of the note of a settlement.
type rootRecord struct {
	Sleep  graph.ID `json:"sleep"`
	Before graph.ID `json:"before,omitempty"`
	Parts  int      `json:"parts"`
}

// partRecord is the Data of the note of a part.
type partRecord struct {
	Root graph.ID `json:"root"`
	Body string   `json:"body"` // base64 of encodePart
}

const (
	idBytes      = 16
	maxPartBytes = 96 << 10 // of the binary form of a part
)

// EncodeParts divides the clusters into parts that each fit into a note. A cluster may continue in
// the next part.
func (s *Settlement) EncodeParts() ([][]byte, error) {
	var parts [][]byte
	var part []byte
	for i := range s.Clusters {
		c := &s.Clusters[i]
		for from := 0; from < len(c.Members) || from == 0; {
			if len(part) > maxPartBytes-1024 {
				parts, part = append(parts, part), nil
			}
			n := min(len(c.Members)-from, (maxPartBytes-len(part))/(idBytes+1))
			var err error
			if part, err = c.append(part, from, from+n); err != nil {
				return nil, err
			}
			if from += n; n == 0 {
				break
			}
		}
	}
	if len(part) > 0 {
		parts = append(parts, part)
	}
	return parts, nil
}

// append adds the cluster with some of its members to a part: its id, medoid, instants, density,
// and the number of members, then the id and the strength of each.
func (c *Stored) append(b []byte, from, to int) ([]byte, error) {
	for _, id := range []graph.ID{c.ID, c.Medoid} {
		raw, err := id.Bytes()
		if err != nil {
			return nil, err
		}
		b = append(b, raw[:]...)
	}
	b = binary.AppendVarint(b, c.CreatedAt.UnixMilli())
	b = binary.AppendVarint(b, c.UpdatedAt.UnixMilli())
	b = append(b, unitByte(c.Density))
	b = binary.AppendUvarint(b, uint64(to-from))
	for _, m := range c.Members[from:to] {
		raw, err := m.ID.Bytes()
		if err != nil {
			return nil, err
		}
		b = append(append(b, raw[:]...), unitByte(m.Strength))
	}
	return b, nil
}

// unitByte rounds a number of [0,1] to a byte.
func unitByte(x float64) byte { return byte(math.Round(255 * max(0, min(1, x)))) }

// decodeParts reads the clusters of parts in their order.
func decodeParts(parts [][]byte) ([]Stored, error) {
	var out []Stored
	for _, b := range parts {
		r := &partReader{b: b}
		for len(r.b) > 0 && !r.short {
			c := Stored{ID: r.id(), Medoid: r.id(), CreatedAt: r.instant(), UpdatedAt: r.instant(), Density: r.unit()}
			n := r.count()
			into := &c
			if last := len(out) - 1; last >= 0 && out[last].ID == c.ID {
				into = &out[last]
			}
			for range n {
				into.Members = append(into.Members, Member{ID: r.id(), Strength: r.unit(), Settled: true})
			}
			if into == &c {
				out = append(out, c)
			}
		}
		if r.short {
			return nil, fmt.Errorf("%w: a part of a clustering ends early", graph.ErrIntegrity)
		}
	}
	return out, nil
}

// partReader reads the fields of a part. After the end it returns zero values and sets short.
type partReader struct {
	b     []byte
	short bool
}

func (r *partReader) take(n int) []byte {
	if len(r.b) < n {
		r.b, r.short = nil, true
		return make([]byte, n)
	}
	head := r.b[:n]
	r.b = r.b[n:]
	return head
}

func (r *partReader) id() graph.ID  { return graph.IDFromBytes([idBytes]byte(r.take(idBytes))) }
func (r *partReader) unit() float64 { return float64(r.take(1)[0]) / 255 }

func (r *partReader) instant() time.Time {
	ms, n := binary.Varint(r.b)
	if n <= 0 {
		n, r.short = 0, true
	}
	r.b = r.b[n:]
	return time.UnixMilli(ms).UTC()
}

// count reads a number of members, which is at most what the rest can hold.
func (r *partReader) count() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > uint64(len(r.b)-n)/(idBytes+1) {
		r.b, r.short = nil, true
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

// SettlementID is the id of the settlement of an owner in a sleep. The same sleep always makes the
// same one.
func SettlementID(at time.Time, sleep graph.ID, namespace, user string) (graph.ID, error) {
	return graph.DerivedID(at, string(sleep), "clusters", namespace, user)
}

// partID is the id of the note of a part.
func partID(at time.Time, root graph.ID, part int) (graph.ID, error) {
	return graph.DerivedID(at, string(root), "part", fmt.Sprint(part))
}

// PutPart stores a part of a settlement, from [Settlement.EncodeParts].
func PutPart(tx graph.Tx, s *Settlement, part int, body []byte) error {
	id, err := partID(s.At, s.ID, part)
	if err != nil {
		return err
	}
	data, err := json.Marshal(partRecord{Root: s.ID, Body: base64.RawStdEncoding.EncodeToString(body)})
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteClusterPart, ID: id, Namespace: s.Namespace, At: s.At, Data: data})
}

// PutRoot stores a settlement whose parts are stored, and puts it in force.
func PutRoot(tx graph.Tx, s *Settlement, parts int) error {
	data, err := json.Marshal(rootRecord{Sleep: s.Sleep, Before: s.Before, Parts: parts})
	if err != nil {
		return err
	}
	if err := tx.PutNote(graph.Note{Kind: graph.NoteClusters, ID: s.ID, Namespace: s.Namespace, At: s.At, Data: data}); err != nil {
		return err
	}
	if err := putEvents(tx, s); err != nil {
		return err
	}
	if err := tidy(tx, s); err != nil {
		return err
	}
	return bump(tx, s.ID)
}

// Remove removes a settlement and its events in a rollback at an instant; a missing one is no error. The
// settlement before it is in force again.
func Remove(tx graph.Tx, id graph.ID, at time.Time) error {
	n, err := tx.Note(graph.NoteClusters, id)
	if known, err := graph.Found(err); !known {
		return err
	}
	if err := putUndone(tx, n, at); err != nil {
		return err
	}
	if err := tx.DeleteNote(graph.NoteClusterEvents, id); err != nil {
		return err
	}
	if err := removeState(tx, n); err != nil {
		return err
	}
	return bump(tx, "-"+id)
}

// removeState removes the note of a settlement and its parts.
func removeState(tx graph.Tx, n *graph.Note) error {
	root, err := readRoot(n)
	if err != nil {
		return err
	}
	for part := range root.Parts {
		at, err := partID(n.At, n.ID, part)
		if err != nil {
			return err
		}
		if err := tx.DeleteNote(graph.NoteClusterPart, at); err != nil {
			return err
		}
	}
	return tx.DeleteNote(graph.NoteClusters, n.ID)
}

// keepFor is how long a settlement stays after another one replaced it: the time in which a sleep
// can be rolled back, and a day.
const keepFor = 8 * 24 * time.Hour

// tidy removes settlements that no rollback can put in force any more: those before s, up to the
// newest one that is older than keepFor, and those that say that an owner has no clusters.
func tidy(tx graph.Tx, s *Settlement) error {
	if err := removeReplaced(tx, s.Before, s.At, false); err != nil {
		return err
	}
	oldest, err := tx.Notes(graph.NoteClusters, "", false, tidyBatch)
	if err != nil {
		return err
	}
	for _, n := range oldest {
		root, err := readRoot(n)
		if err != nil {
			return err
		}
		if root.Parts == 0 && s.At.Sub(n.At) > keepFor {
			if err := removeReplaced(tx, n.ID, s.At, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// tidyBatch is how many of the oldest settlements are looked at.
const tidyBatch = 64

// removeReplaced removes the settlements of a chain, the newest of which is id. If kept is false, it
// keeps those up to the first one that is older than keepFor at an instant.
func removeReplaced(tx graph.Tx, id graph.ID, at time.Time, kept bool) error {
	for id != "" {
		n, err := tx.Note(graph.NoteClusters, id)
		if known, err := graph.Found(err); !known {
			return err
		}
		root, err := readRoot(n)
		if err != nil {
			return err
		}
		if kept {
			if err := removeState(tx, n); err != nil {
				return err
			}
		}
		kept = kept || at.Sub(n.At) > keepFor
		id = root.Before
	}
	return nil
}

// versionSetting names the setting that changes whenever a settlement does. Servers compare it to
// know that what they have in memory is out of date.
const versionSetting = "clusters.version"

func bump(tx graph.Tx, change graph.ID) error {
	return tx.PutSetting(versionSetting, []byte(change))
}

// readRoot decodes the note of a settlement.
func readRoot(n *graph.Note) (rootRecord, error) {
	var root rootRecord
	if err := json.Unmarshal(n.Data, &root); err != nil {
		return root, fmt.Errorf("%w: note of a clustering: %w", graph.ErrIntegrity, err)
	}
	return root, nil
}

// readSettlement reads a settlement with all its parts.
func readSettlement(r graph.Reader, n *graph.Note) (*Settlement, error) {
	root, err := readRoot(n)
	if err != nil {
		return nil, err
	}
	s := &Settlement{ID: n.ID, Namespace: n.Namespace, At: n.At, Sleep: root.Sleep, Before: root.Before}
	var parts [][]byte
	for part := range root.Parts {
		id, err := partID(n.At, n.ID, part)
		if err != nil {
			return nil, err
		}
		note, err := r.Note(graph.NoteClusterPart, id)
		if err != nil {
			return nil, fmt.Errorf("read a part of a clustering: %w", err)
		}
		var record partRecord
		if err := json.Unmarshal(note.Data, &record); err != nil {
			return nil, fmt.Errorf("%w: part of a clustering: %w", graph.ErrIntegrity, err)
		}
		body, err := base64.RawStdEncoding.DecodeString(record.Body)
		if err != nil {
			return nil, fmt.Errorf("%w: part of a clustering: %w", graph.ErrIntegrity, err)
		}
		parts = append(parts, body)
	}
	s.Clusters, err = decodeParts(parts)
	return s, err
}

// current returns the settlements in force: those that no other one replaces. They are in the
// order of their ids.
func current(r graph.Reader) ([]*Settlement, error) {
	var roots []*graph.Note
	replaced := map[graph.ID]bool{}
	for n, err := range graph.AllNotes(r, graph.NoteClusters, "", false) {
		if err != nil {
			return nil, err
		}
		root, err := readRoot(n)
		if err != nil {
			return nil, err
		}
		roots = append(roots, n)
		replaced[root.Before] = true
	}
	var out []*Settlement
	for _, n := range roots {
		if replaced[n.ID] {
			continue
		}
		s, err := readSettlement(r, n)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
