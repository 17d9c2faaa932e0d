# Functions of the drills; each of them begins with: . "$(dirname "$0")/lib.sh"
# SOMNOGRAPH_BIN is the program (default: bin/somnograph of this repository). A drill works in a
# temporary directory and on a free port of loopback, and removes both at its end.
set -eu
bin=${SOMNOGRAPH_BIN:-$(dirname "$0")/../../bin/somnograph}
[ -x "$bin" ] || { echo "there is no program at $bin: run make build, or set SOMNOGRAPH_BIN" >&2; exit 2; }
dir=$(mktemp -d)
pid=
trap 'code=$?; [ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$dir"; exit $code' EXIT
trap 'exit 130' INT TERM

say() { echo "  $*"; }
expect() { echo "  expected: $*"; }
failed() { # prints a reason and the log of the server, and ends the drill
	echo "  FAILED: $*" >&2
	[ ! -f "$dir/log" ] || { echo "  the last lines of the server's log:" >&2; tail -5 "$dir/log" >&2; }
	exit 1
}

# serve starts a server on $data and waits until it is ready; arguments are flags of serve.
data=$dir/data
serve() {
	: >"$dir/out"
	"$bin" serve --addr 127.0.0.1:0 --data "$data" --keys "$dir/keys" --sleep-mode off "$@" >"$dir/out" 2>>"$dir/log" &
	pid=$!
	tries=0
	until grep -q '^ready in' "$dir/out"; do
		kill -0 "$pid" 2>/dev/null || { pid=; return 1; }
		tries=$((tries + 1))
		[ $tries -lt 600 ] || failed "the server was not ready within a minute"
		sleep 0.1
	done
	addr=$(sed -n 's,^ *explorer *http://\(.*\)/$,\1,p' "$dir/out")
}

# stop sends a signal (TERM unless another is given) and waits for the end.
stop() {
	kill "-${1:-TERM}" "$pid"
	wait "$pid" 2>/dev/null || true
	pid=
}

# remember N writes that many memories, one after the other, and lists the ids in $dir/ids.
remember() {
	: >"$dir/ids"
	n=1
	while [ $n -le "$1" ]; do
		"$bin" remember --addr "$addr" "Locker $n of the boathouse holds rope number $((n * 7))." | cut -d' ' -f1 >>"$dir/ids"
		n=$((n + 1))
	done
}

# found checks that memory N is the first hit of a question for it.
found() { "$bin" search --addr "$addr" -k 1 "What does locker $1 of the boathouse hold?" | grep -q "Locker $1 of the boathouse holds rope number $(($1 * 7))\."; }
