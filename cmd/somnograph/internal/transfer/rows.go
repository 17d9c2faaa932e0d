package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// receiptLine is a receipt with its erased ids. Exports have none; backups do.
type receiptLine struct {
	*graph.Receipt
	IDs []graph.ID `json:",omitempty"`
}

// Encode returns the line of a row, without a newline. ok is false if there is no such row.
func Encode(r graph.Reader, row graph.Row) (b []byte, ok bool, err error) {
	l, err := lineOf(r, row)
	if known, err := graph.Found(err); !known || l == nil {
		return nil, false, err
	}
	b, err = json.Marshal(l)
	return b, err == nil, err
}

// EncodeMemory returns the line of a memory, without a newline.
func EncodeMemory(r graph.Reader, m *graph.Memory) ([]byte, error) {
	l, err := memoryLineOf(r, m)
	if err != nil {
		return nil, err
	}
	return json.Marshal(line{Memory: l})
}

// EncodeEntity returns the line of an entity, without a newline.
func EncodeEntity(e *graph.Entity) ([]byte, error) {
	return json.Marshal(line{Entity: &entityLine{e, e.Properties}})
}

// EncodeNote returns the line of a note, without a newline.
func EncodeNote(n *graph.Note) ([]byte, error) {
	return json.Marshal(line{Note: &noteLine{n, n.Data}})
}

// lineOf reads a row; nil if no line is known for its kind.
func lineOf(r graph.Reader, row graph.Row) (*line, error) {
	switch row.Kind {
	case graph.RowMemory:
		m, err := r.Memory(row.ID)
		if err != nil {
			return nil, err
		}
		l, err := memoryLineOf(r, m)
		return &line{Memory: l}, err
	case graph.RowEntity:
		e, err := r.Entity(row.ID)
		if err != nil {
			return nil, err
		}
		return &line{Entity: &entityLine{e, e.Properties}}, nil
	case graph.RowRelation:
		rel, err := r.RelationByID(row.ID)
		if err != nil {
			return nil, err
		}
		return &line{Relation: &relationLine{rel}}, nil
	case graph.RowNote:
		n, err := r.Note(graph.NoteKind(row.Name), row.ID)
		if err != nil {
			return nil, err
		}
		return &line{Note: &noteLine{n, n.Data}}, nil
	case graph.RowSetting:
		v, err := r.Setting(row.Name)
		if err != nil {
			return nil, err
		}
		return &line{Setting: &settingLine{row.Name, v}}, nil
	case graph.RowReceipt:
		l, err := receiptLineOf(r, row.ID)
		return &line{Receipt: l}, err
	}
	return nil, nil
}

// memoryLineOf reads what belongs to a memory.
func memoryLineOf(r graph.Reader, m *graph.Memory) (*memoryLine, error) {
	l := &memoryLine{Memory: m, Meta: m.Meta}
	if m.Status() == graph.Forgotten {
		return l, nil
	}
	v, err := r.Embedding(m.ID)
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		return nil, err
	}
	l.Vector = vectorBytes(v)
	l.Edges, err = r.Edges(m.ID, graph.Out)
	return l, err
}

func receiptLineOf(r graph.Reader, id graph.ID) (*receiptLine, error) {
	receipt, err := r.Receipt(id)
	if err != nil {
		return nil, err
	}
	l := &receiptLine{Receipt: receipt}
	for after := graph.ID(""); ; {
		some, err := r.ReceiptIDs(id, after, graph.MaxPage)
		if err != nil {
			return nil, err
		}
		l.IDs = append(l.IDs, some...)
		if len(some) < graph.MaxPage {
			return l, nil
		}
		after = some[len(some)-1]
	}
}

// Line is a decoded line of a row.
type Line struct {
	line
	size int
}

// Decode parses the line of a row.
func Decode(b []byte) (l Line, err error) {
	l.size = len(b)
	if err := json.Unmarshal(b, &l.line); err != nil {
		return l, fmt.Errorf("a line can't be read: %w", err)
	}
	if l.Row().Kind == "" {
		return l, errors.New("a line has no known field")
	}
	return l, nil
}

