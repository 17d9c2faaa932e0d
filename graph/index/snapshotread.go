package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
	"github.com/somnograph/somnograph/graph/keyring"
)

// errSnapshot means that a snapshot is damaged.
var errSnapshot = errors.New("it is damaged")

// readSnapshot loads a snapshot into an empty tenant. It reads the partitions in parallel.
func (t *tenant) readSnapshot(ctx context.Context, f *os.File) (_ graph.Cursor, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	key, err := t.readSnapshotKey(f)
	if err != nil {
		return 0, err
	}
	sections, whole := findSections(f, snapshotStartSize, info.Size())
	last := len(sections) - 1
	if !whole || last < 2 || sections[0].kind != sectionHead || sections[1].kind != sectionVectors || sections[last].kind != sectionEnd {
		return 0, errSnapshot
	}
	d := &decoder{file: f, key: key}
	if !d.openSection(sections[last]) || len(d.buf) > 0 || !d.openSection(sections[0]) {
		return 0, errSnapshot
	}
	cursor, err := t.readHead(ctx, d, keyNumber(key))
	if err != nil {
		return 0, err
	}
	if !d.openSection(sections[1]) {
		return 0, errSnapshot
	}
	files, err := readFiles(d)
	if err != nil {
		return 0, err
	}
	claims, err := t.files.Restore(files)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, claims.Close()) }()
	pieces, names, whole := t.arrangeSections(d, sections[2:last], claims)
	if !whole {
		return 0, errSnapshot
	}
	var jobs []readJob
	memories := 0
	for _, p := range pieces {
		memories += p.memories
	}
	t.partitionByID = make(map[graph.ID]*partition, memories)
	for _, p := range pieces {
		jobs = append(jobs, func(d *decoder) bool { return p.readMemories(ctx, t, d) })
	}
	for _, p := range pieces {
		jobs = append(jobs, p.readVectors)
	}
	jobs = append(jobs, func(d *decoder) bool { return t.readEntities(d, names) })
	if done := runJobs(ctx, f, key, t.opts.Workers, jobs); !done {
		return 0, cmp.Or(ctx.Err(), errSnapshot)
	}
	for _, p := range pieces {
		unclaimed, fits := p.finish(claims)
		if !fits {
			return 0, errSnapshot
		}
		t.missingVectors = append(t.missingVectors, unclaimed...)
	}
	if err := claims.Finish(t.files); err != nil {
		return 0, err
	}
	return cursor, nil
}

// maxDim is above the number of dimensions of any model.
const maxDim = 1 << 20

// readFiles reads the list of vector files.
func readFiles(d *decoder) ([]vectors.FileState, error) {
	var all []vectors.FileState
	for n := d.length(); n > 0 && !d.failed; n-- {
		dim, id, records, last := d.uvarint(), d.uvarint(), d.uvarint(), d.uvarint()
		twice := slices.ContainsFunc(all, func(x vectors.FileState) bool { return x.Dim == int(dim) })
		if d.failed || dim == 0 || dim > maxDim || records > uint64(slots.None) || last > uint64(slots.None) || twice {
			return nil, errSnapshot
		}
		all = append(all, vectors.FileState{Dim: int(dim), ID: id, Records: uint32(records), LastSerial: uint32(last)})
	}
	if d.failed || len(d.buf) > 0 {
		return nil, errSnapshot
	}
	return all, nil
}

// readJob reads a part of a snapshot, in parallel with other jobs. It returns false if the part
// is damaged.
type readJob func(d *decoder) bool

// runJobs runs the jobs with the given number of goroutines. It starts no more jobs after one
// has failed, and reports whether all succeeded.
func runJobs(ctx context.Context, f io.ReaderAt, key *keyring.Key, workers int, jobs []readJob) bool {
	var next atomic.Int64
	var failed atomic.Bool
	var all sync.WaitGroup
	for range min(workers, len(jobs)) {
		all.Go(func() {
			d := &decoder{file: f, key: key}
			for i := next.Add(1) - 1; int(i) < len(jobs) && !failed.Load(); i = next.Add(1) - 1 {
				d.failed = false
				if !jobs[i](d) || ctx.Err() != nil {
					failed.Store(true)
				}
			}
		})
	}
	all.Wait()
	return !failed.Load()
}

// partitionReader is a partition of a snapshot that is being read: its sections, and the graph
// read from them.
type partitionReader struct {
	partition                                                               *partition
	memories, dim                                                           int // dim: of the searched vectors; 0: none
	listSections, memorySections, codeSections, graphSections, nodeSections []section
	graph                                                                   *hnsw.Graph
}

