#!/bin/sh
# A killed server loses nothing that it acknowledged.
. "$(dirname "$0")/lib.sh"
say "write 30 memories, kill the server with SIGKILL, start it again"
serve
remember 30
stop KILL
began=$(date +%s)
serve || failed "the server does not start after the kill"
expect "it is ready within a minute, and all 30 memories are found"
say "ready after $(($(date +%s) - began)) s"
for n in 1 15 30; do found $n || failed "memory $n is not found"; done
count=$("$bin" export --addr "$addr" - | grep -c 'of the boathouse holds rope')
[ "$count" = 30 ] || failed "$count of 30 memories are in the export"
say "all 30 are there"
