package conflict

import (
	"slices"
	"strings"
)

// prefers compares two preferences: one can prefer one of a kind.
func prefers(a, b *clause) Result {
	if a.verb != preferKey || b.verb != preferKey || !together(a, b) || !slices.Equal(a.quals, b.quals) {
		return Result{}
	}
	hit := Result{scoreObject, KindObject, "another preference"}
	oa, ob := preferred(a), preferred(b)
	if len(oa) == 0 || len(ob) == 0 {
		return Result{}
	}
	ha, hb := oa[len(oa)-1], ob[len(ob)-1]
	if ta := than(a); ta != "" && ta == hb.lem && ha.lem != hb.lem {
		return hit
	}
	if tb := than(b); tb != "" && tb == ha.lem && ha.lem != hb.lem {
		return hit
	}
	if than(a) != "" && than(b) != "" {
		return Result{}
	}
	if forWhat(a) != forWhat(b) {
		return Result{}
	}
	if ha.lem == hb.lem && len(oa) > 1 && len(ob) > 1 && oa[0].lem != ob[0].lem && (opposed(oa[0].lem, ob[0].lem) || sameKind(oa[0].lem, ob[0].lem)) {
		return hit
	}
	if len(oa) == 1 && len(ob) == 1 && (sameKind(ha.lem, hb.lem) || opposed(ha.lem, hb.lem)) {
		return hit
	}
	if len(oa) == 1 && len(ob) == 1 && sameKind(ha.lem, hb.lem) {
		return hit
	}
	return Result{}
}

func forWhat(c *clause) string {
	var out []string
	for _, x := range c.rest {
		if x.prep != "" && !x.than {
			out = append(out, x.lem)
		}
	}
	return strings.Join(out, " ")
}

func preferred(c *clause) []item {
	var out []item
	for _, x := range c.rest {
		if x.than || x.prep != "" {
			break
		}
		out = append(out, x)
		if x.end {
			break
		}
	}
	return out
}
