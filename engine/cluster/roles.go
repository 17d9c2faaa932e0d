package cluster

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// vague are words that say little by themselves: quantities, degrees, times and fillers. It
// extends the stop words of english, which keep what people search by.
var vague = english.WordSet(`
	all any both each every few many more most much other others another some several enough either neither none
	again already almost always anymore anyway away back before after ago else even ever far first last later least less long
	maybe never next now often once only perhaps quite rather really since sometimes soon still then though today together
	tomorrow tonight yesterday yet usually actually definitely probably totally especially recently currently
	lot lots bit kind sort example examples thing things something anything everything nothing someone anyone everyone nobody somebody anybody
	one ones two three four five six seven eight nine ten way ways time times day days week weeks month months year years
	luck hey hi hello yeah yes yep nope okay wow oh ah haha lol thanks thank please sorry sure
	get gets got getting go goes going gone went come comes came coming make makes made making take takes took taken taking
	know knows knew think thinks thought say says said see seen saw want wants wanted need needs needed let lets try tried trying
	keep keeps kept give gave given use uses used using put puts look looks looked looking feel feels felt like likes liked
	good great nice better best big small new old able like well whole while during without within along around upon toward
	towards among across behind beside near via per until till although unless whether however instead gonna gotta wanna cannot`)

var (
	determiners  = english.WordSet("a an the this that these those my your his her its our their some any no each every another which what whose")
	prepositions = english.WordSet("of at by for with about above across against behind below beside beyond upon towards between into through from in on off over under during without within along around near after before via like")
	subjects     = english.WordSet("i we you he she they it who let's")
	auxiliaries  = english.WordSet("will would shall should can could may might must do does did don't doesn't didn't can't couldn't won't wouldn't shouldn't not never i'll we'll you'll they'll i'd we'd you'd gonna wanna gotta please")
	subordinate  = english.WordSet("because since when whenever while if unless until although though")
	vagueNouns   = english.WordSet("thing things stuff day days week weeks month months year years time times way ways people one ones")
	conjunctions = english.WordSet("and or but nor so yet because since when while if as than then that until unless")
	slight       = english.WordSet("first second third next last relevant specific various different important new certain possible available additional further key main final overall current real actual particular general several proper correct detailed complete full latest recent traditional modern")
	ordinals     = english.WordSet("first last next more most less least very too")
	relatives    = english.WordSet("that this which what who")
	calls        = english.WordSet("hey hi hello dear thanks yeah yes yep yup no nope okay wow oh ah sorry congrats congratulations bye goodbye well sure cool great nice")
	objects      = english.WordSet("me him them us you")
	copulas      = english.WordSet("am is are was were be been being i'm you're we're they're it's that's he's she's isn't aren't wasn't weren't so very too really pretty quite")
)

var (
	nounEndings     = strings.Fields("tion sion ment ness ity ship ism ist ance ence ery ure hood dom age logy graphy")
	qualityEndings  = strings.Fields("ly ful ous ive able ible ical less ish")
	relationEndings = strings.Fields("ic al ent ant ary") // of adjectives, and of some nouns
)

