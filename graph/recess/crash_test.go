package recess

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// story is a fixed sequence of calls and the expected content after it.
type story struct {
	engrams map[graph.ID]Engram
	present map[graph.ID]bool // acknowledged
	gone    map[graph.ID]bool // erased, acknowledged or not
	open    map[graph.ID]bool // touched by a failed call: present or not
}

func newStory() *story {
	return &story{map[graph.ID]Engram{}, map[graph.ID]bool{}, map[graph.ID]bool{}, map[graph.ID]bool{}}
}

// note records the outcome of a call on some ids.
func (s *story) note(err error, present bool, ids ...graph.ID) {
	for _, id := range ids {
		switch {
		case err != nil:
			s.open[id] = true
		case present:
			s.present[id] = true
			delete(s.open, id)
		default:
			delete(s.present, id)
			delete(s.open, id)
		}
	}
}

// tell runs the story until its end or until the power cut. It returns the first error.
func (s *story) tell(r *Recess) (first error) {
	m := newMaker(42)
	list := m.engrams(14, 3)
	list = append(list, m.engrams(5, 0)...)
	for i := range list {
		list[i].EngravedAt = start // one day: one file per namespace
		s.engrams[list[i].Memory.ID] = list[i]
	}
	try := func(err error) error {
		if err != nil && first == nil {
			first = err
		}
		return err
	}
	appended := func(part []Engram) { s.note(try(r.Append(ctx, kiwi, part...)), true, idsOf(part)...) }
	sealed := func() { _, err := r.Seal(ctx, kiwi); _ = try(err) }
	erased := func(ids ...graph.ID) {
		_, err := r.Erase(ctx, kiwi, ids...)
		s.note(try(err), false, ids...)
		for _, id := range ids {
			s.gone[id] = true
		}
	}
	withdrawn := func(ids ...graph.ID) { s.note(try(r.Withdraw(ctx, kiwi, ids...)), false, ids...) }
	at := func(i int) graph.ID { return list[i].Memory.ID }

	appended(list[:4])
	appended(list[4:8])
	sealed()
	appended(list[8:12])
	withdrawn(at(1), at(9))
	appended(list[1:2])
	appended(list[12:17])
	erased(at(2), at(10), at(15))
	sealed()
	_ = try(r.RotateMaster(ctx, nil))
	_ = try(r.RotateKeys(ctx))
	_ = try(r.RenewKeys(ctx, kiwi))
	appended(list[17:])
	sealed()
	erased(at(17))
	return first
}

// check fails unless r has the expected content.
func (s *story) check(t *testing.T, r *Recess, when string) {
	t.Helper()
	there := 0
	for _, id := range idsOf(s.list()) {
		got, err := r.Read(ctx, kiwi, id)
		switch {
		case err == nil:
			there++
			if got.Memory.Content != s.engrams[id].Memory.Content {
				t.Fatalf("%s: %s says %q", when, id, got.Memory.Content)
			}
			if !s.present[id] && !s.open[id] {
				t.Fatalf("%s: %s is there", when, id)
			}
		case !errors.Is(err, graph.ErrNotFound):
			t.Fatalf("%s: %s: %v", when, id, err)
		case s.present[id] && !s.open[id]:
			t.Fatalf("%s: %s is lost", when, id)
		}
	}
	stats, err := r.Stats(ctx, kiwi)
	must(t, err)
	if stats.Engrams != there {
		t.Fatalf("%s: %d engrams are there, %d are counted", when, there, stats.Engrams)
	}
}

func (s *story) list() []Engram {
	var list []Engram
	for _, e := range s.engrams {
		list = append(list, e)
	}
	return list
}

// options open a recess on a disk. Each opening has new randomness.
func options(d *powerDisk, a *alarms) Options {
	return Options{Dir: "recess", disk: d, Rand: chacha(uint64(d.clock)), Alarm: a.raise}
}

// begin opens a recess on a disk; nil if the power was cut before it was open.
func begin(t *testing.T, d *powerDisk, a *alarms) *Recess {
	t.Helper()
	r, err := Open(options(d, a))
	if errors.Is(err, errPower) {
		return nil
	}
	must(t, err)
	return r
}

// The power is cut at every step of the story, with three outcomes for unsynced data.
func TestPowerCutAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	whole := newPowerDisk()
	r := begin(t, whole, &alarms{})
	s := newStory()
	must(t, s.tell(r))
	s.check(t, r, "uninterrupted")
	steps := whole.step
	t.Logf("%d steps", steps)
	for n := 1; n <= steps; n++ {
		for mode := range keepModes {
			if !everyMode && (n+mode)%(2*keepModes) != 0 {
				continue
			}
			d := newPowerDisk()
			d.fail = n
			s := newStory()
			if r := begin(t, d, &alarms{}); r != nil {
				_ = s.tell(r) // it fails, as intended
			}
			recovered(t, d.after(mode, uint64(n)), s, fmt.Sprintf("cut at %d, mode %d", n, mode))
		}
	}
}

// recovered checks what is on the disk after a power cut, then continues with it.
func recovered(t *testing.T, d *powerDisk, s *story, when string) {
	t.Helper()
	var a alarms
	r := begin(t, d, &a)
	s.check(t, r, when)
	for _, e := range s.list() {
		// The caller tries again: everything that is not erased can be engraved.
		if err := r.Append(ctx, kiwi, e); err != nil && !s.gone[e.Memory.ID] {
			t.Fatalf("%s: again: %v", when, err)
		} else {
			s.note(err, true, e.Memory.ID)
		}
	}
	if _, err := r.Seal(ctx, kiwi); err != nil {
		t.Fatalf("%s: seal: %v", when, err)
	}
	s.check(t, r, when+", sealed")
	report, err := r.Scrub(ctx)
	if err != nil || len(report.Damaged) > 0 {
		t.Fatalf("%s: scrub: %+v %v", when, report, err)
	}
	stats, err := r.Stats(ctx, kiwi)
	must(t, err)
	blobs := 0
	for name := range d.files() {
		if hasParquet(name) {
			blobs++
		}
	}
	if stats.FileCount != blobs || stats.Journal != 0 || stats.Erasing {
		t.Fatalf("%s: %d files remain: %+v", when, blobs, stats)
	}
	if a.count() > 0 {
		t.Fatalf("%s: alarms %+v", when, a.list)
	}
	must(t, r.Close())
}

func hasParquet(name string) bool { return strings.HasSuffix(name, ".parquet.sealed") }

// One step fails and the process continues: it may refuse calls, but must not lose data.
func TestTransientFaultAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	whole := newPowerDisk()
	must(t, newStory().tell(begin(t, whole, &alarms{})))
	for n := 1; n <= whole.step; n++ {
		if !everyMode && n%5 != 0 {
			continue
		}
		d := newPowerDisk()
		d.fail, d.once = n, true
		s := newStory()
		var a alarms
		r, err := Open(options(d, &a))
		if err != nil {
			if r, err = Open(options(d, &a)); err != nil {
				t.Fatalf("fault at %d: open again: %v", n, err)
			}
		}
		_ = s.tell(r)
		s.check(t, r, fmt.Sprintf("fault at %d, living on", n))
		must(t, r.Close())
		recovered(t, d.clone(), s, fmt.Sprintf("fault at %d, opened again", n))
	}
}
