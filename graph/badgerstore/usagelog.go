package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/fxamacker/cbor/v2"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// The log is a directory of segments, named by the position of their first record; a
// position counts the bytes of records since the store began. There is more than one
// segment only after an interrupted restart.
//
//	segment: "SGUL" ∥ layout version 1 (4 bytes) ∥ position (8) ∥ xxhash64 of all before (8) ∥ records
//	record:  length of the payload (4) ∥ xxhash64 over position and payload (8) ∥ payload, CBOR
const (
	usageDir     = "usage"
	usageMagic   = "SGUL"
	usageHeader  = 4 + 4 + 8 + 8
	recordHeader = 4 + 8
	maxRecord    = 64 << 10
	trimSize     = 1 << 20 // bytes of folded records after which the log starts a new segment
)

// usageRecord is one call of CountUses, or a part of it.
type usageRecord struct {
	tenant graph.Tenant
	ids    []graph.ID
	use    graph.Use
	plain  graph.Sessions // further sessions of the use, which a log that is not keyed has
	end    uint64         // position after it
}

type usageRecordRow struct {
	Tenant string     `cbor:"1,keyasint"`
	IDs    []byte     `cbor:"2,keyasint"` // 16 bytes each
	At     wire.Stamp `cbor:"3,keyasint"`

	Sessions []uint64 `cbor:"4,keyasint,omitempty"` // as in usageRow
	Keyed    []uint64 `cbor:"5,keyasint,omitempty"`
}

// usageLog is the segment that is being written.
type usageLog struct {
	dir        string
	file       *os.File
	start, end uint64 // positions of its first record and after its last one
	keyed      bool   // the store is sealed: sessions are written in their keyed form
}

func (l *usageLog) size() uint64 { return l.end - l.start }

// append writes a record and returns the position after it. It removes a partly written
// record.
func (l *usageLog) append(r usageRecord) (uint64, error) {
	ids, err := wire.IDList("ids", r.ids)
	if err != nil {
		return 0, err
	}
	row := usageRecordRow{Tenant: string(r.tenant), IDs: ids, At: wire.StampOf(r.use.At), Sessions: r.use.Sessions}
	if l.keyed {
		row.Sessions, row.Keyed = nil, row.Sessions
	}
	payload, err := cbor.Marshal(row)
	if err != nil {
		return 0, err
	}
	b := make([]byte, recordHeader, recordHeader+len(payload))
	binary.BigEndian.PutUint32(b, uint32(len(payload)))
	binary.BigEndian.PutUint64(b[4:], recordHash(l.end, payload))
	b = append(b, payload...)
	at := int64(usageHeader + l.size())
	if _, err := l.file.WriteAt(b, at); err != nil {
		return 0, errors.Join(err, l.file.Truncate(at))
	}
	l.end += uint64(len(b))
	return l.end, nil
}

func recordHash(pos uint64, payload []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(be64(pos)) // a Digest never fails
	_, _ = d.Write(payload)
	return d.Sum64()
}

// startSegment continues in a new segment and removes the old one. Without space for a new
// one it continues in the old one. A segment that begins at pos is empty, and stays.
func (l *usageLog) startSegment(pos uint64, log *slog.Logger) error {
	if pos == l.start {
		return nil
	}
	next, err := createSegment(l.dir, pos)
	if err != nil {
		log.Warn("[WRITE] the usage log can't start a new segment, so it keeps growing", "error", err)
		return nil
	}
	old := l.file
	l.file, l.start, l.end = next, pos, pos
	return errors.Join(old.Close(), os.Remove(old.Name()))
}

func segmentPath(dir string, start uint64) string {
	return filepath.Join(dir, fmt.Sprintf("%016x.log", start))
}

// createSegment makes an empty segment, atomically.
func createSegment(dir string, start uint64) (*os.File, error) {
	header := make([]byte, 0, usageHeader)
	header = append(header, usageMagic...)
	header = binary.BigEndian.AppendUint32(header, 1)
	header = binary.BigEndian.AppendUint64(header, start)
	header = binary.BigEndian.AppendUint64(header, xxhash.Sum64(header))
	path := segmentPath(dir, start)
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: create a segment of the usage log: %w", err)
	}
	_, err = f.Write(header)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = errors.Join(os.Rename(path+".new", path), syncDir(dir))
	}
	if err == nil {
		f, err = os.OpenFile(path, os.O_RDWR, 0)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("badgerstore: create a segment of the usage log: %w", err), removeIfExists(path+".new"))
	}
	return f, nil
}