// rolesAt guesses the role of the content word at a token from the words beside it. ahead is the
// number of content words directly before it.
func rolesAt(text string, tokens []english.Token, i, ahead int, w contentWord) roles {
	var r roles
	before, after := neighbourOf(tokens, i-1), neighbourOf(tokens, i+1)
	opens := before == "" && opensAt(text, tokens, i)
	first, _ := utf8.DecodeRuneInString(w.text)
	switch {
	case opens:
		r.starts = 1
	case unicode.IsUpper(first):
		r.name = 1
	default:
		r.small = 1
	}
	if i > 0 && startsWithNumber(tokens[i-1]) || before == "per" {
		r.counted = 1
	}
	if after == "of" || followedByNumber(tokens, i) {
		r.open = 1
	}
	closed := !contentAt(tokens, i+1) && !vagueNouns[after] || acts(tokens, i+1)
	led := neighbourOf(tokens, i-1-ahead)
	// "The line jammed in the winch", "the line jams when it is wet": a verb after its subject.
	predicate := ahead > 0 && (closed && pastForm(w.low) || strings.HasSuffix(w.low, "s") && subordinate[after])
	participle := strings.HasSuffix(w.low, "ing") && !english.Uninflected(w.low)
	switch {
	case after == "" && (before == "" && (i == 0 || tokens[i-1].Kind != english.Word) || calls[before] && unicode.IsUpper(first)):
		r.alone = 1
	case possessive(tokens[i], w):
		r.noun = 1 // "the storm's end"
	case determiners[after] || objects[after]:
		r.verb = 1 // "means a lot", "tell me"
	case ahead == 0 && (subjects[before] || auxiliaries[before]), ahead == 0 && relatives[before] && strings.HasSuffix(w.low, "s"):
		r.verb = 1 // "it sounds", "that sounds"; a plural follows "those"
	case ahead == 0 && before == "to" && closed:
		// "to school" or "to swim"
	case ahead == 0 && before == "to":
		r.verb = 1
	case ahead == 0 && copulas[before]:
		r.quality = 1
	case participle && opens && ahead == 0 && (auxiliaries[after] || copulas[after]):
		r.noun = 1 // "Running can help"
	case participle && (ahead > 0 || !closed && !determiners[before]):
		r.verb = 1 // "a person walking", "of supporting veterans"
	case predicate:
		r.verb = 1
	case ahead > 0 && strings.HasSuffix(w.low, "ly"):
		r.quality = 1 // "woke slowly"
	case before == "of" && neighbourOf(tokens, i-2) == "out":
		// "out of stock"
	case ahead > 0 && closed && prepositions[after] && thirdPerson(w.low), ahead > 0 && followedByNumber(tokens, i) && thirdPerson(w.low):
		// "the server stands in the shed", "the pod weighs 431 grams": a verb, or the plural of a compound
	case closed && (determiners[led] || prepositions[led]) && ahead <= 2, ahead == 0 && followedByNumber(tokens, i) && !thirdPerson(w.low), heads(text, tokens, i, ahead):
		r.noun = 1 // "the winch", "chapter 4", "Winch manual: …"
	case !closed && (determiners[led] || prepositions[led]):
		r.modifier = 1
	}
	byEnding(w.low, &r)
	return r
}

// acts reports a content word that must be a verb because of what follows it: "the storm broke the mast".
func acts(tokens []english.Token, i int) bool {
	after := neighbourOf(tokens, i+1)
	return contentAt(tokens, i) && (determiners[after] || objects[after])
}

// possessive reports a word with "'s", which belongs to nouns and names.
func possessive(t english.Token, w contentWord) bool {
	_, clitic := english.Contraction(t.Lower())
	return clitic == "'s" && len(w.text) < len(t.Text)
}

// heads reports the last word of a heading: content words alone between the start of a sentence and a colon or a
// comma, as in "Heron manual, chapter 1". ahead is the number of those before it.
func heads(text string, tokens []english.Token, i, ahead int) bool {
	if ahead == 0 || i+1 >= len(tokens) || !strings.HasPrefix(tokens[i+1].Text, ",") && !strings.HasPrefix(tokens[i+1].Text, ":") {
		return false
	}
	first, last := tokens[i-ahead].Lower(), tokens[i].Lower()
	return opensAt(text, tokens, i-ahead) && !thirdPerson(first) && !thirdPerson(last) && !endsIn(last, qualityEndings)
}

// opensAt reports whether a sentence, a heading, an item of a list or a quotation begins at a token that follows a
// sign or nothing.
func opensAt(text string, tokens []english.Token, i int) bool {
	for i--; i >= 0; i-- {
		t := tokens[i]
		if t.Kind == english.Break || english.EndsSentence(text, t.Start) || strings.ContainsAny(t.Text, `"“([:`) {
			return true
		}
		if strings.Trim(t.Text, "#*-_>•+`0123456789.)") != "" {
			return false
		}
	}
	return true
}

