package recess

import (
	"cmp"
	"crypto/rand"
	"io"
	"log/slog"

	"github.com/somnograph/somnograph/graph"
)

// Options open a recess. Dir is required.
type Options struct {
	// Dir holds the journals and the manifests, and the sealed files if Blob is nil. It is created
	// if necessary; one process at a time can open it.
	Dir string
	// Keys holds the master key and the key rings, outside of copies of Dir, so that no copy of Dir
	// can be read for what was erased. Keys that are in Dir are moved there. Empty: Dir. A recess
	// that was once opened with Keys needs them.
	Keys string
	// Blob stores the sealed files. Nil: files in Dir.
	Blob Blob
	// Master is the master key, 32 bytes. Nil: it is in the file master.key in Keys, mode 0600, and is
	// made when the recess is first opened.
	Master []byte
	// Previous are master keys that tenants may still be under after a rotation.
	Previous [][]byte
	// Rand is the source of keys, nonces and names. Nil: crypto/rand.
	Rand io.Reader
	// Alarm is called for damage, at every read that finds it. It must not call the recess.
	// Nil: not called.
	Alarm func(Alarm)
	// Logger gets warnings. No content is ever logged. Nil: none.
	Logger *slog.Logger
	// TrainAt is the number of vectors of one model from which a codebook is trained when a
	// tenant is sealed. Zero: 2048.
	TrainAt int
	// MaxFile is the largest number of engrams in a file. Zero: 16384.
	MaxFile int
	// Cache is the number of decoded segments (at most 128 engrams or some 256 KiB each) that
	// are cached for reading. Zero: 64.
	Cache int

	disk disk // nil: the machine's
}

// Alarm describes damage to stored data. It contains no content.
type Alarm struct {
	Tenant graph.Tenant
	File   string   // name of the blob, or of the file in the tenant's directory
	ID     graph.ID // empty if it is not about one engram
	Reason string
}

func (o Options) withDefaults() Options {
	o.Rand = cmp.Or(o.Rand, rand.Reader)
	if o.Alarm == nil {
		o.Alarm = func(Alarm) {}
	}
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.TrainAt = cmp.Or(o.TrainAt, 2048)
	o.MaxFile = cmp.Or(o.MaxFile, 16384)
	o.Cache = cmp.Or(o.Cache, 64)
	o.disk = cmp.Or[disk](o.disk, osDisk{})
	return o
}
