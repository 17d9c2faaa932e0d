// Package keyring holds the data keys of a store, outside of its directory. What was sealed with
// a key can't be read once the key is destroyed, in no copy of the store's files either.
//
// # Keys
//
// A data key is 32 random bytes and seals the versions of one record, each with a random nonce.
// Data keys are numbered from 1 within a tenant. A [Ring] holds those of a tenant, in segments of 4,096; a
// segment is a file that the tenant's key seals, which the master key seals. All ciphers are
// AES-256-GCM (NIST SP 800-38D).
//
// A new segment is durable before the first of its keys is given out, and its numbers are reserved
// durably at once, so that taking a key costs no write. After a crash the rest of the segment is
// skipped: no number is given out twice.
//
// # Destroying
//
// [Ring.Destroy] writes the segments it touches without the keys, and returns when that is
// durable. The bytes of the former file are overwritten before they are freed; a file system that
// copies on write, or a copy of the directory of keys, may still hold them. A segment without
// keys is removed.
//
// # Replacing
//
// [Keyring.RotateMaster] and [Ring.RotateKey] seal again what the master key and the key of a tenant
// seal, under new ones; copies of the files from before can't be opened with these.
// [Ring.BeginRenewal] and [Ring.EndRenewal] replace the data keys, together with the rooms that seal
// with them. What was interrupted is finished later, and no call fails meanwhile.
//
// # Files
//
//	master                 two equal lines: the master key in hexadecimal digits and a checksum
//	master.next            the next master key, while it is being replaced
//	<tenant>/key           the tenant's key, and the former one while it is being replaced, sealed
//	<tenant>/reserved      which numbers can't have been given out, and counts; sealed
//	<tenant>/<segment>     the keys of one segment, sealed
//	secrets/<name>         a named secret of another room, sealed
//	lock                   held while a process has the directory open alone; see Options.Lock
//
// <tenant> is a hash of the name. Every file is replaced as a whole.
package keyring
