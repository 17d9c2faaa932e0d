package manifests

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func TestManifestsMatchAPITypes(t *testing.T) {
	w := kubernetes(t)
	if len(w.sets) != 3 || len(w.workloads) != 4 || len(w.namespaces) != 1 {
		t.Errorf("%d StatefulSets, %d workloads, %d namespaces", len(w.sets), len(w.workloads), len(w.namespaces))
	}
	for _, wrong := range []string{
		"apiVersion: v1\nkind: Service\nspec: {selectors: {a: b}}",
		"apiVersion: apps/v1\nkind: StatefulSet\nspec: {replicas: many}",
		"apiVersion: v1\nkind: ConfigMap\ndata: {a: b, a: c}",
		"apiVersion: v1\nkind: Pod",
	} {
		if new(world).add([]byte(wrong)) == nil {
			t.Errorf("accepted: %s", wrong)
		}
	}
}

func TestPodsHaveLeastPrivilege(t *testing.T) {
	for _, x := range kubernetes(t).workloads {
		p := x.pod.Spec
		s := p.SecurityContext
		if s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.RunAsUser == nil || *s.RunAsUser == 0 ||
			s.SeccompProfile == nil || s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
			t.Errorf("%s: the pod may run as root, or has no seccomp profile", x.name)
		}
		if p.AutomountServiceAccountToken == nil || *p.AutomountServiceAccountToken {
			t.Errorf("%s: the pod has a token of the API server", x.name)
		}
		for _, c := range x.containers() {
			at := x.name + "/" + c.Name
			if err := checkImage(c.Image); err != nil {
				t.Errorf("%s: %v", at, err)
			}
			s := c.SecurityContext
			if s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem ||
				s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation ||
				s.Capabilities == nil || !slices.Equal(s.Capabilities.Drop, []core.Capability{"ALL"}) {
				t.Errorf("%s: its root is writable, or it has privileges", at)
			} else if add := s.Capabilities.Add; len(add) > 0 && (c.Name != "proxy" || !slices.Equal(add, []core.Capability{"NET_BIND_SERVICE"})) {
				t.Errorf("%s: has capabilities %v", at, add)
			}
			if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
				t.Errorf("%s: no memory limit or request", at)
			}
			if c.LivenessProbe == nil || c.ReadinessProbe == nil && c.Name != "proxy" {
				t.Errorf("%s: no probe", at)
			}
		}
	}
}

func TestReferencesInsidePods(t *testing.T) {
	w := kubernetes(t)
	readme := read(t, "README.md")
	configs := map[string]bool{}
	for _, c := range w.configs {
		configs[c.Name] = true
	}
	for _, x := range w.workloads {
		if own := w.selected(t, x.selector); len(own) != 1 || own[0].name != x.name {
			t.Errorf("%s: its selector matches the pods of %d workloads", x.name, len(own))
		}
		volumes := map[string]bool{}
		for _, c := range x.claims {
			volumes[c.Name] = true
		}
		for _, v := range x.pod.Spec.Volumes {
			volumes[v.Name] = true
			if v.ConfigMap != nil && !configs[v.ConfigMap.Name] {
				t.Errorf("%s: there is no ConfigMap %s", x.name, v.ConfigMap.Name)
			}
			if v.Secret != nil && !strings.Contains(readme, "create secret") || v.Secret != nil && !strings.Contains(readme, " "+v.Secret.SecretName+" ") {
				t.Errorf("%s: README.md does not say how to create the secret %s", x.name, v.Secret.SecretName)
			}
		}
		used := map[string]bool{}
		for _, c := range x.containers() {
			for _, m := range c.VolumeMounts {
				used[m.Name] = true
				if !volumes[m.Name] {
					t.Errorf("%s/%s: there is no volume %s", x.name, c.Name, m.Name)
				}
			}
			for _, e := range c.EnvFrom {
				if e.ConfigMapRef == nil || !configs[e.ConfigMapRef.Name] {
					t.Errorf("%s/%s: its environment names no ConfigMap", x.name, c.Name)
				}
			}
			for _, p := range []*core.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
				switch {
				case p == nil || p.Exec != nil:
				case p.HTTPGet != nil && hasPort(x, p.HTTPGet.Port), p.TCPSocket != nil && hasPort(x, p.TCPSocket.Port):
				default:
					t.Errorf("%s/%s: a probe uses a port that the pod does not have", x.name, c.Name)
				}
			}
		}
		for name := range volumes {
			if !used[name] {
				t.Errorf("%s: no container mounts the volume %s", x.name, name)
			}
		}
	}
}

