package lexicon

import "strings"

// toponyms are endings that many names of places have, in English and in the languages around it.
var toponyms = strings.Fields("burg berg burgh ton ham ville stad stadt heim furt dorf hausen haven havn ford bury shire port mouth minster chester caster grad pur abad polis wick wich dam bruck brück bach thal vik fjord holm borg sund land foss ness by")

// Toponym reports a name, in lower case, with an ending that many names of places have.
func Toponym(low string) bool {
	for _, ending := range toponyms {
		if len(low) > len(ending)+2 && strings.HasSuffix(low, ending) {
			return true
		}
	}
	return false
}
