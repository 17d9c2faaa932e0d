package manifests

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

var composeFiles = []string{"compose.yaml", "compose.cluster.yaml"}

// compose loads a compose file as docker compose does, with an empty environment.
func compose(t *testing.T, file string, content []byte) (*types.Project, error) {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: dir, ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, file), Content: content}}, Environment: types.Mapping{},
	}, func(o *loader.Options) { o.SetProjectName("somnograph", true) })
}

func composed(t *testing.T, file string) *types.Project {
	t.Helper()
	p, err := compose(t, file, []byte(read(t, file)))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return p
}

func TestComposeFilesAreValid(t *testing.T) {
	for file, services := range map[string]int{"compose.yaml": 2, "compose.cluster.yaml": 8} {
		if p := composed(t, file); len(p.Services) != services {
			t.Errorf("%s: %d services, want %d", file, len(p.Services), services)
		}
	}
	for _, wrong := range []string{
		"services: {a: {image: a, memory: 1G}}",
		"services: {a: {image: a, volumes: ['data:/data']}}",
		"services: {a: {image: a, depends_on: [b]}}",
		"services: {a: {image: a, network_mode: 'service:b'}}",
	} {
		if _, err := compose(t, "wrong.yaml", []byte(wrong)); err == nil {
			t.Errorf("accepted: %s", wrong)
		}
	}
}

func TestContainersHaveLeastPrivilege(t *testing.T) {
	for _, file := range composeFiles {
		for name, s := range composed(t, file).Services {
			at := file + ": " + name
			if err := checkImage(s.Image); err != nil {
				t.Errorf("%s: %v", at, err)
			}
			if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) {
				t.Errorf("%s: its root is writable, or it has privileges", at)
			}
			if s.Deploy == nil || s.Deploy.Resources.Limits == nil || s.Deploy.Resources.Limits.MemoryBytes == 0 {
				t.Errorf("%s: no memory limit", at)
			}
			if name == "owner" {
				continue // changes the owner of two volumes and exits
			}
			if s.Restart != types.RestartPolicyUnlessStopped {
				t.Errorf("%s: is not restarted", at)
			}
			if len(s.CapAdd) > 0 && !strings.HasPrefix(name, "proxy") {
				t.Errorf("%s: has capabilities %v", at, s.CapAdd)
			}
			if u, _, _ := strings.Cut(s.User, ":"); !isOurs(s) && (u == "" || u == "0") {
				t.Errorf("%s: runs as root", at)
			}
			if !isOurs(s) && s.HealthCheck == nil {
				t.Errorf("%s: has no health check", at)
			}
		}
	}
}

// isOurs reports whether a service is a Somnograph; its image names its user.
func isOurs(s types.ServiceConfig) bool { return strings.HasPrefix(s.Image, "somnograph:") }

func TestOnlyProxiesAreReachable(t *testing.T) {
	for _, file := range composeFiles {
		p := composed(t, file)
		owners := map[string]string{}
		for name, s := range p.Services {
			for _, port := range s.Ports {
				if !strings.HasPrefix(s.Image, "caddy:") || port.Target != 8443 || port.HostIP != "127.0.0.1" {
					t.Errorf("%s: %s publishes %d at %q", file, name, port.Target, port.HostIP)
				}
			}
			if !isOurs(s) {
				continue
			}
			of, _ := strings.CutPrefix(s.NetworkMode, "service:")
			proxy := p.Services[of]
			if !strings.HasPrefix(proxy.Image, "caddy:") {
				t.Errorf("%s: %s shares the namespace of %q, which is not a proxy", file, name, of)
			}
			for _, v := range s.Volumes {
				if v.Target == "/data" {
					if other := owners[v.Source]; other != "" {
						t.Errorf("%s: %s and %s share a data directory", file, name, other)
					}
					owners[v.Source] = name
				}
			}
			for _, m := range address.FindAllStringSubmatch(values(s), -1) {
				there, found := p.Services[m[3]]
				if !found && m[3] != "localhost" {
					t.Errorf("%s: %s uses %s, which is not a service", file, name, m[0])
				} else if found {
					shared := slices.ContainsFunc(there.NetworksByPriority(), func(n string) bool {
						return slices.Contains(proxy.NetworksByPriority(), n) && bool(p.Networks[n].Internal)
					})
					if !shared {
						t.Errorf("%s: %s shares no internal network with %s", file, name, m[3])
					}
				}
			}
		}
		if len(owners) == 0 {
			t.Errorf("%s: no Somnograph has a data directory", file)
		}
		for _, c := range p.Configs {
			if _, err := os.Stat(c.File); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		for name, s := range p.Secrets {
			if !strings.Contains(read(t, "README.md"), "secrets/"+filepath.Base(s.File)) {
				t.Errorf("%s: README.md does not say how to create %s", file, name)
			}
		}
	}
}

// values returns the values of the environment of a service, joined by spaces.
func values(s types.ServiceConfig) string {
	var b strings.Builder
	for _, v := range s.Environment {
		if v != nil {
			b.WriteString(*v + " ")
		}
	}
	return b.String()
}
