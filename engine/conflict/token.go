package conflict

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word, number or mark of a text.
type token struct {
	raw   string // as written
	low   string // lower case, contractions opened ("n't" is "not")
	lem   string // key of its word family, see lemma
	upper bool   // begins with a capital where no sentence begins
	first bool   // first word of a sentence
	mark  bool   // punctuation: one of . ? , : newline
	used  bool   // part of a value
	// what it can be in a verb group, see classify
	verb, finite, strong bool
	past, ing            bool // its form is of the past, or ends so
	code                 bool // no word of a language: f(x), a[i], key=value
	class                class
}

// maxText is how many bytes of a text are read: a statement stands near its
// beginning, and a comparison must stay cheap.
const maxText = 2048

// tokenise cuts text into tokens. Quotes, brackets and emphasis are dropped.
func tokenise(text string) []token { return tokeniseInto(nil, text) }

// tokeniseInto is tokenise with the memory of a slice that is not needed any more.
func tokeniseInto(into []token, text string) []token {
	if len(text) > maxText {
		cut := maxText
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	if into == nil {
		into = make([]token, 0, len(text)/4+4)
	}
	t := tokeniser{out: into[:0], begin: true}
	text = unfenced(text)
	start := -1
	for i, r := range text {
		if r == '’' || !unicode.IsSpace(r) && r != '—' && r != '–' && r != '…' {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			t.chunk(text[start:i])
			start = -1
		}
		switch r {
		case '\n':
			t.mark(".")
		case '—', '–':
			t.mark(",")
		case '…':
			t.mark(".")
		}
	}
	if start >= 0 {
		t.chunk(text[start:])
	}
	return t.out
}

// unfenced leaves out blocks of code between fences.
func unfenced(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	parts := strings.Split(text, "```")
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(parts[i])
	}
	return b.String()
}

type tokeniser struct {
	out   []token
	begin bool // the next word begins a sentence
}

func (t *tokeniser) mark(m string) {
	if n := len(t.out); n > 0 && t.out[n-1].mark && (t.out[n-1].low == "." || t.out[n-1].low == "?" || t.out[n-1].low == m) {
		return
	}
	t.out = append(t.out, token{raw: m, low: m, mark: true})
	t.begin = m == "." || m == "?"
}

// chunk reads what stands between two spaces.
func (t *tokeniser) chunk(s string) {
	if strings.ContainsRune(s, '’') {
		s = strings.ReplaceAll(s, "’", "'")
	}
	if s == "-" || s == "--" || s == "=" || s == "->" {
		t.mark(",")
		if s == "=" {
			t.out[len(t.out)-1] = token{raw: ":", low: ":", mark: true}
		}
		return
	}
	s = strings.TrimLeft(s, "\"'`*_([{<>“‘-•#~|")
	end := len(s)
	var marks []byte
	for end > 0 {
		c := s[end-1]
		if strings.IndexByte(".,;:!?", c) >= 0 {
			marks = append(marks, c)
			end--
			continue
		}
		if strings.IndexByte("\"'`*_)]}>|", c) >= 0 {
			end--
			continue
		}
		if r, n := utf8.DecodeLastRuneInString(s[:end]); r == '”' || r == '“' {
			end -= n
			continue
		}
		break
	}
	word := s[:end]
	if word != "" && (word[0] >= '0' && word[0] <= '9' || isNumberWord(lower(headOf(word)))) && strings.Contains(word, "-") && !isISODate(word) {
		for _, part := range strings.Split(word, "-") {
			if part != "" {
				t.word(part)
			}
		}
	} else if word != "" {
		t.word(word)
	}
	for i := len(marks) - 1; i >= 0; i-- {
		switch marks[i] {
		case '?':
			t.mark("?")
		case ',':
			t.mark(",")
		case ':':
			t.mark(":")
		case '.':
			if i == len(marks)-1 && abbreviations[lower(word)] {
				continue
			}
			t.mark(".")
		default:
			t.mark(".")
		}
	}
}

func headOf(word string) string {
	if i := strings.IndexByte(word, '-'); i > 0 {
		return word[:i]
	}
	return word
}

