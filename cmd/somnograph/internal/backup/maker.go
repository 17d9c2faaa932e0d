package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
)

// page is the number of memories per read.
const page = 200

// Maker makes the objects of backups of a store.
type Maker struct {
	Store   graph.Store
	ID      string // identity of the store
	Secrets Secrets
	// Files reads the files of the data directory that belong to a backup, by name.
	Files func() (map[string][]byte, error)
	// Dir is the data directory, which keeps the ends of the backups that it made. Empty: segments
	// follow every backup of the store.
	Dir    string
	Now    func() time.Time
	Random io.Reader
	// Keys names the directory of keys in errors.
	Keys   string
	Logger *slog.Logger // nil: nothing is logged
	// Ledger is how far the records in the directory of keys have come; nil: there are none.
	Ledger func() map[string]ledger.Position
}

// Made is the result of a round.
type Made struct {
	Manifest *Manifest
	Text     []byte // signed
	Changed  bool   // false: nothing was touched since the last round, and nothing was put
}

// Next makes a round. prev is the signed manifest of the last one; with full, or without prev, the
// round is a full export that begins a generation. put stores the objects in order; the caller
// stores the manifest after them.
func (m *Maker) Next(ctx context.Context, prev []byte, full bool, put func(name string, object []byte) error) (made *Made, err error) {
	keys, err := m.keys(prev)
	if err != nil {
		return nil, err
	}
	key := keys.Key
	r := &round{maker: m, key: key, put: put, ctx: ctx}
	if len(prev) > 0 {
		if err := r.follow(prev, keys); err != nil {
			return nil, err
		}
		full = full || !bytes.Equal(r.next.key, key) // a generation has one key
		continues, err := m.continues(&r.next)
		if err != nil {
			return nil, err
		}
		full = full || !continues
	}
	if r.next.Backup == "" || full {
		if err := r.beginGeneration(); err != nil {
			return nil, err
		}
		if err := m.noteBegun(ctx, r.next.Backup, r.next.Generation); err != nil {
			return nil, err
		}
		if r.next.Generation == 1 {
			defer func() {
				if err != nil {
					m.dropBackup(ctx, r.next.Backup)
				}
			}()
		}
	}
	if err := graph.FlushUses(ctx, m.Store); err != nil {
		return nil, fmt.Errorf("backup: write the uses: %w", err)
	}
	tenants, err := m.Store.Tenants(ctx)
	if err != nil {
		return nil, fmt.Errorf("backup: list the tenants: %w", err)
	}
	tenants = append(tenants, graph.ServerScope().Tenant)
	if err := r.open(tenants, nil); err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	made = &Made{Manifest: &r.next, Changed: r.changed}
	if !r.changed {
		made.Text = prev
		return made, nil
	}
	r.next.Version = manifestVersion
	if m.Ledger != nil {
		r.next.Ledger = m.Ledger()
	}
	if made.Text, err = r.next.encode(key); err != nil {
		return nil, err
	}
	return made, m.noteEnd(&r.next)
}

// Committed records that a target has the manifest of a round. The ends of what a former key signed were
// kept when it was replaced.
func (m *Maker) Committed(text []byte) error {
	keys, err := m.keys(text)
	if err != nil {
		return err
	}
	manifest, err := keys.parseManifest(text, true)
	if err != nil || !bytes.Equal(manifest.key, keys.Key) {
		return err
	}
	if err := noteHead(m.Secrets, manifest); err != nil {
		return err
	}
	return m.noteComplete(context.Background(), manifest)
}

// round is one round.
type round struct {
	ctx     context.Context
	maker   *Maker
	key     Key
	next    Manifest
	full    bool
	put     func(name string, object []byte) error
	changed bool

	at     time.Time
	tenant graph.Tenant // of the last line
	lines  bytes.Buffer
	count  int
	kinds  []graph.RowKind
}

// snapshot is the open snapshot of a tenant.
type snapshot struct {
	tenant   graph.Tenant
	reader   graph.Reader
	journal  graph.Journal
	position graph.Position
}

// follow begins where a manifest ends.
func (r *round) follow(prev []byte, keys *Keys) error {
	before, err := keys.parseManifest(prev, true)
	if err != nil {
		if foreign := r.maker.foreign(prev); foreign != nil {
			return foreign
		}
		if errors.Is(err, errSignature) && r.maker.Keys != "" {
			return fmt.Errorf("the backup can't be continued: %w; the key is in %s", err, r.maker.Keys)
		}
		return fmt.Errorf("the backup can't be continued: %w", err)
	}
	if before.Store != r.maker.ID {
		return fmt.Errorf("the backup there is of store %s, and this is store %s: choose another target", before.Store, r.maker.ID)
	}
	r.next = *before
	r.next.Positions, r.next.Files = map[graph.Tenant]graph.Position{}, map[string]string{}
	maps.Copy(r.next.Positions, before.Positions)
	maps.Copy(r.next.Files, before.Files)
	return nil
}

