package hashed

import "strings"

// Priors for the information of a word, relative to an unknown word. A cosine squares them.
// Names have a low weight, because an agent's memories are mostly about the same few people
// and repeat their names.
const (
	functionWeight = 0.12
	commonWeight   = 0.8
	capitalWeight  = 0.5
	shortWeight    = 0.9
	longWeight     = 1.1
	digitWeight    = 1.05
)

// prior returns the weight of a word from the word lists and its shape.
func (w word) prior(folded []byte) float64 {
	n := len(folded)
	switch {
	case w.ideograms:
		if w.to-w.from <= 4 {
			return 0.6 // one character
		}
		return 1
	case n == 1 && !w.digits:
		return functionWeight
	case functionWords[string(folded)]:
		return functionWeight
	case commonWords[string(folded)]:
		return commonWeight
	case w.digits:
		return digitWeight
	case w.capital:
		return capitalWeight
	case n <= 3:
		return shortWeight
	case n >= 8:
		return longWeight
	}
	return 1
}

// functionWords are grammatical words without content.
var functionWords = list(`
a an the
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
this that these those there here one ones
am is are was were be been being do does did doing done have has had having
will would shall should can could may might must ought
im ive id ill youre youve youll youd hes shes theyre theyve theyll weve wed
dont doesnt didnt isnt arent wasnt werent cant cannot couldnt wont wouldnt shouldnt hasnt havent hadnt
thats whats theres lets gonna gotta wanna kinda
not no nor yes yeah and or but if then than because as so though although while
of at by for with about against between into through to from in out on off over under up down upon onto within without
what which who whom whose when where why how
such own same too very just also only even quite rather really
some any each every all both few more most other another much many
again ever never always often sometimes
oh ok okay well hey hi hello wow um uh please thanks thank
etc eg ie vs
`)

// commonWords are frequent words with little information.
var commonWords = list(`
get gets got getting go goes going went gone come comes came coming make makes made making
take takes took taken taking give gives gave given giving put puts let keep kept
say says said saying tell tells told know knows knew known think thinks thought thinking
see sees saw seen seeing look looks looked looking want wants wanted need needs needed
like likes liked love loves loved feel feels felt feeling find finds found try tries tried trying
use uses used using work works worked working call calls called ask asks asked
seem seems seemed become becomes became start starts started happen happens happened
help helps helped show shows showed talk talks talked talking mean means meant
thing things something anything nothing everything someone anyone everyone stuff
way ways time times day days week weeks month months year years today now then still already yet soon later ago
man men woman women person people guy guys
place places part parts lot lots kind sort bit point case fact idea
good great nice best better bad big small little new old long first last next right left high low own
sure able important different possible cool awesome amazing glad happy
back away around together maybe perhaps probably actually definitely pretty
two three four five
life world home
mention mentioned describe explain remember recall
`)

func list(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
