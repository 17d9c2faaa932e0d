package conflict

import (
	"slices"
	"strings"
)

// preferOthers reports two preferences that exclude each other. One can prefer only one of a kind.
func preferOthers(a, b *clause) bool {
	if a.verb != "prefer" || b.verb != "prefer" || !sameTime(a, b) || !slices.Equal(a.qualifiers, b.qualifiers) {
		return false
	}
	oa, ob := preferredItems(a), preferredItems(b)
	if len(oa) == 0 || len(ob) == 0 {
		return false
	}
	ha, hb := oa[len(oa)-1], ob[len(ob)-1]
	ta, tb := comparedWith(a), comparedWith(b)
	switch {
	case ta != "" && ta == hb.lem && ha.lem != hb.lem, tb != "" && tb == ha.lem && ha.lem != hb.lem:
		return true
	case ta != "" && tb != "", preferenceContext(a) != preferenceContext(b):
		return false
	}
	if ha.lem == hb.lem && len(oa) > 1 && len(ob) > 1 && oa[0].lem != ob[0].lem && (areOpposed(oa[0].lem, ob[0].lem) || sameKind(oa[0].lem, ob[0].lem)) {
		return true
	}
	return len(oa) == 1 && len(ob) == 1 && (sameKind(ha.lem, hb.lem) || areOpposed(ha.lem, hb.lem))
}

// preferKey is the lemma of "prefer".
var preferKey = lemma("prefers")

// preferOneKind reports two objects of "prefers" that are of one kind: alternatives of the word lists, or two
// modifiers of one noun that are.
func preferOneKind(a, b []string) bool {
	n := len(a)
	if n == 0 || n != len(b) || n > 2 || n == 2 && a[1] != b[1] {
		return false
	}
	return areOpposed(a[0], b[0]) || sameKind(a[0], b[0])
}

func preferenceContext(c *clause) string {
	var out []string
	for _, x := range c.items {
		if x.prep != "" && !x.compared {
			out = append(out, x.lem)
		}
	}
	return strings.Join(out, " ")
}

func preferredItems(c *clause) []item {
	var out []item
	for _, x := range c.items {
		if x.compared || x.prep != "" {
			break
		}
		out = append(out, x)
		if x.last {
			break
		}
	}
	return out
}
