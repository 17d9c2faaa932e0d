package dgraphtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// variable holds the addresses of the cluster in a process that Again starts: those of the alpha's
// gRPC and HTTP.
const variable = "SOMNOTEST_DGRAPH"

// Again runs all other tests of the package once more, in a process of their own and on a new
// cluster, which Given returns there. It is for packages whose tests run on the embedded store: a
// new test is run on both without being named anywhere. Tests that match except are left out.
func Again(t *testing.T, except ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("the full run has it")
	}
	cluster := Run(t, t.TempDir())
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	skip := strings.Join(append(except, "^"+regexp.QuoteMeta(t.Name())+"$"), "|")
	cmd := exec.CommandContext(t.Context(), program, "-test.v", "-test.timeout", "25m", "-test.skip", skip)
	cmd.Env = append(os.Environ(), variable+"="+cluster.Addr+" "+local(cluster.offset+alphaHTTP))
	out, err := cmd.CombinedOutput()
	if passed := bytes.Count(out, []byte("\n--- PASS")); err != nil || passed == 0 {
		t.Errorf("on Dgraph, %d tests passed: %v\n%s", passed, err, out)
	} else {
		t.Logf("%s", out)
	}
}

// Run starts a cluster in a directory for a test. It is killed at the end of the test: after a drop of all data an
// alpha takes more than twenty seconds to end by itself.
func Run(t testing.TB, dir string) *Cluster {
	t.Helper()
	c, err := Start(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Kill(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// Given returns the address of the cluster in a process that Again started, and a function that
// removes all its data. The address is "" in other processes.
func Given() (addr string, clear func(context.Context) error) {
	grpc, api, _ := strings.Cut(os.Getenv(variable), " ")
	return grpc, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+api+"/alter", strings.NewReader(`{"drop_op": "DATA"}`))
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }() // it was only read
		answer, err := io.ReadAll(resp.Body)
		if err != nil || !bytes.Contains(answer, []byte(`"Success"`)) {
			return fmt.Errorf("dgraphtest: the data was not removed: %s: %w", answer, err)
		}
		return nil
	}
}
