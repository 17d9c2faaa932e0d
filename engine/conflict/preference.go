package conflict

import (
	"slices"
	"strings"
)

// comparePreferences compares two preferences. One can prefer only one of a kind.
func comparePreferences(a, b *clause) Result {
	if a.verb != "prefer" || b.verb != "prefer" || !sameTime(a, b) || !slices.Equal(a.qualifiers, b.qualifiers) {
		return Result{}
	}
	hit := Result{scoreObject, KindObject, "another preference"}
	oa, ob := preferredItems(a), preferredItems(b)
	if len(oa) == 0 || len(ob) == 0 {
		return Result{}
	}
	ha, hb := oa[len(oa)-1], ob[len(ob)-1]
	if ta := comparedWith(a); ta != "" && ta == hb.lem && ha.lem != hb.lem {
		return hit
	}
	if tb := comparedWith(b); tb != "" && tb == ha.lem && ha.lem != hb.lem {
		return hit
	}
	if comparedWith(a) != "" && comparedWith(b) != "" {
		return Result{}
	}
	if preferenceContext(a) != preferenceContext(b) {
		return Result{}
	}
	if ha.lem == hb.lem && len(oa) > 1 && len(ob) > 1 && oa[0].lem != ob[0].lem && (areOpposed(oa[0].lem, ob[0].lem) || sameKind(oa[0].lem, ob[0].lem)) {
		return hit
	}
	if len(oa) == 1 && len(ob) == 1 && (sameKind(ha.lem, hb.lem) || areOpposed(ha.lem, hb.lem)) {
		return hit
	}
	if len(oa) == 1 && len(ob) == 1 && sameKind(ha.lem, hb.lem) {
		return hit
	}
	return Result{}
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
