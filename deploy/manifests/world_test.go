package manifests

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// world holds the objects that kubectl apply -k deploy/kubernetes creates.
type world struct {
	namespaces []*core.Namespace
	services   []*core.Service
	configs    []*core.ConfigMap
	budgets    []*policy.PodDisruptionBudget
	policies   []*networking.NetworkPolicy
	sets       []*apps.StatefulSet
	workloads  []workload
}

// workload holds the common fields of a StatefulSet and a Deployment.
type workload struct {
	name     string
	replicas int
	selector *meta.LabelSelector
	pod      core.PodTemplateSpec
	claims   []core.PersistentVolumeClaim
}

// containers returns all containers of the pod, including init containers.
func (w workload) containers() []core.Container {
	return append(append([]core.Container{}, w.pod.Spec.InitContainers...), w.pod.Spec.Containers...)
}

// kubernetes builds and decodes the manifests.
func kubernetes(t *testing.T) *world {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{}
	for doc := range bytes.SplitSeq(raw, []byte("\n---\n")) {
		if err := w.add(doc); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// add decodes one object; a field that its type does not have is an error.
func (w *world) add(doc []byte) error {
	var kind meta.TypeMeta
	if err := yaml.Unmarshal(doc, &kind); err != nil {
		return err
	}
	var err error
	switch kind.APIVersion + " " + kind.Kind {
	case "v1 Namespace":
		err = decode(doc, &w.namespaces)
	case "v1 Service":
		err = decode(doc, &w.services)
	case "v1 ConfigMap":
		err = decode(doc, &w.configs)
	case "policy/v1 PodDisruptionBudget":
		err = decode(doc, &w.budgets)
	case "networking.k8s.io/v1 NetworkPolicy":
		err = decode(doc, &w.policies)
	case "apps/v1 StatefulSet":
		if err = decode(doc, &w.sets); err == nil {
			s := w.sets[len(w.sets)-1]
			w.workloads = append(w.workloads, workload{s.Name, int(*s.Spec.Replicas), s.Spec.Selector, s.Spec.Template, s.Spec.VolumeClaimTemplates})
		}
	case "apps/v1 Deployment":
		var all []*apps.Deployment
		if err = decode(doc, &all); err == nil {
			d := all[0]
			w.workloads = append(w.workloads, workload{d.Name, int(*d.Spec.Replicas), d.Spec.Selector, d.Spec.Template, nil})
		}
	default:
		err = fmt.Errorf("an object of kind %q, which no test checks", kind.APIVersion+" "+kind.Kind)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", kind.Kind, err)
	}
	return nil
}

func decode[T any](doc []byte, into *[]*T) error {
	one := new(T)
	if err := yaml.UnmarshalStrict(doc, one); err != nil {
		return err
	}
	*into = append(*into, one)
	return nil
}

// selected returns the workloads whose pods match a selector.
func (w *world) selected(t *testing.T, s *meta.LabelSelector) []workload {
	t.Helper()
	selector, err := meta.LabelSelectorAsSelector(s)
	if err != nil {
		t.Fatal(err)
	}
	var found []workload
	for _, x := range w.workloads {
		if selector.Matches(labels.Set(x.pod.Labels)) {
			found = append(found, x)
		}
	}
	return found
}

// read returns the content of a file in deploy/.
func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile("../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// version matches tags with a version, such as v25.4.0 or 8.2.1-alpine.
var version = regexp.MustCompile(`^v?\d+\.\d+`)

// checkImage returns an error if the tag of an image has no version. Distroless has no version
// tags; the Dockerfile says so.
func checkImage(image string) error {
	if strings.HasPrefix(image, "gcr.io/distroless/static-debian12:nonroot") || strings.Contains(image, "@sha256:") {
		return nil
	}
	_, tag, _ := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	if !version.MatchString(tag) {
		return fmt.Errorf("image %q has no version", image)
	}
	return nil
}