// Row is the row of the line; without a kind if it has none.
func (l Line) Row() graph.Row {
	switch {
	case l.Memory != nil && l.Memory.Memory != nil && len(l.Memory.History) > 0:
		return graph.Row{Kind: graph.RowMemory, ID: l.Memory.ID}
	case l.Entity != nil && l.Entity.Entity != nil:
		return graph.Row{Kind: graph.RowEntity, ID: l.Entity.ID}
	case l.Relation != nil && l.Relation.Relation != nil:
		return graph.Row{Kind: graph.RowRelation, ID: l.Relation.ID}
	case l.Note != nil && l.Note.Note != nil:
		return graph.Row{Kind: graph.RowNote, ID: l.Note.ID, Name: string(l.Note.Kind)}
	case l.Setting != nil:
		return graph.Row{Kind: graph.RowSetting, Name: l.Setting.Name}
	case l.Receipt != nil && l.Receipt.Receipt != nil:
		return graph.Row{Kind: graph.RowReceipt, ID: l.Receipt.ID}
	}
	return graph.Row{}
}

// Size is the length of the line in bytes.
func (l Line) Size() int { return l.size }

// Put writes the row. In place of a FORGOTTEN memory it writes a placeholder, to which other rows
// can refer; [Line.Stub] must be erased when all rows are written. Uses are counted apart.
func (l Line) Put(tx graph.Tx) error {
	if l.Receipt != nil {
		if err := tx.PutReceipt(*l.Receipt.Receipt); err != nil {
			return err
		}
		for some := range slices.Chunk(l.Receipt.IDs, 500) {
			if err := tx.PutReceiptIDs(l.Receipt.ID, some); err != nil {
				return err
			}
		}
		return nil
	}
	return put(tx, l.line)
}

// Stub returns the FORGOTTEN memory of the line, and when it was erased.
func (l Line) Stub() (id graph.ID, at time.Time, ok bool) {
	if l.Memory == nil || l.Memory.Memory == nil || len(l.Memory.History) == 0 || l.Memory.Status() != graph.Forgotten {
		return "", time.Time{}, false
	}
	return l.Memory.ID, l.Memory.DeletedAt, true
}

// Live returns the memory of the line with its vector; nil if it has none, or a FORGOTTEN one.
func (l Line) Live() (*graph.Memory, []float32, error) {
	if _, _, gone := l.Stub(); gone || l.Memory == nil || l.Memory.Memory == nil || len(l.Memory.History) == 0 {
		return nil, nil, nil
	}
	l.Memory.Memory.Meta = raw(l.Memory.Meta)
	v, err := vectorOf(l.Memory.Vector)
	return l.Memory.Memory, v, err
}

// Withhold removes what the line says of erased memories, but nothing that their erasure needs: the
// content of a memory, or the data of a note about one. It reports whether the line is such a
// memory.
func (l Line) Withhold(erased func(graph.ID) bool) bool {
	if l.Note != nil && l.Note.Note != nil && slices.ContainsFunc(l.Note.Memories, erased) {
		l.Note.Data = nil
	}
	if _, _, gone := l.Stub(); gone || l.Memory == nil || l.Memory.Memory == nil || !erased(l.Memory.ID) {
		return false
	}
	l.withhold()
	return true
}

func (l Line) withhold() {
	l.Memory.Memory, l.Memory.Vector, l.Memory.Meta = withoutContent(l.Memory.Memory), nil, nil
}

// Uses returns the memories of lines by the use to count, in order of time.
func Uses(lines []Line, each func([]graph.ID, graph.Use) error) error {
	at := map[time.Time][]graph.ID{}
	for _, l := range lines {
		m, _, err := l.Live()
		if err != nil {
			return err
		}
		if m == nil {
			continue
		}
		if m.Usage.Count > maxUses {
			return fmt.Errorf("memory %s has more than %d uses", m.ID, maxUses)
		}
		for _, use := range usesOf(m.Usage) {
			if len(use.Sessions) == 0 && !slices.Contains(at[use.At], m.ID) {
				at[use.At] = append(at[use.At], m.ID)
				continue
			}
			if err := each([]graph.ID{m.ID}, use); err != nil {
				return err
			}
		}
	}
	for _, t := range slices.SortedFunc(maps.Keys(at), time.Time.Compare) {
		if err := each(at[t], graph.Use{At: t}); err != nil {
			return err
		}
	}
	return nil
}
