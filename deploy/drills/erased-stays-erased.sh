#!/bin/sh
# An older copy of the data directory does not bring back what was erased since: the ledger of
# erasures lies outside of it, in --keys.
. "$(dirname "$0")/lib.sh"
say "write 5 memories, stop, copy the data, start, erase memory 3, stop, put the copy back"
serve
remember 5
stop
cp -R "$data" "$dir/copy"
serve
"$bin" forget --addr "$addr" --yes "$(sed -n 3p "$dir/ids")" >/dev/null || failed "the erasure fails"
stop
rm -rf "$data"
mv "$dir/copy" "$data"
serve || failed "the server does not start on the copy"
expect "memory 3 is not there, the others are"
if "$bin" export --addr "$addr" - | grep -q "Locker 3 of the boathouse"; then failed "the erased text is back"; fi
for n in 1 2 4 5; do found $n || failed "memory $n is not found"; done
say "it stays erased"
