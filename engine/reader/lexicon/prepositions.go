package lexicon

// Prepositions and particles.
var (
	// Phrasal are verbs that end what their particle governs: "gave up the trumpet".
	Phrasal = map[string]string{"give": "up", "giv": "up", "throw": "out", "cancel": "out", "back": "out"}
	// OpposedPrepositions are prepositions that exclude each other before the same noun.
	OpposedPrepositions = map[string]string{"with": "without", "without": "with", "before": "after", "after": "before", "above": "below", "below": "above",
		"inside": "outside", "outside": "inside", "over": "under", "under": "over", "for": "against", "against": "for", "in": "out", "out": "in"}
	// PrepositionGroup numbers prepositions for the trees.
	PrepositionGroup = map[string]int{"in": 1, "on": 2, "at": 3, "with": 4, "to": 5, "from": 6, "for": 7, "by": 8, "about": 9, "as": 10, "every": 11, ",": 12, "of": 13, "under": 14}
)
