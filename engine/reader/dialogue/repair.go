package dialogue

import (
	"regexp"
	"strings"
)

// maxRepair is the length of a turn that only corrects a value.
const maxRepair = 80

// certainty says how surely the words of a turn announce a correction.
type certainty byte

const (
	apologises certainty = iota + 1 // "Sorry, 10."
	explains                        // "I mean 10.", "Actually, it's 10."
	corrects                        // "I meant 10.", "Correction: 10.", "10, not 9."
)

var (
	// hesitates are words that may stand before the words of a correction, and announce none.
	hesitates = regexp.MustCompile(`^(?:oh|ah|u+h+m*|u+m+|hm+|well|no|nope|ugh|argh|damn|hey|wait|hang on|hold on|actually)(?:[\s,.!:;…–—-]+)`)
	sorry     = regexp.MustCompile(`^(?:oops|whoops|so sorry|sorry|i'm sorry|my bad|my mistake|my apologies|apologies|pardon(?: me)?)(?: about that| for that)?(\s*[,.:;!…]+\s*|\s+[–—-]+\s+|\s*[–—]\s*|\s+)`)
	wrong     = regexp.MustCompile(`^(?:correction|typo|scratch that|strike that|make that|no,? wait|wait,? no|i misspoke|i mistyped|i got that wrong|i said that wrong|that was wrong)(\s*[,.:;!…]+\s*|\s+[–—-]+\s+|\s*[–—]\s*|\s+)`)
	meant     = regexp.MustCompile(`^(?:that )?(?:i )?(?:actually |really |of course )?(?:meant|should have (?:said|written))(?: to (?:say|write|type|put))?[\s,:]+`)
	means     = regexp.MustCompile(`^i mean[\s,:]+`)
	// resumed are words that take the subject of the earlier statement up again.
	resumed  = regexp.MustCompile(`^(?:it's|it is|it was|that's|that is)\s+(?:actually\s+|really\s+)?`)
	shouldBe = regexp.MustCompile(`^(?:(?:it|that|this) )?should (?:be|have been|say|read)\s+`)
	// after are words of a correction after the value.
	after = regexp.MustCompile(`^(.+?)[\s,.–—-]+(sorry|oops|whoops|my bad|my mistake|i mean|i meant|of course|obviously)$`)
	// contrasts divide "10, not 9".
	contrast = regexp.MustCompile(`(?i)^(.+?),? (?:not|instead of|rather than) (.+)$`)
	reversed = regexp.MustCompile(`(?i)^(?:not (.+?)(?:,| but|, but) |i (?:said|wrote|typed|put) (.+?)(?:,| but|, but) (?:i )?(?:meant|mean|it's|it is)[\s,:]+)(.+)$`)
)

// Repair is a correction of one value of an earlier statement.
type Repair struct {
	value   value
	instead *value    // the wrong value; nil: not said
	sure    certainty // by the words around the value
	resumes bool      // "it's 10"
	now     bool      // the same without "actually"
	begins  bool      // the value begins a sentence, where each word has a capital
}

// Correction reads a turn that only corrects a value of the statement before it: "Sorry, I meant 10.", "Correction: it's in kv/prod/app.".
func Correction(text string) (Repair, bool) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "’", "'"))
	if len(text) > maxRepair || strings.ContainsAny(text, "?\n") {
		return Repair{}, false
	}
	var r Repair
	rest := strings.TrimRight(text, " .!…")
	if cut, ok := strings.CutPrefix(rest, "*"); ok && !strings.HasPrefix(cut, " ") { // "* 2 eggs" is of a list
		rest, r.sure = cut, corrects
	} else if cut, ok := strings.CutSuffix(rest, "*"); ok {
		rest, r.sure = cut, corrects
	}
	rest = r.announced(rest)
	if found := after.FindStringSubmatch(lower(rest)); found != nil {
		rest = rest[:len(found[1])]
		switch found[2] {
		case "i meant":
			r.sure = corrects
		case "i mean":
			r.sure = max(r.sure, explains)
		case "of course", "obviously":
		default:
			r.sure = max(r.sure, apologises)
		}
	}
	if found := reversed.FindStringSubmatch(rest); found != nil {
		if !r.contrasts(found[1] + found[2]) {
			return Repair{}, false
		}
		rest = found[3]
	} else if found := contrast.FindStringSubmatch(rest); found != nil {
		if !r.contrasts(found[2]) {
			return Repair{}, false
		}
		rest = found[1]
	}
	ok := false
	if r.value, ok = valueOf(rest); !ok || r.sure == 0 {
		return Repair{}, false
	}
	if k := r.value.kind; r.now && r.sure < corrects && r.value.preposition == "" && (k == clock || k == weekday || k == date || k == year || k == count) {
		return Repair{}, false // "Oops, it's 10." may say what time it is
	}
	return r, true
}

// announced returns what follows the words that announce a correction, and sets how sure they are.
func (r *Repair) announced(rest string) string {
	actually, apology := false, false
	for {
		low := lower(rest)
		var found []int
		switch {
		case find(wrong, low, &found):
			if sign := strings.TrimSpace(low[found[2]:found[3]]); sign == "" && !strings.HasPrefix(low, "make that") && !strings.Contains(low[:found[1]], "wait") {
				return "" // "Correction tape"
			}
			r.sure = corrects
		case find(sorry, low, &found):
			if sign := strings.TrimSpace(low[found[2]:found[3]]); sign == "" && !meant.MatchString(low[found[1]:]) && !means.MatchString(low[found[1]:]) {
				return "" // "Sorry 10 people came"
			}
			apology, r.sure = true, max(r.sure, apologises)
		case find(hesitates, low, &found):
			actually = actually || strings.HasPrefix(low, "actually")
		case find(meant, low, &found), find(shouldBe, low, &found):
			r.sure = corrects
		case find(means, low, &found):
			r.sure = max(r.sure, explains)
		case find(resumed, low, &found):
			r.resumes, r.now = true, !actually
			if actually || apology {
				r.sure = max(r.sure, explains)
			}
		default:
			return rest
		}
		lead := strings.TrimSpace(rest[:found[1]])
		r.begins = strings.HasSuffix(lead, ".") || strings.HasSuffix(lead, "!")
		rest = rest[found[1]:]
	}
}

// lower returns a text with the letters A to Z in lower case, and so with the same length. The forms have no other letters.
func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// find looks for a form at the beginning of a text.
func find(form *regexp.Regexp, low string, found *[]int) bool {
	*found = form.FindStringSubmatchIndex(low)
	return *found != nil
}

// contrasts sets the wrong value. It reports whether the words are one.
func (r *Repair) contrasts(words string) bool {
	v, ok := valueOf(resumed.ReplaceAllString(words, ""))
	r.instead, r.sure = &v, corrects
	return ok
}
