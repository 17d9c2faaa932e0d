package vectors

import (
	"encoding/binary"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/keyring"
)

// The keys of records go with them, also where a start removes or cuts a file: a copy of it can't be opened after an erasure.
func TestTheKeysOfRemovedRecordsAreDestroyed(t *testing.T) {
	for what, start := range map[string]func(s *Files, snapshot []FileState, kept Ref) error{
		"without a snapshot": func(s *Files, _ []FileState, _ Ref) error { return s.Clear() },
		"with a snapshot from before": func(s *Files, snapshot []FileState, kept Ref) error {
			claims, err := s.Restore(snapshot)
			if err == nil && !claims.Claim(kept) {
				err = errors.New("the kept vector is not there")
			}
			return errors.Join(err, claims.Finish(s))
		},
	} {
		keys, err := keyring.Open(t.TempDir(), keyring.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ring, err := keys.Ring("t")
		if err != nil {
			t.Fatal(err)
		}
		o := FileOptions{Base: filepath.Join(t.TempDir(), "t"), Logger: slog.New(slog.DiscardHandler), Keys: ring}
		files := NewFiles(o, nil)
		kept := files.Put(testvectors.Unit(1, 24))
		err = files.Sync()
		snapshot := files.States()
		files.Put(testvectors.Unit(2, 24))
		if err := errors.Join(err, files.Sync(), files.Close()); err != nil { // and a kill
			t.Fatal(err)
		}
		copied, err := os.ReadFile(o.Base + ".24.vectors")
		if err != nil {
			t.Fatal(err)
		}
		number := binary.LittleEndian.Uint64(copied[fileHeadSize+sealedRecordSize(24)+recordHeadSize:])
		if _, err := ring.Key(number); err != nil {
			t.Fatalf("%s: the key %d was never there: %v", what, number, err)
		}
		files = NewFiles(o, nil)
		if err := start(files, snapshot, kept); err != nil {
			t.Fatal(err)
		}
		if _, err := ring.Key(number); !errors.Is(err, keyring.ErrDestroyed) {
			t.Errorf("%s: the key %d of a record that was removed is there: %v", what, number, err)
		}
		var buf []byte
		if what != "without a snapshot" && files.Vector("", kept, &buf) == nil {
			t.Errorf("%s: the vector of the snapshot is lost", what)
		}
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A number in a record that nobody sealed destroys no other key when the record is overwritten: by a drop, by a repair, or by a start that
// finds it free.
func TestAForgedNumberOfARecordDestroysNoOtherKey(t *testing.T) {
	for what, overwrite := range map[string]func(f *vectorFile, r recordRef) error{
		"a drop": func(f *vectorFile, r recordRef) error { f.drop(r); return f.syncErased() },
		"a repair": func(f *vectorFile, r recordRef) error {
			f.repair(r, testvectors.Unit(1, 24))
			return f.sync()
		},
		"a start": func(f *vectorFile, _ recordRef) error {
			state := f.state()
			again := newVectorFile(24, f.path, f.id, FileOptions{Keys: f.keys, Logger: f.logger})
			r, err := again.restore(state.Records, state.LastSerial)
			if err != nil {
				return err
			}
			return errors.Join(r.finish(), again.close())
		},
	} {
		keys := ring(t)
		f := newVectorFile(24, filepath.Join(t.TempDir(), "v"), 7, FileOptions{Keys: keys, Logger: slog.New(slog.DiscardHandler)})
		ref := f.put(testvectors.Unit(1, 24))
		other, err := keys.Next() // of another record
		if err := errors.Join(err, f.sync()); err != nil {
			t.Fatal(err)
		}
		b := make([]byte, f.recordBytes)
		if _, err := f.file.Load().ReadAt(b, f.offset(ref.Record)); err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint64(b[recordHeadSize:], other.Number)
		body := b[:len(b)-recordSumSize]
		binary.LittleEndian.PutUint64(b[len(body):], recordDigest(body, f.id, ref.Record))
		if _, err := f.file.Load().WriteAt(b, f.offset(ref.Record)); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(overwrite(f, ref), f.close()); err != nil {
			t.Fatal(err)
		}
		if _, err := keys.Key(other.Number); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
