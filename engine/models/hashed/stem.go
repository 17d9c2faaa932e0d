package hashed

import "strings"

// irregular maps irregular forms to the base form. The list was written for this package.
var irregular = forms(`
be is are was were been being am
go went gone goes going
have had has having
do did done does doing
buy bought
bring brought
think thought
teach taught
catch caught
seek sought
fight fought
see saw seen
take took taken taking
give gave given giving
get got gotten getting
make made making
say said
tell told
know knew known
grow grew grown
fly flew flown
draw drew drawn
throw threw thrown
blow blew blown
write wrote written writing
drive drove driven driving
ride rode ridden riding
rise rose risen rising
speak spoke spoken
break broke broken
choose chose chosen choosing
steal stole stolen
wake woke woken waking
wear wore worn
eat ate eaten
drink drank drunk
sing sang sung
swim swam swum
run ran running
begin began begun beginning
ring rang rung
sink sank sunk
come came coming
become became
sleep slept
keep kept
feel felt
leave left leaving
meet met
lose lost losing
send sent
spend spent
build built
lend lent
bend bent
sell sold
hold held
find found
stand stood
understand understood
win won winning
sit sat sitting
pay paid
lay laid
lead led
read reading
hear heard
shoot shot
sweep swept
feed fed
forget forgot forgotten
forgive forgave forgiven
fall fell fallen
shake shook shaken
bite bit bitten
hide hid hidden hiding
dig dug
hang hung
stick stuck
strike struck
swear swore sworn
tear tore torn
child children
man men
woman women
person people
foot feet
tooth teeth
goose geese
mouse mice
knife knives
wife wives
life lives
leaf leaves
shelf shelves
half halves
wolf wolves
thief thieves
loaf loaves
good better best
bad worse worst
far further farther
die died dying
lie lied lying
tie tied tying
`)

// whole are words that only appear to have an ending; they are not stemmed.
var whole = list(`news business species number wedding evening morning ceiling`)

// endings are removed in this order: the first that matches and leaves a stem of at least the
// given number of letters. The last field replaces the ending.
var endings = []struct {
	suffix, with string
	least        int
}{
	{"ization", "ize", 3}, {"isation", "ize", 3}, {"ational", "ate", 3}, {"fulness", "ful", 3}, {"ousness", "ous", 3},
	{"iveness", "ive", 3}, {"ically", "ic", 3}, {"ements", "e", 4}, {"iness", "y", 3}, {"ness", "", 3}, {"ments", "", 3},
	{"ement", "e", 4}, {"ment", "", 3}, {"ities", "", 3}, {"ity", "", 3}, {"ations", "ate", 3}, {"ation", "ate", 3}, {"itions", "", 3},
	{"ition", "", 3}, {"sions", "s", 4}, {"sion", "s", 4}, {"tions", "t", 4}, {"tion", "t", 4}, {"ances", "", 4}, {"ance", "", 4},
	{"ences", "", 4}, {"ence", "", 4}, {"ising", "ize", 3}, {"ised", "ize", 3}, {"ises", "ize", 3}, {"ise", "ize", 4},
	{"fully", "ful", 3}, {"ively", "ive", 3}, {"ously", "ous", 3}, {"ably", "", 3}, {"able", "", 3}, {"ible", "", 3},
	{"iest", "y", 2}, {"ier", "y", 2}, {"ies", "y", 2}, {"ied", "y", 2}, {"ily", "y", 2}, {"sses", "ss", 1}, {"ings", "", 3}, {"ing", "", 3},
	{"edly", "", 3}, {"ed", "", 3}, {"ers", "", 3}, {"er", "", 3}, {"ors", "", 4}, {"or", "", 4}, {"ists", "", 4}, {"ist", "", 4},
	{"ful", "", 3}, {"less", "", 3}, {"ly", "", 3}, {"al", "", 4}, {"ive", "", 4}, {"ous", "", 4}, {"es", "", 3},
}

// prefix is the number of characters that represent a word of an alphabet without stemming
// rules. Truncation works for many inflected languages (McNamee and Mayfield, "Character
// n-gram tokenization for European language text retrieval", 2004).
const prefix = 5

// stem returns the common form of a folded word's inflections and close derivations. The
// result may share w's bytes, and stem may change them.
func stem(w []byte) []byte {
	if plain, ok := irregular[string(w)]; ok {
		return plain
	}
	if whole[string(w)] {
		return w
	}
	plain, digits, runes, cut := true, false, 0, len(w)
	for i, r := range string(w) {
		if runes == prefix {
			cut = i
		}
		runes++
		plain = plain && r >= 'a' && r <= 'z'
		digits = digits || isDigit(r)
	}
	switch {
	case digits:
		return w
	case !plain:
		return w[:cut]
	}
	if n := len(w); n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i' {
		if known, ok := irregular[string(w[:n-1])]; ok {
			return known
		}
		if whole[string(w[:n-1])] {
			return w[:n-1]
		}
	}
	return regular(w)
}

// regular removes the endings of a word of the letters a to z.
func regular(w []byte) []byte {
	if len(w) < 4 {
		return w
	}
	if n := len(w); w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i' && w[n-2] != 'e' {
		w = w[:n-1]
	}
	for _, e := range endings {
		n := len(w) - len(e.suffix)
		if n < e.least || string(w[n:]) != e.suffix || !vowelIn(w[:n]) {
			continue
		}
		w = append(w[:n], e.with...)
		break
	}
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' && !vowel(w[n-1]) { // planned → plan
		n--
	}
	for n > 3 && (w[n-1] == 'e' || w[n-1] == 'i' || w[n-1] == 'y') {
		n--
	}
	return w[:n]
}

func vowelIn(w []byte) bool {
	for _, c := range w {
		if vowel(c) || c == 'y' {
			return true
		}
	}
	return false
}

func vowel(c byte) bool { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' }

// forms reads lines of a base form and its irregular forms, and returns the stem of each form.
func forms(lines string) map[string][]byte {
	m := map[string][]byte{}
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		for _, w := range words {
			m[w] = regular([]byte(words[0]))
		}
	}
	return m
}