// removeIfExists removes a file that may not exist.
func removeIfExists(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// openUsageLog returns the log to continue and the records after the position folded.
// Damage before the position synced is ErrIntegrity; after it, it is the torn end of a
// power cut and is cut off.
func openUsageLog(store string, folded, synced uint64, log *slog.Logger) (*usageLog, []usageRecord, error) {
	dir := filepath.Join(store, usageDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("badgerstore: usage log: %w", err)
	}
	starts, err := segmentStarts(dir)
	if err != nil {
		return nil, nil, err
	}
	var records []usageRecord
	l := &usageLog{dir: dir, end: folded}
	for _, start := range starts {
		if l.file != nil { // the previous segment is read: it is no longer needed
			if err := errors.Join(l.file.Close(), os.Remove(l.file.Name())); err != nil {
				return nil, nil, fmt.Errorf("badgerstore: remove an old usage log: %w", err)
			}
			l.file = nil
		}
		if start > l.end {
			return nil, nil, fmt.Errorf("%w: the usage log has a gap", graph.ErrIntegrity)
		}
		some, err := l.openSegment(start, folded, log)
		if err != nil {
			return nil, nil, err
		}
		records = append(records, some...)
	}
	if l.end < synced {
		err := fmt.Errorf("%w: the usage log is damaged or cut short", graph.ErrIntegrity)
		if l.file != nil {
			err = errors.Join(err, l.file.Close())
		}
		return nil, nil, err
	}
	if l.file == nil {
		if l.file, err = createSegment(dir, folded); err != nil {
			return nil, nil, err
		}
		l.start, l.end = folded, folded
	}
	return l, records, nil
}

// segmentStarts lists the first positions of the segments, ascending.
func segmentStarts(dir string) ([]uint64, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("badgerstore: usage log: %w", err)
	}
	var starts []uint64
	for _, e := range entries {
		var start uint64
		if n, err := fmt.Sscanf(e.Name(), "%016x.log", &start); n == 1 && err == nil && segmentPath("", start) == e.Name() {
			starts = append(starts, start)
		}
	}
	slices.Sort(starts)
	return starts, nil
}

// openSegment reads the records of a segment after folded and makes it the one to
// write to, cut off after the last valid record.
func (l *usageLog) openSegment(start, folded uint64, log *slog.Logger) ([]usageRecord, error) {
	f, err := os.OpenFile(segmentPath(l.dir, start), os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("badgerstore: open the usage log: %w", err)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("badgerstore: read the usage log: %w", err), f.Close())
	}
	if len(data) < usageHeader || string(data[:4]) != usageMagic || binary.BigEndian.Uint64(data[8:]) != start ||
		binary.BigEndian.Uint64(data[16:]) != xxhash.Sum64(data[:16]) {
		return nil, errors.Join(fmt.Errorf("%w: the header of the usage log is damaged", graph.ErrIntegrity), f.Close())
	}
	data = data[usageHeader:]
	pos := max(start, min(folded, start+uint64(len(data))))
	var records []usageRecord
	for {
		r, ok := parseRecord(data[pos-start:], pos)
		if !ok {
			break
		}
		records = append(records, r)
		pos = r.end
	}
	if rest := start + uint64(len(data)) - pos; rest > 0 {
		log.Warn("[WRITE] usage log ends in a torn record", "bytes", rest)
		if err := f.Truncate(int64(usageHeader + pos - start)); err != nil {
			return nil, errors.Join(fmt.Errorf("badgerstore: truncate the usage log: %w", err), f.Close())
		}
	}
	l.file, l.start, l.end = f, start, max(pos, folded)
	return records, nil
}

// parseRecord parses the record at the start of data, whose position is pos.
func parseRecord(data []byte, pos uint64) (usageRecord, bool) {
	var r usageRecord
	if len(data) < recordHeader {
		return r, false
	}
	n := binary.BigEndian.Uint32(data)
	if n > maxRecord || len(data) < recordHeader+int(n) {
		return r, false
	}
	payload := data[recordHeader : recordHeader+int(n)]
	var row usageRecordRow
	if binary.BigEndian.Uint64(data[4:]) != recordHash(pos, payload) || cbor.Unmarshal(payload, &row) != nil {
		return r, false
	}
	return usageRecord{
		tenant: graph.Tenant(row.Tenant), ids: wire.IDs(row.IDs), use: graph.Use{At: row.At.Time(), Sessions: row.Keyed}, plain: row.Sessions, end: pos + uint64(recordHeader) + uint64(n),
	}, true
}
