package index

import "strings"

// stopWords are English words that carry grammar rather than content: articles,
// pronouns, prepositions, conjunctions, auxiliaries, question words and what is
// left of contractions. Words that order time (before, after, first, last, now)
// are kept: memories are asked for by them.
var stopWords = set(`
	a an the
	i me my mine myself we us our ours ourselves you your yours yourself yourselves
	he him his himself she her hers herself it its itself they them their theirs themselves
	this that these those there here
	am is are was were be been being
	do does did doing done have has had having
	will would shall should can could may might must ought
	not no nor
	and or but if then than because as so
	of at by for with about against between into through to from in out on off over under up down
	what which who whom whose when where why how
	such own same too very just also
	im ive id dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent hadnt
	don doesn didn isn aren wasn weren couldn wouldn shouldn hasn haven hadn
	ll ve re
`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
