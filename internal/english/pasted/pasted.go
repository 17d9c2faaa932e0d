// Package pasted finds the parts of a message that are not the words of its writer: what is pasted, quoted, or handed over to be translated,
// summarised or explained. Such a part is material, whatever it says.
package pasted

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// Span is a part of a text, as byte offsets.
type Span struct{ Start, End int }

const (
	fence    = "```"
	maxIntro = 24 // words of a sentence that hands over a text
	maxLabel = 6  // words of a label: "Email from Tom:"
)

// Spans returns the parts of a text that are not its writer's words, in order and apart: code fences, lines that begin with ">",
// letters with their heads, and what follows a sentence that hands it over ("Here is the page:", "Translate:", "I got this mail:").
func Spans(text string) []Span {
	if !strings.ContainsAny(text, "`\n:>") {
		return nil
	}
	spans := append(fences(text), quotedLines(text)...)
	if at := letter(text); at >= 0 {
		spans = append(spans, Span{at, len(text)})
	}
	return join(append(spans, handed(text, join(spans))...))
}

// Own returns a text with blanks in place of what is not its writer's words. Offsets in it are those of the text.
func Own(text string) string {
	spans := Spans(text)
	if len(spans) == 0 {
		return text
	}
	out := []byte(text)
	for _, s := range spans {
		for i := s.Start; i < s.End; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
		out[s.Start] = '\n' // what follows is no part of the sentence before
	}
	return string(out)
}

// In reports whether an offset is in one of the spans.
func In(spans []Span, at int) bool {
	return slices.ContainsFunc(spans, func(s Span) bool { return s.Start <= at && at < s.End })
}

// join sorts spans, merges those that overlap, and drops empty ones.
func join(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	var out []Span
	for _, s := range spans {
		switch n := len(out) - 1; {
		case s.Start >= s.End:
		case n >= 0 && s.Start <= out[n].End:
			out[n].End = max(out[n].End, s.End)
		default:
			out = append(out, s)
		}
	}
	return out
}

// fences returns the blocks between code fences. A fence within a clause names a thing, such as a command, and is the writer's own:
// "Run ```make test``` before you push". A block without an end goes to the end of the text.
func fences(text string) (spans []Span) {
	for from := 0; ; {
		at := strings.Index(text[from:], fence)
		if at < 0 {
			return spans
		}
		at += from
		end := len(text)
		if n := strings.Index(text[at+len(fence):], fence); n >= 0 {
			end = at + n + 2*len(fence)
		}
		before := strings.TrimRight(text[:at], " \t")
		if before == "" || strings.ContainsAny(before[len(before)-1:], ".:!?\n") || strings.ContainsRune(text[at:end], '\n') {
			spans = append(spans, Span{at, end})
		}
		from = end
	}
}

// quotedLines returns the lines that begin with ">".
func quotedLines(text string) (spans []Span) {
	for from := 0; from < len(text); {
		end := lineEnd(text, from)
		if strings.HasPrefix(strings.TrimLeft(text[from:end], " \t"), ">") {
			spans = append(spans, Span{from, end})
		}
		from = end + 1
	}
	return spans
}

func lineEnd(text string, from int) int {
	if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(text)
}

var (
	heads     = english.WordSet("from to subject date cc sent reply-to re fwd betreff")
	greets    = english.WordSet("dear hi hello hey")
	farewells = english.WordSet("regards sincerely best cheers yours thanks greetings wishes faithfully")
)

// letter returns where a letter begins, -1: there is none. It has two lines of a head ("From: …", "Subject: …"), or a line that greets somebody
// after other words or a head, and begins with "dear" or has a farewell on a line of its own later. A message that begins with its greeting
// is a letter of its writer.
func letter(text string) int {
	headAt, greetAt, spoken := -1, -1, false
	for from := 0; from < len(text); {
		end := lineEnd(text, from)
		line := strings.TrimSpace(text[from:end])
		name, _, colon := strings.Cut(line, ":")
		words := strings.Fields(strings.ToLower(strings.Trim(line, ",.! ")))
		switch {
		case line == "":
		case colon && heads[strings.ToLower(name)]:
			if headAt >= 0 {
				return headAt
			}
			headAt = from
		case greetAt < 0 && (spoken || headAt >= 0) && len(words) > 1 && len(words) < 6 && greets[words[0]] && strings.HasSuffix(line, ",") && end < len(text):
			if greetAt = from; words[0] == "dear" && spoken {
				return from
			}
		case greetAt >= 0 && len(words) < 4 && farewells[words[len(words)-1]] || greetAt >= 0 && len(words) == 2 && farewells[words[0]] && strings.HasSuffix(line, ","):
			return greetAt
		default:
			spoken, headAt = true, -1
		}
		from = end + 1
	}
	return -1
}