// arrangeSections makes the partitions and assigns each its sections. names are the sections of
// entities and relations. whole is false if the snapshot is damaged.
func (t *tenant) arrangeSections(d *decoder, sections []section, claims vectors.RestoringFiles) (pieces []*partitionReader, names []section, whole bool) {
	var p *partitionReader
	room, known := 0, map[string]bool{}
	for _, s := range sections {
		room += int(s.size)
	}
	for _, s := range sections {
		switch s.kind {
		case sectionPartition:
			if !d.openSection(s) {
				return nil, nil, false
			}
			name, memories, dim := d.text(), d.uvarint(), d.uvarint()
			if d.failed || len(d.buf) > 0 || known[name] || memories > uint64(room) || dim > maxDim || dim > 0 && !claims.Has(int(dim)) {
				return nil, nil, false
			}
			known[name] = true
			room -= int(memories) // each takes at least one byte
			p = &partitionReader{partition: t.partitionFor(name), memories: int(memories), dim: int(dim)}
			pieces = append(pieces, p)
			continue
		case sectionEntities, sectionRelations:
			names, p = append(names, s), nil
			continue
		}
		if p == nil {
			return nil, nil, false
		}
		switch s.kind {
		case sectionLists:
			p.listSections = append(p.listSections, s)
		case sectionMemories:
			p.memorySections = append(p.memorySections, s)
		case sectionCodes:
			p.codeSections = append(p.codeSections, s)
		case sectionGraph:
			p.graphSections = append(p.graphSections, s)
		case sectionNodes:
			p.nodeSections = append(p.nodeSections, s)
		default:
			return nil, nil, false
		}
	}
	return pieces, names, true
}

// finish claims the vectors of a partition after all jobs, gives it its neighbour graph and
// publishes it. It returns the memories whose vectors must be loaded from the store. fits is
// false if its parts do not fit together.
func (p *partitionReader) finish(claims vectors.RestoringFiles) (unclaimed []graph.ID, fits bool) {
	w := p.partition.writer
	for slot := range uint32(w.n) {
		ch, i := w.chunks[slot>>slots.ChunkBits], slot&slots.ChunkMask
		d := ch.docs[i].Load()
		if w.remoteVectors || d.vectorRef.Dim == 0 {
			continue
		}
		searched := ch.columns.flags[i]&flagVector != 0
		ch.columns.flags[i] &^= flagVector
		if searched && !w.vectors.SetRef(slot, d.vectorRef) {
			return nil, false
		}
		if !searched && int(d.vectorRef.Dim) == p.dim || !claims.Claim(d.vectorRef) {
			if searched {
				w.vectors.Drop(slot)
			}
			d.vectorRef = vectors.Ref{}
			unclaimed = append(unclaimed, d.ID)
			continue
		}
		if searched {
			ch.columns.flags[i] |= flagVector
		}
	}
	if p.graph != nil && !w.vectors.SetGraph(p.graph) {
		return nil, false
	}
	p.partition.publish()
	return unclaimed, true
}

// readEntities reads entities and relations.
func (t *tenant) readEntities(d *decoder, sections []section) bool {
	a := t.preparers[0].analyser
	for _, s := range sections {
		if !d.openSection(s) {
			return false
		}
		for len(d.buf) > 0 && !d.failed {
			if s.kind == sectionEntities {
				if x := d.entity(); !d.failed {
					t.putEntity(a, x)
				}
			} else if x := d.relation(); !d.failed {
				t.entities.putRelation(x)
			}
		}
		if d.failed {
			return false
		}
	}
	return true
}

// readHead checks that the snapshot belongs to the history of this store. key is the number of its key, which has opened the section; 0: none.
func (t *tenant) readHead(ctx context.Context, d *decoder, key uint64) (graph.Cursor, error) {
	tenant, cursor, past, topics, claims, away, former := d.text(), graph.Cursor(d.uvarint()), d.uvarint(), d.uvarint(), d.uvarint(), d.bool(), d.uvarint()
	if d.failed || len(d.buf) > 0 || tenant != string(t.scope.Tenant) {
		return 0, errSnapshot
	}
	// A crash may have come before the key of the file before was destroyed.
	if err := t.destroySnapshotKeys(former); err != nil {
		return 0, err
	}
	t.snapshots.key = key
	if topics != t.opts.topicsHash() {
		return 0, errors.New("it was written with a different list of topics")
	}
	if claims != t.opts.claimsHash() {
		return 0, errors.New("it was made with other rules for the keys of claims")
	}
	if away != (t.opts.Remote != nil) {
		return 0, errors.New("it was written with a different setting \"vectors\"")
	}
	now, err := t.feedHash(ctx, cursor)
	if err != nil {
		return 0, fmt.Errorf("read the feed: %w", err)
	}
	if now != past {
		return 0, errors.New("it belongs to a different history of the store")
	}
	return cursor, nil
}

func (d *decoder) entity() *graph.Entity {
	e := &graph.Entity{ID: graph.ID(d.repeatedText()), Namespace: d.repeatedText(), User: d.repeatedText(), Name: d.repeatedText(), Canonical: d.repeatedText()}
	e.Type = canonical(graph.EntityTypes, graph.EntityType(d.repeatedText()))
	e.FirstSeen = d.time()
	return e
}

func (d *decoder) relation() *relation {
	x := &relation{id: graph.ID(d.text()), source: graph.ID(d.repeatedText()), target: graph.ID(d.repeatedText()), strength: d.float64()}
	x.strengthAt, x.recorded, x.validFrom, x.validTo = d.varint(), d.varint(), d.varint(), d.varint()
	return x
}
