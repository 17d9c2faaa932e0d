#!/bin/sh
# A revoked key is refused at once; the others go on.
. "$(dirname "$0")/lib.sh"
say "make an administrator's key and an agent's, revoke the agent's"
mkdir -p "$data"
admin=$("$bin" keys create --data "$data" --keys "$dir/keys" --name admin --scopes memory:read,memory:write,memory:share,memory:curate,memory:admin,server:admin --json 2>/dev/null | sed -n 's/.*"key": *"\([^"]*\)".*/\1/p')
[ -n "$admin" ] || failed "no key was made"
serve --auth keys
agent=$(SOMNOGRAPH_KEY=$admin "$bin" keys create --addr "$addr" --name agent --scopes memory:read,memory:write,memory:share --json | tee "$dir/agent" | sed -n 's/.*"key": *"\([^"]*\)".*/\1/p')
id=$(sed -n 's/^ *"id": *"\([^"]*\)".*/\1/p' "$dir/agent" | head -1)
SOMNOGRAPH_KEY=$agent "$bin" remember --addr "$addr" "The agent wrote this." >/dev/null || failed "the agent's key is refused before it is revoked"
SOMNOGRAPH_KEY=$admin "$bin" keys revoke --addr "$addr" "$id" >/dev/null || failed "the key can't be revoked"
expect "the agent's key is refused, the administrator's works, no key is refused"
if SOMNOGRAPH_KEY=$agent "$bin" search --addr "$addr" "agent" >/dev/null 2>&1; then failed "the revoked key still reads"; fi
if "$bin" search --addr "$addr" "agent" >/dev/null 2>&1; then failed "a caller without a key reads"; fi
SOMNOGRAPH_KEY=$admin "$bin" search --addr "$addr" "What did the agent write?" | grep -q "The agent wrote this" || failed "the administrator's key finds nothing"
say "refused"
