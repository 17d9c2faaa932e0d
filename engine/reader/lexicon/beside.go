package lexicon

import "strings"

// BeginsBefore returns the length of an "as", before "of", or a "starting" at the end of a text in lower case; 0: there is none.
func BeginsBefore(before string, of bool) int {
	text := strings.TrimRight(before, " ")
	for _, w := range [...]string{"starting", "effective", "beginning", "as"} {
		if rest, ok := strings.CutSuffix(text, w); ok && (w == "as") == of && (rest == "" || strings.HasSuffix(rest, " ")) {
			return len(before) - len(rest)
		}
	}
	return 0
}

// OwnThing reports that one holder is a thing of the speaker and the other one that thing without its owner: "our project", "the project".
func OwnThing(own, thing string) bool {
	owner, noun, ok := strings.Cut(own, "'s ")
	return ok && owner[0] == '@' && noun == thing
}

// NamedKin reports that one holder is a relative with a name and the other one that relative without it: "my brother Jon", "my brother".
func NamedKin(named, plain string) bool {
	name, ok := strings.CutPrefix(named, plain+" ")
	return ok && !strings.Contains(name, " ") && Kin[plain[strings.LastIndexByte(plain, ' ')+1:]]
}
