#!/bin/sh
# A backup brings a store back that is lost, to its last moment or to an earlier one, and nothing
# that was erased meanwhile.
. "$(dirname "$0")/lib.sh"
say "write 5 memories beside a backup, erase memory 3, kill -9, lose the data, restore"
to=$dir/backup
serve
remember 5
"$bin" backup --addr "$addr" --to "$to" >/dev/null 2>&1 || failed "the first backup fails"
before=$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)
"$bin" forget --addr "$addr" --yes "$(sed -n 3p "$dir/ids")" >/dev/null || failed "the erasure fails"
"$bin" remember --addr "$addr" "Locker 6 of the boathouse holds rope number 42." >/dev/null
"$bin" backup --addr "$addr" --to "$to" >/dev/null 2>&1 || failed "the second backup fails"
stop KILL
rm -rf "$data"
"$bin" backup verify --from "$to" --keys "$dir/keys" >/dev/null 2>&1 || failed "the backup is not valid"
restored() { # restored NAME [flags]: restores into a directory of its own and serves it
	data=$dir/$1
	shift
	"$bin" restore --from "$to" --data "$data" --keys "$dir/keys" "$@" >/dev/null 2>&1 || failed "the restore fails"
	serve || failed "the server does not start on what was restored"
}
expect "restored to the end, memories 1, 2, 4, 5 and 6 are there, and memory 3 is not"
restored now
for n in 1 2 4 5 6; do found $n || failed "memory $n is not found"; done
if "$bin" export --addr "$addr" - | grep -q "Locker 3 of the boathouse"; then failed "the erased text is back"; fi
stop
expect "restored to the moment before the erasure, memory 6 is not there yet, and memory 3 stays erased"
restored earlier --at "$before"
for n in 1 2 4 5; do found $n || failed "memory $n is not found"; done
if "$bin" export --addr "$addr" - | grep -q "Locker [36] of the boathouse"; then failed "memory 3 or 6 is there"; fi
stop
if "$bin" restore --from "$to" --data "$data" --keys "$dir/keys" >/dev/null 2>&1; then failed "a directory with data was overwritten"; fi
say "restored twice; what was erased stays erased"
