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

func TestTheManifestsAreWhatTheAPIKnows(t *testing.T) {
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
			t.Errorf("taken: %s", wrong)
		}
	}
}

func TestPodsMayDoNoMoreThanTheyMust(t *testing.T) {
	for _, x := range kubernetes(t).workloads {
		p := x.pod.Spec
		s := p.SecurityContext
		if s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.RunAsUser == nil || *s.RunAsUser == 0 ||
			s.SeccompProfile == nil || s.SeccompProfile.Type != core.SeccompProfileTypeRuntimeDefault {
			t.Errorf("%s: the pod may be root, or has no seccomp profile", x.name)
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
				t.Errorf("%s: may write to its root, or has privileges", at)
			} else if add := s.Capabilities.Add; len(add) > 0 && (c.Name != "proxy" || !slices.Equal(add, []core.Capability{"NET_BIND_SERVICE"})) {
				t.Errorf("%s: has %v", at, add)
			}
			if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
				t.Errorf("%s: no bound of memory, or no request", at)
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
			t.Errorf("%s: its selector takes the pods of %d workloads", x.name, len(own))
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
				t.Errorf("%s: README.md does not say how the secret %s is made", x.name, v.Secret.SecretName)
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
					t.Errorf("%s/%s: an environment from nowhere", x.name, c.Name)
				}
			}
			for _, p := range []*core.Probe{c.StartupProbe, c.ReadinessProbe, c.LivenessProbe} {
				switch {
				case p == nil || p.Exec != nil:
				case p.HTTPGet != nil && hasPort(x, p.HTTPGet.Port), p.TCPSocket != nil && hasPort(x, p.TCPSocket.Port):
				default:
					t.Errorf("%s/%s: a probe asks a port that the pod does not have", x.name, c.Name)
				}
			}
		}
		for name := range volumes {
			if !used[name] {
				t.Errorf("%s: nobody mounts the volume %s", x.name, name)
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

func TestServicesAndBudgetsMeetPods(t *testing.T) {
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
			t.Errorf("StatefulSet %s: %s is no headless service", set.Name, set.Spec.ServiceName)
		}
	}
	for _, b := range w.budgets {
		found := w.selected(t, b.Spec.Selector)
		if len(found) != 1 || b.Spec.MaxUnavailable == nil || b.Spec.MaxUnavailable.IntValue() >= found[0].replicas {
			t.Errorf("budget %s: guards %d workloads, or nothing of one", b.Name, len(found))
		}
	}
	if len(w.budgets) != len(w.sets) {
		t.Errorf("%d budgets for %d StatefulSets", len(w.budgets), len(w.sets))
	}
}

// address is a service, perhaps with a pod of its StatefulSet, and a port.
var address = regexp.MustCompile(`(?:([a-z][a-z-]*)-(\d+)\.)?\b([a-z][a-z0-9-]*):(\d{4})\b`)

// Who is told to talk to somebody finds them there, and the policies let them.
func TestAddressesLeadSomewhere(t *testing.T) {
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
					t.Errorf("%s: %s is no service, or has not that port", x.name, m[0])
					continue
				}
				there := w.selected(t, &meta.LabelSelector{MatchLabels: w.services[i].Spec.Selector})[0]
				if m[2] != "" {
					if n, err := strconv.Atoi(m[2]); err != nil || m[1] != there.name || n >= there.replicas {
						t.Errorf("%s: %s is no pod of %s", x.name, m[0], there.name)
					}
				}
				if !w.mayTalk(t, x, there, port) {
					t.Errorf("%s: no policy lets it talk to %s", x.name, m[0])
				}
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d addresses were found", seen)
	}
}

// environment is what a container finds in its environment, without what the cluster fills in.
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