// hasPort reports whether a container of the pod declares the port, by name or number.
func hasPort(x workload, want intstr.IntOrString) bool {
	for _, c := range x.containers() {
		for _, p := range c.Ports {
			if want.Type == intstr.String && p.Name == want.StrVal || want.Type == intstr.Int && p.ContainerPort == want.IntVal {
				return true
			}
		}
	}
	return false
}

func TestServicesAndBudgetsSelectPods(t *testing.T) {
	w := kubernetes(t)
	for _, s := range w.services {
		found := w.selected(t, &meta.LabelSelector{MatchLabels: s.Spec.Selector})
		if len(found) != 1 {
			t.Errorf("service %s: selects %d workloads", s.Name, len(found))
			continue
		}
		for _, p := range s.Spec.Ports {
			if !hasPort(found[0], p.TargetPort) {
				t.Errorf("service %s: no pod has port %s", s.Name, p.TargetPort.String())
			}
		}
	}
	for _, set := range w.sets {
		i := slices.IndexFunc(w.services, func(s *core.Service) bool { return s.Name == set.Spec.ServiceName })
		if i < 0 || w.services[i].Spec.ClusterIP != core.ClusterIPNone {
			t.Errorf("StatefulSet %s: %s is not a headless service", set.Name, set.Spec.ServiceName)
		}
	}
	for _, b := range w.budgets {
		found := w.selected(t, b.Spec.Selector)
		if len(found) != 1 || b.Spec.MaxUnavailable == nil || b.Spec.MaxUnavailable.IntValue() >= found[0].replicas {
			t.Errorf("budget %s: selects %d workloads, or protects no pod of one", b.Name, len(found))
		}
	}
	if len(w.budgets) != len(w.sets) {
		t.Errorf("%d budgets for %d StatefulSets", len(w.budgets), len(w.sets))
	}
}

// address matches service:port, or pod.service:port for a pod of a StatefulSet.
var address = regexp.MustCompile(`(?:([a-z][a-z-]*)-(\d+)\.)?\b([a-z][a-z0-9-]*):(\d{4})\b`)

// Every address in a command or environment exists, and the policies allow the connection.
func TestAddressesAreReachable(t *testing.T) {
	w := kubernetes(t)
	seen := 0
	for _, x := range w.workloads {
		for _, c := range x.containers() {
			said := strings.Join(append(append([]string{}, c.Command...), c.Args...), " ")
			for _, value := range environment(w, c) {
				said += " " + value
			}
			for _, m := range address.FindAllStringSubmatch(said, -1) {
				seen++
				port, err := strconv.Atoi(m[4])
				if err != nil {
					t.Fatal(err)
				}
				i := slices.IndexFunc(w.services, func(s *core.Service) bool { return s.Name == m[3] })
				if i < 0 || !slices.ContainsFunc(w.services[i].Spec.Ports, func(p core.ServicePort) bool { return int(p.Port) == port }) {
					t.Errorf("%s: %s is not a service, or does not have that port", x.name, m[0])
					continue
				}
				there := w.selected(t, &meta.LabelSelector{MatchLabels: w.services[i].Spec.Selector})[0]
				if m[2] != "" {
					if n, err := strconv.Atoi(m[2]); err != nil || m[1] != there.name || n >= there.replicas {
						t.Errorf("%s: %s is not a pod of %s", x.name, m[0], there.name)
					}
				}
				if !w.mayConnect(t, x, there, port) {
					t.Errorf("%s: no policy allows a connection to %s", x.name, m[0])
				}
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d addresses were found", seen)
	}
}

// environment returns the environment of a container, without values that the cluster fills in.
func environment(w *world, c core.Container) map[string]string {
	values := map[string]string{}
	for _, from := range c.EnvFrom {
		for _, m := range w.configs {
			if from.ConfigMapRef != nil && m.Name == from.ConfigMapRef.Name {
				for k, v := range m.Data {
					values[k] = v
				}
			}
		}
	}
	for _, e := range c.Env {
		if e.ValueFrom == nil {
			values[e.Name] = e.Value
		}
	}
	return values
}