// beginGeneration begins the next generation, or the first one of a backup.
func (r *round) beginGeneration() error {
	identity := r.next.Backup
	if identity == "" {
		var b [16]byte
		if _, err := io.ReadFull(r.maker.Random, b[:]); err != nil {
			return fmt.Errorf("backup: randomness: %w", err)
		}
		identity = hex.EncodeToString(b[:])
	}
	r.next = Manifest{
		Somnograph: "backup", Version: manifestVersion, Store: r.maker.ID, Backup: identity, Generation: r.next.Generation + 1,
		At:        r.next.At, // the new one is later
		Positions: map[graph.Tenant]graph.Position{}, Files: map[string]string{},
	}
	r.full = true
	return nil
}

// open opens a snapshot of every tenant, before anything is read of any, and writes the round.
func (r *round) open(tenants []graph.Tenant, all []snapshot) error {
	if len(tenants) == 0 {
		return r.write(all)
	}
	return r.maker.Store.View(r.ctx, graph.Scope{Tenant: tenants[0]}, func(reader graph.Reader) error {
		journal, ok := reader.(graph.Journal)
		if !ok {
			return errors.New("this store can't be backed up: it has no journal")
		}
		position, err := journal.Position() // begins the snapshot
		if err != nil {
			return err
		}
		return r.open(tenants[1:], append(all, snapshot{tenants[0], reader, journal, position}))
	})
}

// write writes the lines of all tenants, and the last object.
func (r *round) write(all []snapshot) error {
	r.at = graph.Millis(r.maker.Now()).Add(time.Millisecond) // not before any commit of the snapshots
	if !r.at.After(r.next.At) {
		r.at = r.next.At.Add(time.Millisecond)
	}
	if err := r.files(); err != nil {
		return err
	}
	for _, s := range all {
		since, known := r.next.Positions[s.tenant]
		if known && since == s.position {
			continue
		}
		var err error
		if r.full || !known {
			err = r.whole(s)
		} else {
			err = r.touched(s, since)
		}
		if err != nil {
			return fmt.Errorf("tenant %s: %w", s.tenant, err)
		}
		r.next.Positions[s.tenant] = s.position
	}
	if r.lines.Len() == 0 && !r.changed && !r.full {
		return nil
	}
	return r.flush(true)
}

// files writes the files of the data directory that changed.
func (r *round) files() error {
	if r.maker.Files == nil {
		return nil
	}
	files, err := r.maker.Files()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum := sha256.Sum256(files[name])
		if hash := hex.EncodeToString(sum[:]); r.next.Files[name] != hash {
			if err := r.special(special{File: &file{name, files[name]}}); err != nil {
				return err
			}
			r.next.Files[name] = hash
		}
	}
	return nil
}

