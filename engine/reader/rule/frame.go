package rule

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/request"
)

// kind is what a frame makes of the verb after it.
type kind uint8

const (
	order    kind = iota + 1 // "make sure you …", "try to …"
	wish                     // "I'd like you to …", "it would be great if you …"
	question                 // "can you …", "would you mind …"
	duty                     // "you should …", "you have to …"
	ban                      // "you're not allowed to …", "I don't want you to …"
	permit                   // "feel free to …", "you may …"
	release                  // "you don't need to …"
	taste                    // "I hate it when you …"
	nobody                   // "no one may …"
)

// frame is a way to ask somebody for something. A slot of its words holds several words; "-" stands for none.
type frame struct {
	kind  kind
	slots [][]string
}

var frames = func() (out []frame) {
	for _, x := range []struct {
		kind  kind
		words string
	}{
		{ban, "i|we do not want|like you to"}, {ban, "i|we want|need|expect|prefer you not to"}, {ban, "i|we would prefer|like you not to"},
		{ban, "i|we would rather|prefer you not"}, {ban, "i|we would rather|prefer you did not"}, {ban, "i|we would prefer|appreciate|like it|- if you did|do not"},
		{ban, "you are not|never allowed|permitted|supposed|authorised|authorized to"}, {ban, "you are not to"}, {ban, "you may|must|should|shall not|never"}, {ban, "you are forbidden to"},
		{ban, "you do not have permission to"}, {ban, "would|do you mind not"}, {ban, "it would be ~ if you did|do not"}, {ban, "let is|us not"}, {ban, "make sure|certain that|- you do not"},
		{ban, "make sure|certain not to"}, {ban, "be sure|careful not to"}, {ban, "try not to"}, {ban, "can|could|would|will you please|- not"}, {ban, "can|could|would|will you not"}, {ban, "you can not"},
		{release, "i|we do not need|expect you to"}, {release, "you do not need|have to"}, {release, "there is no need to|for"}, {release, "no need to|for"}, {release, "you need not"},
		{wish, "i|we really|- want|need|expect|require|like|prefer you to"}, {wish, "i|we would really|- like|want|love|prefer you to"}, {wish, "i|we would rather|prefer you"},
		{wish, "i|we would really|- prefer|appreciate|like|love it|- if you could|would|-"}, {wish, "it would be ~ if you could|would|-"}, {wish, "it would be very|really|more|so|super|most ~ if you could|would|-"},
		{wish, "it is best|better if you"}, {wish, "i would be grateful|glad|happy if you could|would|-"}, {wish, "it would help if you could|would|-"}, {wish, "i need|want you"},
		{question, "would|do you mind"}, {question, "can|could|would|will you please|kindly|-"}, {question, "is it possible for you to"}, {question, "may|can|could i ask you to"},
		{order, "make sure|certain that|to|- you|-"}, {order, "be sure to"}, {order, "try|remember to"}, {order, "let is|us"}, {order, "it is important that you"}, {order, "see to it that you"},
		{permit, "feel free to"}, {permit, "you are free|welcome|allowed|permitted to"}, {permit, "you may|can"}, {permit, "it is fine|ok|okay to"},
		{duty, "you should|must|shall"}, {duty, "you have|need|ought to"}, {duty, "you are supposed|expected|required to"}, {duty, "you are to"},
		{taste, "i|we do not like|want it when|if you"}, {taste, "i|we really|- hate|hates|dislike|dislikes|love|loves|like|likes|appreciate|prefer it when|if you"}, {taste, "i|we can not stand|bear it when|if you"},
		{taste, "it annoys|bothers|irritates|bugs|helps me when|if you"}, {taste, "it is annoying|irritating|helpful when|if you"},
		{nobody, "nobody is to"}, {nobody, "no one is to"}, {nobody, "nobody may|must|should|can|shall"}, {nobody, "no one may|must|should|can|shall"},
	} {
		f := frame{kind: x.kind}
		for slot := range strings.FieldsSeq(x.words) {
			f.slots = append(f.slots, strings.Split(slot, "|"))
		}
		out = append(out, f)
	}
	return out
}()

// framed returns the kind of the longest frame at the beginning of words, and the number of its words; 0: there is none.
func framed(w []Word) (k kind, n int) {
	for i := range frames {
		if m := fits(w, frames[i].slots); m > n {
			k, n = frames[i].kind, m
		}
	}
	return k, n
}

// fits returns the largest number of words at the beginning that the slots take, 0: they do not fit.
func fits(w []Word, slots [][]string) int {
	if len(slots) == 0 {
		return 0
	}
	best := 0
	if len(w) > 0 && w[0].Sign != ';' && w[0].Sign != ':' && (slots[0][0] == "~" || slices.Contains(slots[0], w[0].Low)) {
		if len(slots) == 1 {
			best = 1
		} else if n := fits(w[1:], slots[1:]); n > 0 || len(slots) == 2 && slices.Contains(slots[1], "-") {
			best = n + 1
		}
	}
	if slices.Contains(slots[0], "-") {
		best = max(best, fits(w, slots[1:]))
	}
	return best
}

