package english

// StopWord reports a word in lower case without content: an article, a pronoun, a
// preposition, a conjunction, an auxiliary, a question word or the remains of a
// contraction. Words that order time (before, after, first, last, now) are not stop words,
// because people search by them.
func StopWord(low string) bool { return stopWords[low] }

var stopWords = WordSet(Pronouns + " " + wordLists.Words("stopWords"))
