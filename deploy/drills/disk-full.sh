#!/bin/sh
# On a full disk the server starts, answers reads and refuses writes. The disk is not filled: the
# threshold --min-free-space is set above what the disk has, so the server sees a full one.
. "$(dirname "$0")/lib.sh"
say "write 5 memories, stop, start with a disk that is too full"
serve
remember 5
stop
serve --min-free-space 1000TiB || failed "the server does not start on a full disk"
expect "reads answer, a write is refused, the log says why, and ready says no"
found 3 || failed "a read finds nothing"
if "$bin" remember --addr "$addr" "One more." >/dev/null 2>"$dir/refused"; then failed "the write was accepted"; fi
grep -q UNAVAILABLE "$dir/refused" || failed "the refusal is not UNAVAILABLE: $(cat "$dir/refused")"
grep -q 'disk space.*refusing_writes=true' "$dir/log" || failed "the log does not name the disk"
if "$bin" ready --addr "$addr" >/dev/null 2>&1; then failed "ready says yes"; fi
say "refused: $(head -1 "$dir/refused")"
say "stop, start with space again"
stop
serve
expect "writes are accepted"
"$bin" ready --addr "$addr" >/dev/null || failed "ready says no"
"$bin" remember --addr "$addr" "One more." >/dev/null || failed "the write is refused"
say "written"
