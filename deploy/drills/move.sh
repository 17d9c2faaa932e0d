#!/bin/sh
# An export moves everything into an empty server, on another machine or with another store.
. "$(dirname "$0")/lib.sh"
say "write 20 memories, export, import into an empty server, export again"
serve
remember 20
"$bin" export --addr "$addr" "$dir/first.ndjson" >/dev/null 2>&1 || failed "the export fails"
stop
data=$dir/other
serve
"$bin" import --addr "$addr" "$dir/first.ndjson" >/dev/null 2>&1 || failed "the import fails"
expect "the memories are found with the same ids, and an export that was cut off is refused"
for n in 1 10 20; do found $n || failed "memory $n is not found"; done
"$bin" export --addr "$addr" "$dir/second.ndjson" >/dev/null 2>&1 || failed "the second export fails"
while read -r id; do grep -q "$id" "$dir/second.ndjson" || failed "id $id is missing"; done <"$dir/ids"
head -c 2000 "$dir/first.ndjson" >"$dir/cut.ndjson"
data=$dir/third
stop
serve
if "$bin" import --addr "$addr" "$dir/cut.ndjson" >/dev/null 2>&1; then failed "an export that was cut off was accepted"; fi
say "moved; an export that was cut off is refused"
