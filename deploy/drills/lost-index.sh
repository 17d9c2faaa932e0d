#!/bin/sh
# The index is derived from the store: without it the server builds a new one at its start.
. "$(dirname "$0")/lib.sh"
say "write 20 memories, stop, delete index/ and map/, start"
serve
remember 20
stop
[ -d "$data/index" ] || failed "there is no index to lose"
rm -rf "$data/index" "$data/map"
serve || failed "the server does not start without an index"
expect "searches find as before"
for n in 1 10 20; do found $n || failed "memory $n is not found"; done
say "all found; a million memories take minutes to index, ten thousand a few seconds"
say "stop, spoil every file of the index, start"
stop
find "$data/index" -type f ! -name model | while read -r file; do printf 'spoilt' | dd of="$file" bs=1 seek=64 conv=notrunc 2>/dev/null; done
serve || failed "the server does not start with a spoilt index"
for n in 1 10 20; do found $n || failed "memory $n is not found with a spoilt index"; done
say "all found"
