package graph

import (
	"errors"
	"fmt"
	"testing"
)

// pagedNotes is a Reader with n notes, of which the reads after the first fail with err.
type pagedNotes struct {
	Reader
	n, reads int
	err      error
}

func (p *pagedNotes) Notes(kind NoteKind, after ID, _ bool, limit int) (page []*Note, err error) {
	if p.reads++; p.reads > 1 && p.err != nil {
		return nil, p.err
	}
	for i := range p.n {
		if id := ID(fmt.Sprintf("%06d", i)); id > after && len(page) < limit {
			page = append(page, &Note{Kind: kind, ID: id})
		}
	}
	return page, nil
}

// AllNotes yields every note once, in order, and ends early if the caller does.
func TestAllNotesReadsEveryPage(t *testing.T) {
	for _, n := range []int{0, 1, MaxPage, 2*MaxPage + 1} {
		p := &pagedNotes{n: n}
		seen := 0
		for note, err := range AllNotes(p, NoteSleep, "", false) {
			if want := ID(fmt.Sprintf("%06d", seen)); err != nil || note.ID != want {
				t.Fatalf("note %v, error %v, want %s", note, err, want)
			}
			seen++
		}
		if seen != n || p.reads != n/MaxPage+1 {
			t.Errorf("%d notes in %d reads, want %d", seen, p.reads, n)
		}
	}
	p := &pagedNotes{n: 2 * MaxPage}
	for range AllNotes(p, NoteSleep, "", false) {
		break
	}
	if p.reads != 1 {
		t.Errorf("%d reads for one note", p.reads)
	}
}

// An error of a later page ends AllNotes after the notes before it.
func TestAllNotesReportsAnError(t *testing.T) {
	damaged := errors.New("damaged")
	seen, got := 0, error(nil)
	for _, err := range AllNotes(&pagedNotes{n: 2 * MaxPage, err: damaged}, NoteSleep, "", false) {
		if got = err; err == nil {
			seen++
		}
	}
	if seen != MaxPage || got != damaged {
		t.Errorf("%d notes, then error %v", seen, got)
	}
}
