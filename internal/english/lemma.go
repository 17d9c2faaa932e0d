package english

import "strings"

// Lemma returns a key that the forms of one word share: "lives", "living" and "lived" give
// "liv". It is not always a word, and sometimes two words share one ("not" and "note").
func Lemma(low string) string {
	if l, ok := irregular[low]; ok {
		return l
	}
	return regular(low)
}

// Singular returns a word without the ending of a plural or of a verb in the third person:
// "boats" gives "boat", "ladies" "lady", "glasses" "glass".
func Singular(low string) string {
	n := len(low)
	switch {
	case n < 4 || low[n-1] != 's':
		return low
	case n > 4 && strings.HasSuffix(low, "ies"):
		return low[:n-3] + "y"
	case strings.HasSuffix(low, "sses"), strings.HasSuffix(low, "shes"), strings.HasSuffix(low, "ches"), strings.HasSuffix(low, "xes"), strings.HasSuffix(low, "zzes"):
		return low[:n-2]
	case strings.HasSuffix(low, "ss"), strings.HasSuffix(low, "us"), strings.HasSuffix(low, "is"):
		return low
	}
	return low[:n-1]
}

// IrregularPast reports an irregular past form or participle: "went", "gone".
func IrregularPast(low string) bool { _, ok := pastForms[low]; return ok }

// BaseInEd reports a base form that ends like a past form: "wed" and "embed", or what is the past of no verb in "ee" ("feed", "proceed", and not
// "agreed").
func BaseInEd(low string) bool {
	return basesInEd[low] || strings.HasSuffix(low, "eed") && !pastsInEed[low]
}

var (
	basesInEd  = WordSet("bed embed imbed shed shred wed")
	pastsInEed = WordSet("agreed disagreed freed guaranteed decreed refereed pedigreed peed teed treed kneed emceed")
)

// Uninflected reports a word that ends like a plural or a verb form and is none: "always",
// "meeting".
func Uninflected(low string) bool { return uninflected[low] }

// regular takes off the endings of plurals and verb forms.
func regular(w string) string {
	n := len(w)
	if n < 4 || w[0] < 'a' || w[0] > 'z' {
		return w
	}
	switch {
	case strings.HasSuffix(w, "s"):
		return stripE(Singular(w))
	case strings.HasSuffix(w, "ing") && n > 5 && hasVowel(w[:n-3]):
		return stripE(Undouble(w[:n-3]))
	case strings.HasSuffix(w, "ied") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && n > 4 && hasVowel(w[:n-2]):
		return stripE(Undouble(w[:n-2]))
	}
	return stripE(w)
}

func stripE(w string) string {
	if n := len(w); n > 3 && w[n-1] == 'e' && w[n-2] != 'e' {
		return w[:n-1]
	}
	return w
}

// Undouble takes off a letter that was doubled before an ending: "plann" gives "plan", "bigg"
// "big".
func Undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && strings.IndexByte("bdgmnprt", w[n-1]) >= 0 {
		return w[:n-1]
	}
	return w
}

func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

// uninflected words end like an inflected form and are none.
var uninflected = wordLists.Set("uninflected")

// pastForms are the irregular past forms and participles, with what they come from.
var pastForms = wordLists.Keys("pastForms")

// irregular are the words whose lemma does not come from their ending.
var irregular = func() map[string]string {
	m := wordLists.Keys("irregular")
	for form, base := range pastForms {
		m[form] = base
	}
	for form, base := range m {
		if !uninflected[base] {
			m[form] = regular(base)
		}
	}
	for w := range uninflected {
		m[w] = w
	}
	return m
}()
