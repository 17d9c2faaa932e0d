package config

import (
	"slices"
	"strings"
	"testing"
)

func TestWhichDirectoriesAreSealed(t *testing.T) {
	for given, want := range map[string][2]bool{
		"": {true, true}, "--seal=new": {false, true}, "--seal off": {false, false}, "--seal=on": {true, true}, "--seal=true": {true, true},
		"--seal=off": {false, false}, "--seal=false": {false, false},
	} {
		c, _, err := Load(flags(t, strings.Fields(given)...), nil)
		if err != nil || [2]bool{c.Seal, c.SealNew} != want {
			t.Errorf("%q: %v %v, %v", given, c.Seal, c.SealNew, err)
		}
	}
	path := write(t, "seal: false\n")
	if c, _, err := Load(flags(t, "--config", path), nil); err != nil || c.Seal || c.SealNew {
		t.Errorf("in a file: %+v, %v", c, err)
	}
	if _, _, err := Load(flags(t, "--seal=maybe"), nil); err == nil || !strings.Contains(err.Error(), "seal: must be new, on or off") {
		t.Errorf("maybe: %v", err)
	}
}

// A cluster is sealed only if that is asked for, and has one server and no vectors that Dgraph can read then.
func TestSealingOverDgraph(t *testing.T) {
	for _, x := range []struct {
		args, env []string
		want      string
	}{
		{[]string{"--store", "dgraph"}, nil, ""},
		{[]string{"--store", "dgraph", "--seal=new"}, nil, ""},
		{[]string{"--store", "dgraph", "--seal=off"}, nil, ""},
		{[]string{"--seal=on"}, nil, ""},
		{[]string{"--store", "dgraph", "--seal=on"}, nil, ""},
		{[]string{"--store", "dgraph", "--seal=on", "--vectors", "dgraph"}, nil, "seal: on excludes vectors: dgraph"},
		{[]string{"--store", "dgraph", "--redis-addr", "127.0.0.1:6379"}, []string{"SOMNOGRAPH_SEAL=true"}, "seal: on over Dgraph excludes redis"},
		{[]string{"--config", write(t, "store: dgraph\nseal: on\nvectors: dgraph\n")}, nil, "seal: on excludes vectors: dgraph"},
	} {
		c, _, err := Load(flags(t, x.args...), x.env)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v %v: %v, want %q", x.args, x.env, err, x.want)
		}
		if asked := slices.Contains(x.args, "--seal=on") && slices.Contains(x.args, "dgraph"); err == nil && c.SealsCluster() != asked {
			t.Errorf("%v: the cluster is sealed: %v", x.args, c.SealsCluster())
		}
	}
}
