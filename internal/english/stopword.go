package english

// StopWord reports a word in lower case without content: an article, a pronoun, a
// preposition, a conjunction, an auxiliary, a question word or the remains of a
// contraction. Words that order time (before, after, first, last, now) are not stop words,
// because people search by them.
func StopWord(low string) bool { return stopWordSet[low] }

const stopWords = `
	a an the
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
`

var stopWordSet = WordSet(Pronouns + stopWords)
