package conflict

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// lemma returns a key that the forms of a word and its synonyms share: "lives", "living" and
// "resided" give "liv". It is a key, not a word. low is in lower case.
func lemma(low string) string {
	low = english.Lemma(low)
	if s, ok := synonym[low]; ok {
		return s
	}
	return low
}

// lemmas returns the set of the lemmas of a list.
func lemmas(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[lemma(w)] = true
	}
	return m
}

// pairs reads "a=b c=d".
func pairs(list string) map[string]string {
	m := map[string]string{}
	for f := range strings.FieldsSeq(list) {
		k, v, _ := strings.Cut(f, "=")
		m[k] = v
	}
	return m
}

// synonym maps the lemmas of synonyms to one lemma.
var synonym = func() map[string]string {
	m := map[string]string{}
	for _, line := range []string{
		"live reside dwell", "like enjoy love adore fancy", "hate dislike detest despise loathe abhor", "car automobile vehicle",
		"job occupation profession", "boss manager supervisor", "wife husband spouse partner", "mother mom mum", "father dad",
		"apartment flat", "movie film", "colour color", "begin start commence", "end finish conclude", "purchase buy", "holiday vacation",
		"expensive pricey costly", "cheap inexpensive affordable", "big large huge", "small little tiny", "quick fast rapid speedy",
		"company firm employer", "phone telephone", "photo picture", "gift present", "deadline duedate", "physician doctor",
		"attorney lawyer", "university college", "employ hire recruit", "assist help", "happy glad",
		"allow permit", "forbid prohibit ban", "require need", "purple violet", "grey gray", "cancel scrap", "difficult hard tough",
		"correct right accurate", "wrong incorrect inaccurate", "pupil student", "programmer developer", "town city", "cafe coffeehouse",
		"favourite favorite", "trip journey", "sick ill unwell", "repair fix", "veterinarian vet", "complete completed", "sofa couch", "soccer football",
		"database db", "daily everyday", "postpone delay", "wed marry", "visit visited", "attend attended",
		"child kid", "postgresql postgres", "kubernetes k8s", "javascript js", "go golang",
	} {
		list := strings.Fields(line)
		key := english.Lemma(list[0])
		for _, w := range list[1:] {
			m[english.Lemma(w)] = key
		}
	}
	return m
}()
