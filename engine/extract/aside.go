package extract

import "github.com/somnograph/somnograph/internal/english"

// SaysWho returns the number of words at the beginning of ws that only say who says something: "Ada keeps saying", "she told us",
// "said Cleo", "the owner said". 0 means none. What is no name and no pronoun counts only with a verb that things rarely have: "the
// gauge warns" may be what happens. After "as" it counts with any of the verbs: "as the gauge warns".
func SaysWho(ws []Word, afterAs bool) int {
	if len(ws) < 2 {
		return 0
	}
	if sayers[ws[0].Low] && ws[0].SignAfter == 0 {
		if n, _ := speakerIn(ws[1:]); n > 0 {
			return 1 + n
		}
		return 0
	}
	n, somebody := speakerIn(ws)
	if n == 0 || n == len(ws) {
		return 0
	}
	if beforeReport[ws[n].Low] && n+1 < len(ws) {
		n++
	}
	verb := english.Lemma(ws[n].Low)
	if !isReport(ws[n]) || !somebody && !afterAs && !personal[verb] {
		return 0
	}
	for n++; n < len(ws) && afterReport[ws[n].Low] && ws[n-1].SignAfter == 0; n++ {
	}
	return n
}

var (
	sayers       = english.WordSet("says said writes wrote warns warned notes noted reports reported claims claimed explains explained recalls recalled reminds reminded insists insisted stresses stressed tells told thinks")
	personal     = english.WordSet("say write explain insist claim recall think")
	beforeReport = english.WordSet("has had have keeps kept always often once just already also")
	afterReport  = english.WordSet("me us you them him her everybody everyone it so before earlier already again yesterday today")
)

// speakerIn returns the number of words of a speaker at the beginning of ws. somebody says that it is a name or a pronoun.
func speakerIn(ws []Word) (n int, somebody bool) {
	if len(ws) == 0 {
		return 0, false
	}
	if determiners[ws[0].Low] {
		for n = 2; n <= 3 && n <= len(ws) && ws[n-2].SignAfter == 0; n++ {
			if n == len(ws) || isReport(ws[n]) || beforeReport[ws[n].Low] {
				return n, false
			}
		}
		return 0, false
	}
	_, pronoun := english.PronounOf(ws[0].Low)
	if pronoun || ws[0].Text != ws[0].Low {
		return 1, true
	}
	return 0, false
}

func isReport(w Word) bool { return sayers[w.Low] || sayers[english.Lemma(w.Low)+"s"] }