var (
	// documents are texts that have a writer.
	documents = english.WordSet(`page article email e-mail mail message letter text readme document doc docs documentation file log logs output paragraph passage
		sentence excerpt snippet extract post tweet thread comment blog website site webpage web newsletter transcript chat conversation essay story poem song lyrics
		quote manual ticket contract clause ad advert advertisement flyer leaflet brochure script code json html xml notification memo abstract chapter draft
		translation traceback stacktrace trace stderr stdout review announcement speech caption paste clipboard screenshot scan pdf prompt config`)
	// handles are verbs of what is done with a text.
	handles = english.WordSet(`translate summarise summarize proofread rewrite reword rephrase paraphrase fix explain review check correct shorten edit analyse analyze classify
		format parse extract debug improve polish read describe condense critique expand simplify convert interpret annotate outline evaluate compare transcribe
		categorise categorize label tag redact complete spellcheck decode reply respond answer evaluate grade refactor lint look see help mean say reads says means`)
	// arrives are verbs of how a text comes to somebody.
	arrives = english.WordSet("got get received receive found find saw copied pasted forwarded sent came arrived came pasting forwarding reading")
	// tells are verbs of what a text or a person says.
	tells  = english.WordSet("wrote writes said says reads states texted posted emailed mailed replied answered tweeted messaged quotes claims")
	ahead  = english.WordSet("this these following below")
	shows  = english.WordSet("here this these below attached following here's there's that's")
	follow = english.WordSet("from of by on about for in to at i")
	finite = english.WordSet("is are was were has have must should can will does did")
	own    = english.WordSet("my our")
	// rules are words for what somebody is to do. A label with one of them names no text: "Rules for this chat: …".
	rules = english.WordSet(`rule rules guideline guidelines guidance style preference preferences convention conventions format formatting policy policies checklist
		tone instruction instructions requirement requirements standard standards principle principles default defaults reminder`)
	// matters say of a word after them what a label is about: "For the newsletter: …", "In every email: …".
	matters = english.WordSet("for in every all any each about regarding concerning on per when whenever while before after during as with")
	// topics are documents of which a label tells what it is about, unless it says from whom they are: "Code: always use tabs".
	topics  = english.WordSet("code chat conversation doc docs documentation config prompt web website blog review")
	authors = english.WordSet("from by")
	// occasions begin a clause that says when something is done.
	occasions = english.WordSet("when whenever while before after once if unless until every always never")
	self      = english.WordSet("i we i've we've i'm we're")
)

// handed returns what sentences hand over. A sentence outside of the spans may do so.
func handed(text string, spans []Span) (out []Span) {
	for from := 0; from < len(text); {
		end, sign := sentenceEnd(text, from)
		if In(spans, from) || sign == 0 {
			from = end
			continue
		}
		rest := end + len(text[end:]) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		line := strings.ContainsRune(text[end:rest], '\n')
		kind := introduces(words(text[from:end]), sign, line)
		if kind == notIntro || rest >= len(text) || In(spans, rest) {
			from = end
			continue
		}
		to := len(text)
		if closed := quotation(text, rest); closed > 0 {
			to = closed
		} else if !line {
			if n := strings.Index(text[rest:], "\n\n"); n >= 0 {
				to = rest + n
			}
			if n := strings.Index(strings.ToLower(text[rest:to]), ". by the way"); n >= 0 {
				to = rest + n + 1
			}
			if kind == saidIntro {
				to, _ = sentenceEnd(text, rest)
			}
		}
		out = append(out, Span{rest, to})
		from = to
	}
	return out
}

// sentenceEnd returns the end of the sentence at an offset, after its sign: a colon before a blank or a quotation, ".", "?", "!" or the end of a line (0).
func sentenceEnd(text string, from int) (end int, sign byte) {
	for i := from; i < len(text); i++ {
		switch c := text[i]; c {
		case '\n':
			if i > from {
				return i + 1, 0
			}
		case ':', '.', '?', '!':
			if i+1 == len(text) || unicode.IsSpace(rune(text[i+1])) || c == ':' && strings.ContainsAny(text[i+1:i+2], "\"'`>") {
				return i + 1, c
			}
		}
	}
	return len(text), 0
}

