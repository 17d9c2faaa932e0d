package evaluation

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/gate"
)

//go:embed worlds/gate.txt
var developmentWorlds string

//go:embed worlds/kept.txt
var heldOutWorlds string

// Belief is a belief of a labelled world. The rules infer an empty subject.
type Belief struct{ Name, Subject, Text string }

// Ruling is a labelled fact: what the gate should do with it.
type Ruling struct {
	World         string
	Decision      gate.Decision
	Belief        string // name of the belief that it is about; empty: none
	Evidence      string // a key of [evidence]
	Subject, Text string
}

// Worlds holds beliefs by world, and the rulings about them.
type Worlds struct {
	Beliefs map[string][]Belief
	Rulings []Ruling
}

// ReadWorlds reads the labelled worlds: those that the rules were developed on, and held-out
// ones.
func ReadWorlds() (development, heldOut *Worlds, err error) {
	if development, err = readWorlds("gate.txt", developmentWorlds); err != nil {
		return nil, nil, err
	}
	heldOut, err = readWorlds("kept.txt", heldOutWorlds)
	return development, heldOut, err
}

func readWorlds(name, text string) (*Worlds, error) {
	w := &Worlds{Beliefs: map[string][]Belief{}}
	world := ""
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, said, ok := strings.Cut(line, ": ")
		f := strings.Fields(head)
		var err error
		switch {
		case len(f) == 2 && f[0] == "world" && !ok:
			world = f[1]
		case len(f) > 2 && f[0] == "belief" && ok:
			err = w.believe(world, f[1], strings.Join(f[2:], " "), said)
		case len(f) > 4 && f[0] == "fact" && ok:
			err = w.rule(Ruling{world, gate.Decision(f[1]), f[2], f[3], strings.Join(f[4:], " "), said})
		default:
			err = fmt.Errorf("is not a world, a belief or a fact")
		}
		if err != nil {
			return nil, fmt.Errorf("worlds/%s:%d: %w", name, i+1, err)
		}
	}
	return w, nil
}

func (w *Worlds) believe(world, name, subject, text string) error {
	if world == "" || slices.ContainsFunc(w.Beliefs[world], func(b Belief) bool { return b.Name == name }) {
		return fmt.Errorf("belief %s is outside a world, or twice in it", name)
	}
	if subject == "~" {
		subject = ""
	}
	w.Beliefs[world] = append(w.Beliefs[world], Belief{name, subject, text})
	return nil
}

func (w *Worlds) rule(r Ruling) error {
	if r.Belief == "-" {
		r.Belief = ""
	}
	known := slices.ContainsFunc(w.Beliefs[r.World], func(b Belief) bool { return b.Name == r.Belief })
	switch {
	case !slices.Contains([]gate.Decision{gate.Stored, gate.Merged, gate.Replaced, gate.Rejected}, r.Decision):
		return fmt.Errorf("unknown decision %s", r.Decision)
	case (r.Decision == gate.Stored) != (r.Belief == "") || r.Belief != "" && !known:
		return fmt.Errorf("%s has the wrong belief: STORED takes none, the others take one of the world", r.Decision)
	case evidence[r.Evidence] == nil:
		return fmt.Errorf("unknown evidence %q", r.Evidence)
	}
	w.Rulings = append(w.Rulings, r)
	return nil
}
