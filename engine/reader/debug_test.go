package reader

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestDebug(t *testing.T) {
	data, _ := os.ReadFile(os.Getenv("PAIRS"))
	for line := range strings.Lines(string(data)) {
		x, y, ok := strings.Cut(strings.TrimSpace(line), " => ")
		if !ok {
			continue
		}
		a, b := Prepare(Statement{Text: x}), Prepare(Statement{Text: y})
		fmt.Println("##", line)
		for i := range a.clauses {
			for j := range b.clauses {
				p := align(&a.clauses[i], &b.clauses[j])
				var f builder
				p.features(&f)
				z := model.Logits(f.out)
				fmt.Printf("  w=%.1f S=%d(%s|%s) V=%d(%s|%s) O=%d(%s|%s) P=%d(%s %c) same%d differ%d q%d onlyE%d onlyL%d slot=%v flip=%v cross=%d veto=%s agree=%v z=%.1f p=%.2f mod=%v|%v\n", p.weight(), p.subject, p.earlier.subject.key(), p.later.subject.key(), p.verb, p.earlier.verbLemma, p.later.verbLemma, p.object, p.earlier.object.key(), p.later.object.key(), p.phrase, p.phrasePrep, p.phraseKind, p.same, p.differ, p.qualifier, p.onlyEarlier, p.onlyLater, p.slot.found, p.flip, p.crossKind, p.veto(), p.agree(), z, model.Certainty(z), p.earlier.modality, p.later.modality)
				if p.slot.found {
					fmt.Printf("     frame=%s card=%d holder=%d value=%d use %d %d h=%s|%s\n", tables.frames[p.slot.earlier.frame].name, p.slot.cardinality, p.slot.holder, p.slot.value, p.slot.earlier.use, p.slot.later.use, p.slot.earlier.holder, p.slot.later.holder)
				}
			}
		}
	}
}

func TestRoc(t *testing.T) {
	for _, set := range strings.Fields(os.Getenv("SETS")) {
		var up, no []float64
		for _, r := range readRows(t, set) {
			c := Relate(Statement{Text: r.earlier}, Statement{Text: r.later}).Certainty
			if r.label == '+' || r.label == 'x' {
				up = append(up, c)
			} else {
				no = append(no, c)
			}
		}
		slices.SortFunc(no, func(a, b float64) int { return cmp.Compare(b, a) })
		for _, k := range []int{0, 1, 2, 4, 8, 16} {
			n := 0
			for _, c := range up {
				if c > no[k] {
					n++
				}
			}
			fmt.Printf("%s: %d wrong of %d at %.2f: recall %.3f\n", set, k, len(no), no[k], float64(n)/float64(len(up)))
		}
	}
}
