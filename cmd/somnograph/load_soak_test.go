//go:build soak

package main

import (
	"cmp"
	"net"
	"os"
	"os/exec"
	"testing"

	"github.com/somnograph/somnograph/internal/redistest"
)

// TestSoakTwoServersUnderLoad runs bench/replicas against two servers on one Dgraph, or one on
// the embedded store if SOAK_STORE is badger: SOAK_RATE requests per second (200) at
// SOAK_MEMORIES memories (100000) for SOMNOGRAPH_SOAK (10m), with texts of the kind SOAK_TEXTS
// (varied). No request may fail except for its rate, and goroutines and memory must return to their level.
func TestSoakTwoServersUnderLoad(t *testing.T) {
	free := func() string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		return l.Addr().String()
	}
	ports := []string{free(), free()}
	var servers, metrics string
	if os.Getenv("SOAK_STORE") == "badger" {
		servers, metrics = start(t, t.TempDir(), "--metrics-addr", ports[0], "--log-level", "warn").url, ports[0]
	} else {
		cluster, redisServer := startDgraph(t), redistest.Start(t)
		over := []string{"--store", "dgraph", "--dgraph", cluster.Addr, "--redis-addr", redisServer.Addr, "--log-level", "warn", "--metrics-addr"}
		servers = start(t, t.TempDir(), append(over, ports[0])...).url + "," + start(t, t.TempDir(), append(over, ports[1])...).url
		metrics = ports[0] + "," + ports[1]
	}
	cmd := exec.CommandContext(t.Context(), "go", "run", "../../bench/replicas", "-strict", "-servers", servers, "-metrics", metrics,
		"-fill", cmp.Or(os.Getenv("SOAK_MEMORIES"), "100000"), "-texts", cmp.Or(os.Getenv("SOAK_TEXTS"), "varied"), "-rate", cmp.Or(os.Getenv("SOAK_RATE"), "200"),
		"-for", cmp.Or(os.Getenv("SOMNOGRAPH_SOAK"), "10m"))
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
