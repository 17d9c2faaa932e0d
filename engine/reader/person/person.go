// Package person finds who a text introduces by a role and a name together: "my daughter Silke", "my wife, Lena,", "Silke, my daughter,".
package person

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// Word is a word of a text.
type Word struct {
	Text, Low  string
	Sign       byte // the sign before it; 0: none
	Name       bool // its class is that of names
	Possessive bool // it had 's
	Verb       bool // a form of a verb
	Function   bool // a function word, an adverb, a filler or a time
	Break      bool // a sentence begins with it
}

// Found is a person or an animal of the speaker.
type Found struct {
	From, To      int  // words of the introduction, half-open
	Role, RoleEnd int  // words of the role after "my", half-open: "older", "sister"
	Name, NameEnd int  // words of the name, half-open
	Sole          bool // the speaker has one of the role at a time, as far as one can tell: no friend, no colleague
}

var (
	// one are roles that one person has at a time.
	one = english.WordSet(`mum mom mam mother dad father stepmother stepfather stepmum stepdad wife husband spouse partner girlfriend boyfriend
		fiance fiancee fiancé fiancée mother-in-law father-in-law boss manager supervisor landlord landlady dentist doctor gp therapist psychiatrist
		accountant mentor nanny`)
	// few are roles of which a speaker who says "my sister" means one, and who says "my sister Tove" may have another one.
	few = english.WordSet(`sister brother stepsister stepbrother son daughter stepson stepdaughter twin grandma grandpa grandmother grandfather granny
		nan grandson granddaughter godmother godfather godson goddaughter brother-in-law sister-in-law son-in-law daughter-in-law lawyer solicitor
		dog cat puppy kitten hamster parrot rabbit horse pony tortoise`)
	// several are roles that most speakers give to several people.
	several = english.WordSet(`friend colleague coworker co-worker workmate teammate classmate roommate flatmate housemate neighbour neighbor cousin
		uncle aunt niece nephew teacher tutor coach student pupil client customer patient employee assistant apprentice buddy mate`)
	// qualifiers may stand before a role.
	qualifiers = english.WordSet("older elder oldest eldest younger youngest little big twin best dear new former ex late adopted foster only first second middle other ex-wife ex-husband")
	greetings  = english.WordSet("sorry thanks thank hello hi hey dear yes no yeah yep nope ok okay oh well please look listen wow ugh sadly luckily damn god gosh guess man dude")
	places     = english.WordSet("in at from to near of")
	own        = english.WordSet("my our")
)

const maxName = 3 // words of a name

// One reports a role, in lower case, that one person has at a time: "wife", but not "sister".
func One(role string) bool { return one[role] }

// Find returns the introductions in a text, in order.
func Find(words []Word) (out []Found) {
	for i := range words {
		if !own[words[i].Low] || words[i].Possessive {
			continue
		}
		f, ok := role(words, i)
		if !ok {
			continue
		}
		if direct(words, &f) || after(words, &f) || before(words, &f) {
			out = append(out, f)
		}
	}
	return out
}

// role reads "my older sister" at a word.
func role(words []Word, at int) (f Found, ok bool) {
	f = Found{From: at, Role: at + 1}
	for i := at + 1; i < len(words) && i <= at+2 && words[i].Sign == 0 && !words[i].Break && !words[i].Possessive; i++ {
		low := words[i].Low
		if one[low] || few[low] || several[low] {
			f.RoleEnd, f.To, f.Sole = i+1, i+1, !several[low]
			return f, true
		}
		if !qualifiers[low] {
			break
		}
	}
	return f, false
}

// direct reads the name right after the role: "my daughter Silke".
func direct(words []Word, f *Found) bool {
	end := name(words, f.RoleEnd, 0)
	if end == 0 || joined(words, end) {
		return false
	}
	f.Name, f.NameEnd, f.To = f.RoleEnd, end, end
	return true
}

// after reads the name between commas: "my daughter, Silke, lives in Kiel".
func after(words []Word, f *Found) bool {
	end := name(words, f.RoleEnd, ',')
	if end == 0 || end == len(words) || words[end].Break || words[end].Sign != ',' || !words[end].Verb || words[end-1].Possessive {
		return false
	}
	f.Name, f.NameEnd, f.To = f.RoleEnd, end, end
	return true
}

// before reads the name before the role: "Silke, my daughter, lives in Kiel".
func before(words []Word, f *Found) bool {
	at := f.From - 1
	if at < 0 || words[f.From].Sign != ',' || words[f.From].Break || words[at].Possessive {
		return false
	}
	if f.RoleEnd < len(words) && !words[f.RoleEnd].Break && (words[f.RoleEnd].Sign != ',' || joins(words[f.RoleEnd].Low) || capital(words[f.RoleEnd].Text)) {
		return false
	}
	from := at
	for from > 0 && at-from+1 < maxName && words[from].Sign == 0 && !words[from].Break && isName(words, from-1) && words[from-1].Name {
		from--
	}
	if !isName(words, from) || words[from].Sign == ',' || from > 0 && (places[words[from-1].Low] || joins(words[from-1].Low)) && !words[from].Break {
		return false
	}
	f.Name, f.NameEnd, f.From = from, at+1, from
	return true
}

// name returns the end of a name that begins at a word with a sign before it, 0 if none does.
func name(words []Word, at int, sign byte) int {
	if at >= len(words) || words[at].Sign != sign || words[at].Break || !isName(words, at) {
		return 0
	}
	end := at + 1
	for end < len(words) && end-at < maxName && words[end].Sign == 0 && !words[end].Break && !words[end-1].Possessive && isName(words, end) {
		end++
	}
	return end
}

// joined reports that another name is joined to what ends before a word: "my daughter Silke and Ida". "My wife Ann and I" names one.
func joined(words []Word, at int) bool {
	if at >= len(words) || words[at].Break {
		return false
	}
	if words[at].Sign == ',' && isName(words, at) {
		return true
	}
	return joins(words[at].Low) && at+1 < len(words) && words[at+1].Low != "i" && capital(words[at+1].Text)
}

func joins(low string) bool { return low == "and" || low == "or" || low == "&" }

// isName reports a word that can be the name of somebody.
func isName(words []Word, at int) bool {
	w := &words[at]
	if !capital(w.Text) || w.Function || greetings[w.Low] || strings.HasSuffix(w.Low, "ly") && !w.Name || strings.ContainsAny(w.Low, "0123456789@/#") {
		return false
	}
	if _, pronoun := english.PronounOf(w.Low); pronoun {
		return false
	}
	return w.Name || !w.Verb
}

func capital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first)
}
