// Package recess is the append-only archive of engrams, tier L3: memories that were
// made permanent. It keeps enough of each to write the memory again if its row in the
// store were lost, and it can be searched alone.
//
// # The way of an engram
//
// [Recess.Append] writes it into the tenant's journal and returns when it is durable.
// [Recess.Seal] turns the journal into Parquet files under
// {tenant}/{namespace}/{yyyy}/{mm}/{dd}. [Recess.Withdraw] takes an engraving back in
// the manifest; its file stays. [Recess.Erase] destroys it. An id is engraved once: the
// same id, version and checksum again is the same engram, anything else is refused.
//
// # Keys
//
// Content is compressed, then sealed by AES-256-GCM under a data key: one for each
// subject of a user in a namespace, one for each record without a subject. A file is
// sealed once more as a whole, under a key of its own, so that nothing is parsed
// before it was authenticated, and ids are not in the clear. Data keys and file keys
// stand in the tenant's key ring, sealed by the tenant's key, which is sealed by the
// master key. Keys lie outside the archive, on the local disk. Without them files,
// wherever copies of them are, are noise: erasing is destroying keys. Backups must not
// hold the key ring together with the files.
//
// # What is never lost
//
// Keys, manifest and codebooks are ledgers: two files with the same records, each
// mended from the other at opening. A journal is checked frame by frame; damage in it
// costs the engraving it hits. A damaged file costs the engrams in it, is reported
// through [Options].Alarm at every read, and nothing else stops. With another Blob
// than the local one, journals, keys, manifest and codebooks stay on the local disk:
// the bucket alone can't be read.
//
// The bytes are described in docs/formats/recess.md.
package recess