// whole writes every row of a tenant.
func (r *round) whole(s snapshot) error {
	namespaces := map[string]bool{}
	for e, err := range graph.AllEntities(s.reader) {
		if err != nil {
			return err
		}
		namespaces[e.Namespace] = true
		b, err := transfer.EncodeEntity(e)
		if err := r.line(s.tenant, graph.RowEntity, b, err); err != nil {
			return err
		}
	}
	for after := graph.ID(""); ; {
		some, err := s.reader.ListMemories(graph.MemoryQuery{After: after, Limit: page})
		if err != nil {
			return err
		}
		for _, m := range some {
			namespaces[m.Namespace] = true
			b, err := transfer.EncodeMemory(s.reader, m)
			if err := r.line(s.tenant, graph.RowMemory, b, err); err != nil {
				return err
			}
		}
		if len(some) < page {
			break
		}
		after = some[len(some)-1].ID
	}
	// There is no list of relations, receipts and settings. Commits of earlier versions name
	// relations only; the receipts of those have notes, and their settings known names.
	rest := map[graph.Row]bool{}
	err := s.journal.Touched(graph.Position{}, func(row graph.Row) error {
		switch row.Kind {
		case graph.RowRelation, graph.RowReceipt, graph.RowSetting:
			rest[row] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, kind := range graph.NoteKinds {
		for n, err := range graph.AllNotes(s.reader, kind, "", false) {
			if err != nil {
				return err
			}
			if kind == graph.NoteProof || kind == graph.NoteErasure {
				rest[graph.Row{Kind: graph.RowReceipt, ID: n.ID}] = true
			}
			b, err := transfer.EncodeNote(n)
			if err := r.line(s.tenant, graph.RowNote, b, err); err != nil {
				return err
			}
		}
	}
	for ns := range namespaces {
		rest[graph.Row{Kind: graph.RowSetting, Name: transfer.PolicySetting(ns)}] = true
	}
	for _, name := range formerSettings {
		rest[graph.Row{Kind: graph.RowSetting, Name: name}] = true
	}
	return r.rows(s, rest, false)
}

// formerSettings are the settings that versions before 0.3 wrote, besides policies.
var formerSettings = []string{
	"webhooks", "forget.job", "forget.shred", "documents.applying", "embedded.since", "sleep.reasons", "sleep.cycle", "sleep.last",
	"sleep.rollback", "sleep.again", "reembed", "claims", "clusters.version",
}

// touched writes the rows that were touched after a position.
func (r *round) touched(s snapshot, since graph.Position) error {
	rows := map[graph.Row]bool{}
	err := s.journal.Touched(since, func(row graph.Row) error { rows[row] = true; return nil })
	if err != nil {
		return err
	}
	return r.rows(s, rows, true)
}

// rowOrder is the order of rows in a round: a row follows those that it refers to.
var rowOrder = []graph.RowKind{graph.RowEntity, graph.RowMemory, graph.RowRelation, graph.RowNote, graph.RowSetting, graph.RowReceipt}

// rows writes rows in order; with gone also that some do not exist any more.
func (r *round) rows(s snapshot, rows map[graph.Row]bool, gone bool) error {
	sorted := slices.SortedFunc(maps.Keys(rows), func(a, b graph.Row) int {
		if c := slices.Index(rowOrder, a.Kind) - slices.Index(rowOrder, b.Kind); c != 0 {
			return c
		}
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	for _, row := range sorted {
		b, found, err := transfer.Encode(s.reader, row)
		if err == nil && !found {
			if !gone {
				continue
			}
			b, err = json.Marshal(special{Gone: &goneRow{row.Kind, row.ID, row.Name}})
		}
		if err := r.line(s.tenant, row.Kind, b, err); err != nil {
			return err
		}
	}
	return nil
}

// special is a line that is not a row.
type special struct {
	Tenant graph.Tenant `json:"tenant,omitempty"` // of the lines that follow, up to the end of the object
	Gone   *goneRow     `json:"gone,omitempty"`   // a row that does not exist any more
	File   *file        `json:"file,omitempty"`   // of the data directory
}

type goneRow struct {
	Kind graph.RowKind `json:"kind"`
	ID   graph.ID      `json:"id,omitempty"`
	Name string        `json:"name,omitempty"`
}

type file struct {
	Name string `json:"name"`
	Data []byte `json:"data"`
}

func (r *round) special(x special) error {
	b, err := json.Marshal(x)
	if err != nil {
		return err
	}
	r.add(b)
	return nil
}

// line adds the line of a row, whose encoding may have failed.
func (r *round) line(t graph.Tenant, kind graph.RowKind, b []byte, err error) error {
	if err != nil {
		return err
	}
	if r.lines.Len() >= objectTarget {
		if err := r.flush(false); err != nil {
			return err
		}
	}
	if r.tenant != t {
		if err := r.special(special{Tenant: t}); err != nil {
			return err
		}
		r.tenant = t
	}
	if !slices.Contains(r.kinds, kind) {
		r.kinds = append(r.kinds, kind)
	}
	r.add(b)
	return r.ctx.Err()
}

func (r *round) add(b []byte) {
	r.lines.Write(b)
	r.lines.WriteByte('\n')
	r.count++
}

// flush seals the lines as an object and puts it.
func (r *round) flush(end bool) error {
	h := &header{
		Store: r.next.Store, Backup: r.next.Backup, Generation: r.next.Generation, Number: r.next.Objects + 1, Previous: r.next.Chain,
		Full: r.full, End: end, At: r.at, Kinds: r.kinds, Lines: r.count,
	}
	if end {
		h.Positions = r.next.Positions
	}
	object, err := sealObject(r.key, h, r.lines.Bytes(), r.maker.Random)
	if err != nil {
		return err
	}
	hash := hashOf(object)
	if err := r.put(storedName(h.Generation, h.Number, hash), object); err != nil {
		return err
	}
	n := &r.next
	n.Objects, n.Chain, n.Lines, n.Bytes = h.Number, hash, n.Lines+h.Lines, n.Bytes+int64(len(object))
	if end {
		n.At, n.Boundaries = r.at, n.Boundaries+1
		if r.full {
			n.FullAt, n.Full = r.at, n.Objects
		}
	}
	r.lines.Reset()
	r.count, r.kinds, r.tenant, r.changed = 0, nil, "", true
	return nil
}
