package histories

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// ruleFiles are the names of files with which people instruct agents.
var ruleFiles = []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules", "copilot-instructions.md"}

// isRuleFile reports whether a base name is that of a file of rules.
func isRuleFile(base string) bool {
	return slices.ContainsFunc(ruleFiles, func(name string) bool { return strings.EqualFold(name, base) }) || strings.HasSuffix(base, ".mdc")
}

func ownsRules(s *Source) bool { return len(s.named(isRuleFile)) > 0 }

// maxRules is the largest number of rules in a file.
const maxRules = 10_000

// readRules reads files of rules: each bullet and each paragraph is one statement, with the headings
// above it. Code and tables are examples, not statements.
func readRules(r *reading) error {
	files := r.source.named(isRuleFile)
	if r.source.alone {
		files = r.source.files
	}
	for _, f := range files {
		source := f.name
		if r.source.alone {
			source = r.source.Path
		} else if r.source.zip == nil {
			source = filepath.Join(r.source.Path, filepath.FromSlash(f.name))
		}
		if abs, err := filepath.Abs(source); err == nil && r.source.zip == nil {
			source = abs
		}
		if f.size > MaxPiece {
			r.bad(f.name, fmt.Errorf("is longer than %d bytes", MaxPiece))
			continue
		}
		p := &ruleParser{}
		isText := true
		err := r.everyLine(&f, func(number int, line string) {
			isText = isText && utf8.ValidString(line) && !strings.Contains(line, "\x00")
			p.line(number, line)
		})
		if err != nil {
			return err
		}
		if !isText {
			r.bad(f.name, errors.New("is no text in UTF-8"))
			continue
		}
		p.end()
		seen := map[string]bool{}
		for i, rule := range p.rules {
			if i == maxRules {
				r.bad(f.name, fmt.Errorf("has more than %d rules", maxRules))
				break
			}
			id := digest(source, strings.Join(rule.headings, "\x00"), rule.text)
			if seen[id] {
				continue
			}
			seen[id] = true
			m := Memory{
				Format: "rules", ID: id, Text: rule.text, Source: cut(source, 1000), Kind: "USER", At: f.modified.UTC(),
				Headings: rule.headings, Meta: map[string]any{"path": source, "line": rule.line, "file": path.Base(f.name)},
			}
			if len(rule.headings) > 0 {
				m.Meta["headings"] = rule.headings
			}
			if reader.RuleIn(rule.text) == reader.StandingRule || imperative(rule.text) || tellsNothing(rule.text) {
				m.Type = "PROCEDURAL" // "Use tabs" is no event
			}
			if err := r.remember(m, fmt.Sprintf("%s, line %d", f.name, rule.line)); err != nil {
				return err
			}
		}
	}
	return nil
}

// tellsNothing reports whether the engine would take a text for an event because it reads no statement
// and no rule in it. What a person or a model wrote down to be kept is none, and would fade like one.
func tellsNothing(text string) bool {
	return extract.Text(text, extract.Hints{}).Type == graph.Episodic
}

// imperative reports whether a text is marked as binding with a word in capitals.
func imperative(text string) bool {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' || r > 'z' }) {
		switch word {
		case "MUST", "NEVER", "ALWAYS", "IMPORTANT":
			return true
		}
	}
	return false
}

// everyLine calls use for each line, also blank ones.
func (r *reading) everyLine(f *file, use func(number int, line string)) error {
	last := 0
	return r.lines(f, func(number int, line []byte) error {
		if number > last+1 {
			use(number-1, "")
		}
		last = number
		use(number, string(line))
		return nil
	})
}

// rule is one statement of a file.
type rule struct {
	text     string
	headings []string
	line     int
}

// ruleParser collects the rules of a Markdown file.
type ruleParser struct {
	headings []heading
	text     string // of the rule that is being read
	at       int    // its line
	fence    string // the fence of the block of code that is being read; empty: none
	front    bool   // in the front matter
	lines    int
	rules    []rule
}

type heading struct {
	level int
	text  string
}

var (
	bullet      = regexp.MustCompile(`^(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.+)$`)
	headingLine = regexp.MustCompile(`^(#{1,6})\s+(.+?)\s*#*$`)
	emphasis    = strings.NewReplacer("**", "", "__", "")
)

// line reads one line without the white space around it.
func (p *ruleParser) line(number int, line string) {
	p.lines++
	switch {
	case p.fence != "":
		if strings.HasPrefix(line, p.fence) {
			p.fence = ""
		}
		return
	case p.front:
		p.front = line != "---"
		return
	case number == 1 && line == "---":
		p.front = true
		return
	case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
		p.end()
		p.fence = line[:3]
		return
	case line == "" || strings.HasPrefix(line, "@") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "<!--") || strings.Trim(line, "-=*_ ") == "":
		p.end()
		return
	}
	if m := headingLine.FindStringSubmatch(line); m != nil {
		p.end()
		for len(p.headings) > 0 && p.headings[len(p.headings)-1].level >= len(m[1]) {
			p.headings = p.headings[:len(p.headings)-1]
		}
		p.headings = append(p.headings, heading{len(m[1]), cut(emphasis.Replace(m[2]), 200)})
		return
	}
	if m := bullet.FindStringSubmatch(line); m != nil {
		p.end()
		p.text, p.at = m[1], number
		return
	}
	if p.text == "" {
		p.text, p.at = strings.TrimPrefix(line, "> "), number
		return
	}
	p.text += " " + line // a rule that goes on
}

// end ends the rule that is being read. An import of another file is none.
func (p *ruleParser) end() {
	text := clean(emphasis.Replace(p.text))
	p.text = ""
	if text == "" || strings.HasPrefix(text, "@") || strings.HasSuffix(text, ":") {
		return
	}
	var headings []string
	for _, h := range p.headings {
		headings = append(headings, h.text)
	}
	p.rules = append(p.rules, rule{text, headings, p.at})
}
