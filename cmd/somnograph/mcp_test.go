package main

import (
	"strings"
	"testing"
)

// The suites of test/clients/mcp test the command with an agent's client.
func TestMCPRefusesWrongFlags(t *testing.T) {
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"--profile", "tiny"}, "--profile must be full or minimal"},
		{[]string{"--namespace", "a b"}, "--namespace must be"},
		{[]string{"now"}, "takes no argument"},
		{[]string{"--addr", "::"}, "is not the address of a server"},
	} {
		_, errs, code := output(t, append([]string{"mcp"}, x.args...)...)
		if !strings.Contains(errs, x.want) || code == exitOK {
			t.Errorf("mcp %v: code %d, %q, want %q", x.args, code, errs, x.want)
		}
	}
}