// byEnding adds what the ending of a word shows: that of a past form always, others only if the words
// around it show nothing, because "family" ends like an adverb and "ensure" like a noun.
func byEnding(low string, r *roles) {
	switch {
	case pastForm(low):
		r.verb++
	case r.noun+r.modifier+r.verb+r.quality > 0:
	case endsIn(low, qualityEndings):
		r.quality++
	case endsIn(strings.TrimSuffix(low, "s"), nounEndings):
		r.noun++
	}
}

// pastForm reports a past form of a verb.
func pastForm(low string) bool {
	return english.IrregularPast(low) || strings.HasSuffix(low, "ed") && len(low) > 4 && !strings.HasSuffix(low, "eed")
}

// thirdPerson reports a form in -s, of a verb or of a noun.
func thirdPerson(low string) bool {
	return len(low) > 3 && strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") && !strings.HasSuffix(low, "us")
}

// followedByNumber reports that the token after one is a number.
func followedByNumber(tokens []english.Token, i int) bool {
	return i+1 < len(tokens) && startsWithNumber(tokens[i+1])
}

func startsWithNumber(t english.Token) bool { return t.Text != "" && unicode.IsNumber(rune(t.Text[0])) }

// calendar reports the name of a month or of a weekday: when, and not about what.
func calendar(low string) bool {
	_, day := english.Weekday(low)
	return day || english.Month(low) != 0
}

// timesOfDay say when, as months and weekdays do.
var timesOfDay = english.WordSet("morning noon afternoon evening night midnight")

// when reports a word that says when, and not about what.
func when(low string) bool { return calendar(low) || timesOfDay[low] }

func endsIn(word string, endings []string) bool {
	for _, e := range endings {
		if len(word) > len(e)+1 && strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}

// neighbourOf returns a token in lower case; "" for a sign, and beyond the text.
func neighbourOf(tokens []english.Token, i int) string {
	if i < 0 || i >= len(tokens) || !tokens[i].IsWord() {
		return ""
	}
	return tokens[i].Lower()
}

// contentAt reports a content word at a token.
func contentAt(tokens []english.Token, i int) bool {
	if i < 0 || i >= len(tokens) {
		return false
	}
	_, ok := readWord(tokens[i])
	return ok
}

// isUnit reports a word that mostly follows a number or "per": "12 metres per second", "38,000 crowns".
func (r roles) isUnit() bool { return 2*r.counted > r.starts+r.name+r.small }

// isOpen reports a word that mostly has "of" or a number after it: alone it names nothing. A name does: "Heron 3".
func (r roles) isOpen() bool { return !r.isName() && 2*r.open > r.starts+r.name+r.small }

// isName reports a word that is written with a capital inside sentences.
func (r roles) isName() bool { return r.name > r.small }

// isNoun reports a word that is used as a noun more often than as anything else. An adjective is
// seldom the last word after an article, and a noun seldom begins a sentence without one. A name that
// is mostly called ("Thanks, Ann!") is not what a text is about.
func (r roles) isNoun() bool {
	if r.isName() {
		quality := r.small > 0 && r.modifier > 3*r.noun // "Strategic Planning", "a strategic move"
		return 2*r.alone < r.name && !quality
	}
	inside := r.name + r.small
	return r.noun > 0 && 3*r.noun >= r.modifier && 2*r.noun+r.modifier > 2*(r.verb+r.quality) && inside > r.alone && inside+r.noun >= r.starts
}

// modifies reports a word that can stand before a noun.
func (r roles) modifies() bool {
	return r.isName() || r.modifier+r.noun > 0 && r.modifier+r.noun+r.quality >= r.verb
}
