package reader

import (
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/reader/worlds"
)

// inserts are what changedText puts between words.
var inserts = []string{"because", "since", ",", ".", "and", "for", "until", "not", "from", "of", "in", "no longer", "stopped", "left", "if", "every", "the", "my", "'s", "\"", "(", "-", "to", "on Monday", "in March", "after", "5", "#", "—"}

// changedText inserts, removes, swaps or cuts words of a text, or continues it with another one.
func changedText(r *rand.Rand, text, other string) string {
	w, x := strings.Fields(text), strings.Fields(other)
	i := r.IntN(len(w))
	insert := inserts[r.IntN(len(inserts))]
	switch r.IntN(5) {
	case 0:
		w = slices.Concat(w[:i], []string{insert}, x[r.IntN(len(x)):])
	case 1:
		if len(w) > 1 {
			w = slices.Delete(w, i, i+1)
		}
	case 2:
		w = slices.Insert(w, i, insert)
	case 3:
		w = w[:i+1]
	default:
		j := r.IntN(len(w))
		w[i], w[j] = w[j], w[i]
	}
	return strings.Join(w, " ")
}

// Statements that are cut or muddled can be read and compared too.
func TestChangedStatementsAreRelated(t *testing.T) {
	n := 60_000
	if testing.Short() {
		n = 3_000
	}
	all := worlds.WrittenPairs()
	r := rand.New(rand.NewPCG(1, 150))
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for range n {
		w, o := all[r.IntN(len(all))], all[r.IntN(len(all))]
		a, b := w.Earlier, w.Later
		for range r.IntN(3) {
			a = changedText(r, a, o.Later)
		}
		for range 1 + r.IntN(3) {
			b = changedText(r, b, o.Earlier)
		}
		func() {
			defer func() {
				if fault := recover(); fault != nil {
					t.Errorf("%q, %q: %v\n%s", a, b, fault, debug.Stack())
				}
			}()
			p, q := Prepare(Statement{Text: a, Speaker: "ana", At: at}), Prepare(Statement{Text: b, Speaker: "ana", At: at.AddDate(0, 1, 0)})
			p.relate(q)
			p.Undeclared(q)
			p.Supports(q)
			Read(b, Hints{At: at})
		}()
	}
}
