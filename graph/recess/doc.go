// Package recess is the append-only archive of engrams, tier L3: memories that became
// permanent. It stores enough of each to restore the memory if its row in the store is lost,
// and it can be searched by itself.
//
// # The life of an engram
//
// [Recess.Append] writes it into the tenant's journal and returns when it is durable.
// [Recess.Seal] turns the journal into Parquet files under
// {tenant}/{folder of the namespace}/{yyyy}/{mm}/{dd}. [Recess.Withdraw] revokes an engraving in the
// manifest; its file stays. [Recess.Erase] destroys it. An id is engraved once: the same
// id, version and checksum again is the same engram, anything else is refused.
//
// # Keys
//
// Content is compressed, then sealed with AES-256-GCM under a data key: one for each
// subject of a user in a namespace, and one for each record without a subject. A file is
// sealed a second time as a whole, under a key of its own, so that nothing is parsed before
// it is authenticated, and ids are not readable. Data keys and file keys are in the tenant's
// key ring, sealed by the tenant's key, which is sealed by the master key. Keys are stored
// outside the archive, on the local disk. Without them no copy of a file can be read:
// erasing is destroying keys. Backups must not contain the key ring together with the files.
//
// # Protection against loss
//
// Keys, manifest and codebooks are ledgers: two files with the same records; opening repairs
// each from the other. A journal is checked frame by frame; damage to a frame loses
// its engraving. Damage to a file loses the engrams in it and is reported through
// [Options].Alarm at every read. Everything else continues. With a Blob other than the local
// one, journals, keys, manifest and codebooks stay on the local disk: the bucket alone can't
// be read.
//
// docs/formats/recess.md describes the stored bytes.
package recess