// quotation returns the end of a quotation that begins at an offset, 0: none does.
func quotation(text string, at int) int {
	open, size := utf8.DecodeRuneInString(text[at:])
	closes := map[rune]string{'"': "\"", '“': "”", '„': "“", '«': "»", '\'': "'", '‘': "’"}[open]
	if closes == "" {
		return 0
	}
	end := strings.LastIndex(text[at+size:lineEnd(text, at)], closes)
	if end <= 0 {
		return 0
	}
	return at + size + end + len(closes)
}

func words(sentence string) []string {
	all := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(sentence, "’", "'")), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '\'' && r != '-'
	})
	return all
}

type intro int

const (
	notIntro  intro = iota
	saidIntro       // somebody else says what follows: "My boss wrote: …"
	textIntro       // a text follows: "Here is the page: …"
)

// introduces reports how a sentence hands over what follows. line says that a line ends after it.
func introduces(w []string, sign byte, line bool) intro {
	if len(w) == 0 || len(w) > maxIntro {
		return notIntro
	}
	has := func(set map[string]bool) bool { return slices.ContainsFunc(w, func(x string) bool { return set[x] }) }
	names := slices.IndexFunc(w, func(x string) bool { return documents[x] })
	if names == 0 && len(w) > 1 && handles[w[0]] { // "Review my requests", "comment on"
		names = 1 + slices.IndexFunc(w[1:], func(x string) bool { return documents[x] })
		if names == 0 {
			names = -1
		}
	}
	mine := names > 0 && own[w[names-1]]
	pointed := points(w)
	about := names >= 0 && concerns(w, names)
	asks := asked(w)
	switch {
	case sign == ':' && asks && (names >= 0 || pointed || len(w) < 3):
		return textIntro // "Translate this mail: …"
	case sign == '?' && line && asks && (names >= 0 || pointed):
		return textIntro // "Can you fix this README?"
	case sign != ':' && !(sign == '.' && line && has(shows)):
		return notIntro
	case names >= 0 && !mine && !about && shows[w[0]]:
		return textIntro // "Here is the page: …"
	case names == 0 && len(w) == 1 && !line:
		return notIntro // "Config: always use port 9000" is a heading of the writer
	case names >= 0 && !mine && !about && !slices.ContainsFunc(w[:names], func(x string) bool { return matters[x] }) && sign == ':' && len(w) <= maxLabel && !has(self) && !has(finite) && (names == len(w)-1 || follow[w[names+1]]):
		return textIntro // "Email from Tom: …"
	case sign == ':' && has(arrives) && (names >= 0 || pointed):
		return textIntro // "I found this on the web: …"
	case sign == ':' && !self[w[0]] && len(w) > 1 && tells[w[len(w)-1]]:
		return saidIntro // "My boss wrote: …"
	}
	return notIntro
}

// points reports a sentence that points to what follows: "Translate this:", "the following mail". "Like this" is a manner, and "read this carefully" asks
// to heed what the writer says.
func points(w []string) bool {
	for i := range w {
		switch {
		case !ahead[w[i]] || i > 0 && (w[i-1] == "like" || w[i-1] == "as"):
		case i == len(w)-1, documents[w[i+1]], i+2 < len(w) && documents[w[i+2]], w[i+1] == "to", w[i+1] == "into", i > 0 && follow[w[i+1]] && w[i+1] != "for":
			return true
		}
	}
	return false
}

// concerns reports a label that says what a rule is about, and names a document for it: "Rules for this chat", "Documentation", "Code in this project".
func concerns(w []string, names int) bool {
	if slices.ContainsFunc(w, func(x string) bool { return rules[x] }) {
		return true
	}
	alone := names == 0 || names == 1 && (w[0] == "this" || w[0] == "the")
	return alone && topics[w[names]] && (names+1 == len(w) || follow[w[names+1]] && !authors[w[names+1]])
}

// asked reports a request to do something with a text: "translate", "please fix", "can you summarise", "what does … say".
func asked(w []string) bool {
	for i := 0; i < len(w) && i < 8; i++ {
		if !handles[w[i]] {
			continue
		}
		before := w[:i]
		if i == 0 && len(w) > 1 && (w[1] == "of" || w[1] == "for") {
			return false // "Format of the transcript: …"
		}
		if i > 0 && (occasions[w[0]] || slices.ContainsFunc(before, func(x string) bool { return rules[x] })) {
			return false // "When you review code: …", "Rules to check a document: …"
		}
		return i == 0 || !self[before[0]] && slices.ContainsFunc(before, func(x string) bool {
			return x == "please" || x == "you" || x == "what" || x == "how" || x == "does" || x == "do" || x == "help" || x == "to" || x == "and" || x == "just" || x == "now"
		})
	}
	return false
}