// asked reads a request in a frame, or a command, that says of itself that it recurs: when it applies, what it
// does not apply to, or in which manner all is to be done.
func (s *Sentence) asked() Rule {
	w, from := s.Words, s.from
	for len(w) > 2 && (w[0].Filler && w[0].Low != "no" || w[0].Low == "please" || w[0].Low == "also" || w[0].Low == "just" || w[0].Low == "and" || w[0].Low == "but" || w[0].Low == "so" || w[0].Low == "then") && !w[0].Verb {
		w, from = w[1:], from+1
	}
	if rest, n, ok := s.afterCondition(w); ok && !s.Question && !s.Foreign(from+n) && orders(rest) {
		return Standing
	}
	lasting := lasts(s.Words)
	if n := opensLasting(w); n > 0 && n < len(w) {
		w, from = w[n:], from+n
		if !s.Foreign(from) && abrupt(w) {
			return Standing
		}
	} else if !s.Foreign(from) && abruptly(w) {
		return Standing
	}
	k, n := framed(w)
	rest := w[n:]
	if len(rest) == 0 || s.Foreign(from+n) || once(rest) {
		return None
	}
	if k == 0 {
		switch {
		case !s.Question && (prescribes(w) || s.wantsAll(w)):
			return Standing
		case w[0].Low == "only":
			rest = w[1:]
			if len(rest) > 1 && orders(rest) && conditional(rest) {
				return Standing
			}
			return None
		case s.Question || !orders(w) || w[0].Low == "always" || w[0].Low == "never" || w[0].Low == "do":
			return None
		}
		k = order
	}
	return s.inFrame(k, rest, lasting)
}

// inFrame reads what is asked for after a frame.
func (s *Sentence) inFrame(k kind, rest []Word, lasting bool) Rule {
	for len(rest) > 1 && (rest[0].Low == "please" || rest[0].Low == "kindly" || rest[0].Low == "always" || rest[0].Low == "also" || rest[0].Low == "all" || rest[0].Low == "just") {
		lasting = lasting || rest[0].Low == "always"
		rest = rest[1:]
	}
	only := rest[0].Low == "only"
	if only {
		rest = rest[1:]
	}
	if k == release && len(rest) < 3 && len(rest) > 0 && !rest[0].Verb && request.Artefact(rest[len(rest)-1].Low) {
		return Standing // "no need for disclaimers"
	}
	if len(rest) == 0 || rest[0].Finite && !rest[0].Base || rest[0].Function && !rest[0].Verb || rest[0].Determiner || rest[0].Preposition {
		return None
	}
	asked := request.Based(requested(rest))
	verb := asked[0].Low
	general := lasting || conditional(rest) || each(rest, k != question)
	switch k {
	case ban:
		if general || recurringActs[verb] && len(rest) > 1 || request.AboutManner(verb) && verb != "say" && verb != "text" && len(rest) > 1 || request.Ways(asked) || recurringActs[verb] && bareActs[verb] {
			return Standing
		}
		return None
	case release:
		if !slices.ContainsFunc(rest, func(w Word) bool { return bound[w.Low] }) && (general || request.Ways(asked)) {
			return Standing
		}
		return None
	case taste:
		if general || request.Ways(asked) || request.Asked(asked, false) {
			return Standing
		}
		return None
	case nobody:
		if conditional(rest) {
			return Standing
		}
		return None
	case permit:
		if (verb == "stop" || verb == "quit") && (len(rest) < 2 || !request.Ways(request.Based(requested(rest[1:])))) {
			return None // it lifts a rule
		}
		if only && !slices.ContainsFunc(rest, func(w Word) bool { return w.Low == "there" || w.Low == "here" }) && changing[verb] && len(rest) > 1 || conditional(rest) && general && recurringActs[verb] || request.Asked(asked, false) || len(rest) == 1 && request.Ways(asked) {
			return Standing
		}
		return None
	case duty:
		if general && (recurringActs[verb] || asksFirst(verb) || request.AboutManner(verb)) || request.Asked(asked, false) {
			return Standing
		}
		return None
	case order, wish:
		if general || instead(rest) || k == order && excepts(rest) || request.Asked(asked, false) && (k != order || request.Plain(requested(rest)) || request.Measures(asked) || s.Words[0].Low != rest[0].Low) {
			return Standing
		}
		return None
	}
	if general || request.Asked(asked, true) {
		return Standing
	}
	return None
}

func asksFirst(verb string) bool {
	return verb == "ask" || verb == "check" || verb == "confirm" || verb == "consult"
}