func isISODate(w string) bool {
	return len(w) >= 10 && w[4] == '-' && w[7] == '-' && digits(w[:4]) && digits(w[5:7]) && digits(w[8:10])
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

var abbreviations = words("mr mrs ms dr prof st vs etc jr sr a.m p.m e.g i.e inc ltd no approx")

// word opens contractions and adds one word.
func (t *tokeniser) word(w string) {
	if i := strings.IndexByte(w, '\''); i > 0 {
		low := lower(w)
		switch tail := low[i:]; {
		case strings.HasSuffix(low, "n't"):
			stem := w[:len(w)-3]
			switch lower(stem) {
			case "ca":
				stem = "can"
			case "wo":
				stem = "will"
			case "sha":
				stem = "shall"
			case "ai":
				stem = "is"
			}
			t.add(stem)
			t.add("not")
			return
		case tail == "'m":
			t.add(w[:i])
			t.add("am")
			return
		case tail == "'re":
			t.add(w[:i])
			t.add("are")
			return
		case tail == "'ve":
			t.add(w[:i])
			t.add("have")
			return
		case tail == "'ll":
			t.add(w[:i])
			t.add("will")
			return
		case tail == "'d":
			t.add(w[:i])
			t.add("'d")
			return
		case tail == "'s":
			t.add(w[:i])
			t.add("'s")
			return
		case tail == "'":
			w = w[:i]
			t.add(w)
			t.add("'s")
			return
		}
	} else {
		switch low := lower(w); low {
		case "cannot":
			t.add("can")
			t.add("not")
			return
		case "gonna":
			t.add("going")
			t.add("to")
			return
		case "wanna":
			t.add("want")
			t.add("to")
			return
		case "dont", "doesnt", "didnt", "isnt", "wasnt", "arent", "wont", "cant", "havent", "hasnt":
			stem := low[:len(low)-2]
			switch stem {
			case "ca":
				stem = "can"
			case "wo":
				stem = "will"
			case "do", "does", "did", "is", "was", "are", "have", "has":
			default:
				stem = strings.TrimSuffix(stem, "n")
			}
			stem = strings.TrimSuffix(stem, "n")
			if stem == "ca" {
				stem = "can"
			}
			t.add(stem)
			t.add("not")
			return
		case "im":
			t.add("I")
			t.add("am")
			return
		}
	}
	if strings.HasSuffix(w, "s'") {
		t.add(w[:len(w)-1])
		t.add("'s")
		return
	}
	t.add(w)
}

func (t *tokeniser) add(w string) {
	if w == "" {
		return
	}
	if strings.ContainsAny(w, "()[]{}<>=;\\|") {
		t.out = append(t.out, token{raw: w, low: w, lem: w, code: true})
		t.begin = false
		return
	}
	r, _ := utf8.DecodeRuneInString(w)
	low := lower(w)
	l := lookUp(low)
	t.out = append(t.out, token{
		raw: w, low: low, lem: l.lem, class: l.class, past: l.past, ing: l.ing, verb: l.verb,
		upper: unicode.IsUpper(r) && !t.begin && low != "i",
		first: t.begin,
	})
	classify(&t.out[len(t.out)-1])
	t.begin = false
}

// reporters are those whose word one takes for the thing: what the lab says is so.
var reporters = lemmas("lab laboratory doctor dentist vet test scan contract label manual documentation calendar website sign certificate passport letter timetable register")

// reported takes "the lab says that" off the beginning of a sentence.
func reportedBy(t []token) []token {
	if n := min(len(t), 5); n < 4 || !slices.ContainsFunc(t[1:n], func(x token) bool { return x.is(reports) }) {
		return t
	}
	i := 0
	for i < len(t) && (t[i].is(determiner) || t[i].upper || reporters[t[i].lem]) && i < 4 {
		i++
	}
	if i == 0 || i+2 >= len(t) || !reporters[t[i-1].lem] || !t[i].is(reports) {
		return t
	}
	if i++; t[i].low == "that" {
		i++
	}
	return t[i:]
}

// uncleft puts "salmon is what I eat" and "what I eat is salmon" in their plain order. The
// tokens are copied, for few sentences are so.
func uncleft(t []token) []token {
	for i := 1; i+3 < len(t); i++ {
		if t[i].low != "what" || !t[i-1].is(formOfBe) || !t[i+1].is(subjectForm) || i < 2 || !t[i+2].verb {
			continue
		}
		out := slices.Concat(t[i+1:i+3], t[:i-1], t[i+3:])
		out[0].first, out[2].first = true, false
		return out
	}
	if len(t) < 5 || t[0].low != "what" || !t[1].is(subjectForm) || !t[2].verb {
		return t
	}
	for i := 3; i < len(t)-1 && i < 6; i++ {
		if t[i].is(formOfBe) {
			out := slices.Concat(t[1:3], t[i+1:], t[3:i])
			out[0].first = true
			return out
		}
	}
	return t
}

// telling are verbs of reporters.
var telling = words("say says said show shows showed state states stated confirm confirms confirmed read reads")

// words is a set from a list with spaces between.
func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// lemmas is a set of the word families of a list.
func lemmas(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[lemma(w)] = true
	}
	return m
}
