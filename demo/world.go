package demo

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

//go:embed world/*.yaml
var files embed.FS

// Days is the length of the world; its last scene is before the end of the last day.
const Days = 180

// stepInterval is the time between two steps of a scene.
const stepInterval = 4 * time.Minute

// Scene is a sequence of steps on one day.
type Scene struct {
	Name      string  `yaml:"scene"`
	Day       int     `yaml:"day"`
	At        string  `yaml:"at"` // HH:MM, UTC
	Namespace string  `yaml:"namespace"`
	Project   string  `yaml:"project"`
	User      string  `yaml:"user"`
	Session   *string `yaml:"session"` // nil: the scene's name
	Steps     []Step  `yaml:"steps"`
}

// Step is one action in a scene: exactly one of Say, Change, Weigh, Expire, Pin and Ask.
type Step struct {
	Say string `yaml:"say"`
	// Optional fields of Say.
	As        string   `yaml:"as"` // a name for later steps
	Type      string   `yaml:"type"`
	Namespace string   `yaml:"namespace"`
	Project   string   `yaml:"project"`
	User      string   `yaml:"user"`
	By        string   `yaml:"by"`   // the agent
	SPO       []string `yaml:"spo"`  // subject, predicate, object
	Kind      string   `yaml:"kind"` // of the source; empty: USER
	From      string   `yaml:"from"` // the source
	Tags      []string `yaml:"tags"`
	Imp       *float64 `yaml:"imp"`
	Conf      *float64 `yaml:"conf"`
	Authority *float64 `yaml:"authority"`
	TTL       int      `yaml:"ttl"` // hours
	Priority  string   `yaml:"priority"`
	Consent   string   `yaml:"consent"` // empty: EXPLICIT
	Important bool     `yaml:"important"`
	Core      bool     `yaml:"core"`
	Safety    bool     `yaml:"safety"`
	Again     bool     `yaml:"again"` // it is stored even if it repeats an earlier memory

	Change string `yaml:"change"`
	To     string `yaml:"to"`
	Why    string `yaml:"why"`

	Weigh    string         `yaml:"weigh"` // a fact to adjudicate
	About    string         `yaml:"about"` // its subject
	Evidence []EvidenceItem `yaml:"evidence"`

	Expire string `yaml:"expire"`
	Pin    string `yaml:"pin"`
	Ask    string `yaml:"ask"`
}

// EvidenceItem is a principal who supports a fact.
type EvidenceItem struct {
	Of     string  `yaml:"of"`
	Weight float64 `yaml:"weight"`
	Sure   float64 `yaml:"sure"`
}

// timedStep is a step with its scene and the time since the start of the world.
type timedStep struct {
	*Step
	scene *Scene
	at    time.Duration
	name  string // unique and stable, for idempotency keys
}

// World is all steps in order of time.
type World struct{ steps []timedStep }

// Len is the number of steps.
func (w *World) Len() int { return len(w.steps) }

// Read reads the embedded world.
func Read() (*World, error) { return read(files) }

func read(files fs.FS) (*World, error) {
	names, err := fs.Glob(files, "world/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	w := &World{}
	known := map[string]bool{}
	var last time.Duration
	for _, name := range names {
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		var scenes []Scene
		d := yaml.NewDecoder(bytes.NewReader(raw))
		d.KnownFields(true)
		if err := d.Decode(&scenes); err != nil {
			return nil, fmt.Errorf("demo: %s: %w", name, err)
		}
		for i := range scenes {
			if last, err = w.add(&scenes[i], last, known); err != nil {
				return nil, fmt.Errorf("demo: %s: scene %q: %w", name, scenes[i].Name, err)
			}
		}
	}
	return w, nil
}

// add appends the steps of a scene, which must begin after last. It returns the time of its
// last step.
func (w *World) add(s *Scene, last time.Duration, known map[string]bool) (time.Duration, error) {
	clock, err := time.Parse("15:04", s.At)
	if err != nil {
		return 0, fmt.Errorf("at %q is not HH:MM", s.At)
	}
	at := time.Duration(s.Day)*24*time.Hour + time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute
	switch {
	case s.Name == "" || s.Namespace == "" || len(s.Steps) == 0:
		return 0, fmt.Errorf("needs a name, a namespace and steps")
	case at < last:
		return 0, fmt.Errorf("begins before the previous scene ends")
	case known["scene "+s.Name]:
		return 0, fmt.Errorf("occurs twice")
	}
	known["scene "+s.Name] = true
	for i := range s.Steps {
		if err := s.Steps[i].check(known); err != nil {
			return 0, fmt.Errorf("step %d: %w", i+1, err)
		}
		w.steps = append(w.steps, timedStep{&s.Steps[i], s, at, fmt.Sprintf("demo:%s:%d", s.Name, i+1)})
		at += stepInterval
	}
	if at > Days*24*time.Hour {
		return 0, fmt.Errorf("ends after day %d", Days)
	}
	return at - stepInterval, nil
}

// check validates a step. A name is known after the step that defines it.
func (s *Step) check(known map[string]bool) error {
	given := 0
	for _, v := range []string{s.Say, s.Change, s.Weigh, s.Expire, s.Pin, s.Ask} {
		if v != "" {
			given++
		}
	}
	ref := s.Change + s.Expire + s.Pin
	switch {
	case given != 1:
		return fmt.Errorf("must be one of say, change, weigh, expire, pin and ask")
	case s.Change != "" && (s.To == "" || s.Why == ""):
		return fmt.Errorf("change needs to and why")
	case s.Weigh != "" && (s.About == "" || len(s.Evidence) == 0):
		return fmt.Errorf("weigh needs about and evidence")
	case ref != "" && !known[ref]:
		return fmt.Errorf("no earlier step is named %q", ref)
	case len(s.SPO) != 0 && len(s.SPO) != 3:
		return fmt.Errorf("spo needs three parts")
	case s.As != "" && known[s.As]:
		return fmt.Errorf("%q is defined twice", s.As)
	}
	if s.As != "" {
		known[s.As] = true
	}
	return nil
}

var datePattern = regexp.MustCompile(`\{(\d{1,3})\}`)

// expandDates replaces {N} in a text by the date of day N of a world that began at the given
// time.
func expandDates(text string, began time.Time) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return datePattern.ReplaceAllStringFunc(text, func(m string) string {
		n, err := strconv.Atoi(m[1 : len(m)-1])
		if err != nil {
			return m
		}
		return began.AddDate(0, 0, n).Format("2 January")
	})
}
