package document

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/prompt"
)

// The strengths of boundaries, from the weakest. In code and lists, line ends have strengths from
// lineEnd to lineEndMax and blank lines from there to blankLine, by the indentation of the next
// line.
const (
	insideWord = iota
	betweenWords
	betweenSentences
	lineEnd
	lineEndMax = lineEnd + 100
	blankLine  = lineEndMax + 101
)

// piece is the number of tokens into which a sentence that is too long is cut.
const piece = 24

// units appends the units of text: its lines, or the parts of lines with more than budget
// tokens.
func (p *packer) units(units []unit, text string, kind Kind, line int, budget int) []unit {
	if kind == Row { // a record with line ends in it is one unit
		if tokens := p.count(text, budget); tokens+joint <= budget {
			return append(units, unit{text: text, tokens: tokens, line: line, strength: blankLine})
		}
	}
	from := len(units)
	for l := range strings.Lines(text) {
		if tokens := p.count(l, budget); tokens+joint <= budget {
			units = append(units, unit{text: l, tokens: tokens, line: line, strength: lineEnd})
		} else {
			units = splitLine(units, l, line, budget-joint)
		}
		if line > 0 && !p.pages {
			line++
		}
	}
	grade(units[from:], kind)
	return units
}

// count is the number of tokens of text, or more than budget without counting if text is very
// long.
func (p *packer) count(text string, budget int) int {
	if len(text) > longText*budget {
		return budget + 1
	}
	return prompt.Count(text)
}

// grade sets the strengths of the boundaries at line ends.
func grade(units []unit, kind Kind) {
	for i := range units {
		if i == len(units)-1 || !strings.HasSuffix(units[i].text, "\n") {
			continue
		}
		text, next := units[i].text, units[i+1].text
		blank := strings.TrimSpace(text) == ""
		switch kind {
		case Code, List:
			switch depth := 100 - min(indentation(next), 100); {
			case strings.TrimSpace(next) == "" || closes(next):
				units[i].strength = lineEnd
			case blank:
				units[i].strength = blankLine - 100 + depth
			default:
				units[i].strength = lineEnd + depth
			}
		case Table, Row:
			units[i].strength = lineEnd
		default:
			switch {
			case strings.TrimSpace(next) == "":
				units[i].strength = lineEnd
			case blank:
				units[i].strength = blankLine
			case sentenceEnd(text):
				units[i].strength = lineEndMax
			default:
				units[i].strength = lineEnd
			}
		}
	}
}

// indentation is the width of the white space that a line begins with. A tab counts as four
// columns.
func indentation(line string) (n int) {
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// closes reports whether a line begins with a closing bracket.
func closes(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line != "" && strings.IndexByte(")]}", line[0]) >= 0
}

// sentenceEnd reports whether text ends as a sentence does, brackets and quotation marks aside.
func sentenceEnd(text string) bool {
	text = strings.TrimRight(text, " \t\n\"')]}*_”’»")
	r, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".!?…:。！？", r) && text != ""
}

// splitLine appends the sentences of a line, and the pieces of sentences with more than budget
// tokens.
func splitLine(units []unit, line string, number, budget int) []unit {
	for line != "" {
		n := sentence(line)
		text := line[:n]
		line = line[n:]
		if len(text) <= longText*budget {
			if tokens := prompt.Count(text); tokens <= budget {
				units = append(units, unit{text: text, tokens: tokens, line: number, strength: betweenSentences})
				continue
			}
		}
		units = splitSentence(units, text, number, budget)
	}
	return units
}

// sentence is the length of the first sentence of a line, with the white space after it.
func sentence(line string) int {
	for i, r := range line {
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？':
			return end
		case ' ', '\t':
			if i > 0 && sentenceEnd(line[max(0, i-8):i]) {
				return i + len(line[i:]) - len(strings.TrimLeft(line[i:], " \t"))
			}
		}
	}
	return len(line)
}

// splitSentence appends pieces of a text without sentences: some words each, or some characters
// of a very long word.
func splitSentence(units []unit, text string, number, budget int) []unit {
	size := min(piece, budget)
	begin := len(units)
	var open unit
	flush := func(strength int) {
		if open.text != "" {
			open.strength = strength
			units = append(units, open)
			open = unit{}
		}
	}
	for text != "" {
		word := text[:wordLength(text)]
		tokens := len(word) // a token has at least one byte
		if len(word) <= 8*size {
			tokens = prompt.Count(word)
		}
		if open.tokens+tokens > size {
			flush(betweenWords)
		}
		text = text[len(word):]
		if tokens > size {
			units = sliceWord(units, word, number, size)
			continue
		}
		open = unit{text: open.text + word, tokens: open.tokens + tokens, line: number}
	}
	flush(betweenSentences)
	if len(units) > begin {
		units[len(units)-1].strength = betweenSentences
	}
	return units
}

// sliceWord appends slices of a word of at most size bytes each, or one character. A slice has at
// most as many tokens as bytes.
func sliceWord(units []unit, word string, number, size int) []unit {
	for word != "" {
		end := min(size, len(word))
		for end > 0 && end < len(word) && !utf8.RuneStart(word[end]) {
			end--
		}
		if end == 0 {
			_, end = utf8.DecodeRuneInString(word)
		}
		units = append(units, unit{text: word[:end], tokens: prompt.Count(word[:end]), line: number, strength: insideWord})
		word = word[end:]
	}
	units[len(units)-1].strength = betweenWords
	return units
}

// wordLength is the length of the first word with the white space around it, or some 4,096 bytes
// if it is longer.
func wordLength(text string) int {
	seen := false // a character of the word
	n := 0
	for n < len(text) && n < 4096 {
		r, size := utf8.DecodeRuneInString(text[n:])
		if unicode.IsSpace(r) {
			if seen {
				return n + size
			}
		} else {
			seen = true
		}
		n += size
	}
	return n
}

// tail is the end of text, at most so many tokens of it. It begins with a sentence if one begins
// there, else with a word.
func tail(text string, tokens int) string {
	if tokens <= 0 || text == "" {
		return ""
	}
	from := max(0, len(text)-12*tokens)
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	text = text[from:]
	var starts []int // of words
	for i := range text {
		if i > 0 && isSpace(text[i-1]) && !isSpace(text[i]) {
			starts = append(starts, i)
		}
	}
	low, high := 0, len(starts) // the first word whose rest is short enough
	for low < high {
		if middle := (low + high) / 2; prompt.Count(text[starts[middle]:]) <= tokens {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if low == len(starts) {
		return ""
	}
	for _, i := range starts[low:] {
		if sentenceEnd(text[:i]) {
			return text[i:]
		}
	}
	return text[starts[low]:]
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' }
