package enginetest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// arguments reads the tokens of a statement. err holds the first error. Tokens that are left at
// the end are an error.
type arguments struct {
	words []token
	pairs []token
	names names // names defined so far in the story
	err   error
}

// names maps the names in a story to the kind of thing that they name.
type names map[string]string

// The kinds of names.
const (
	kindMemory  = "memory"
	kindInstant = "instant"
	kindState   = "state"
	kindReport  = "report"
)

func newArguments(tokens []token, known names) *arguments {
	p := &arguments{names: known}
	for _, t := range tokens {
		if t.key != "" {
			p.pairs = append(p.pairs, t)
		} else {
			p.words = append(p.words, t)
		}
	}
	return p
}

func (p *arguments) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// finish returns the first error.
func (p *arguments) finish() error {
	if p.err == nil && len(p.words) > 0 {
		p.fail("unexpected word %q", p.words[0].text)
	}
	if p.err == nil && len(p.pairs) > 0 {
		p.fail("unexpected argument %s=", p.pairs[0].key)
	}
	return p.err
}

// word takes the next word. what describes it for the error message.
func (p *arguments) word(what string) string {
	if len(p.words) == 0 || p.words[0].quoted {
		p.fail("%s is missing", what)
		return ""
	}
	w := p.words[0].text
	p.words = p.words[1:]
	return w
}

// quote takes the next quoted text.
func (p *arguments) quote(what string) string {
	if len(p.words) == 0 || !p.words[0].quoted {
		p.fail("%s is missing: a text in quotes", what)
		return ""
	}
	q := p.words[0].text
	p.words = p.words[1:]
	return q
}

// peek returns the next word without taking it; "" if there is none or it is a quoted text.
func (p *arguments) peek() string {
	if len(p.words) == 0 || p.words[0].quoted {
		return ""
	}
	return p.words[0].text
}

// newName takes a new name for a thing of this kind. A name can be reused for the same kind.
func (p *arguments) newName(kind string) string {
	n := p.word("a name for the " + kind)
	if p.err != nil {
		return n
	}
	if before, taken := p.names[n]; taken && before != kind {
		p.fail("%q is already the name of another kind: %s", n, before)
	}
	p.names[n] = kind
	return n
}

// name takes an existing name of this kind.
func (p *arguments) name(kind string) string {
	return p.named(p.word("the name of a "+kind), kind)
}

func (p *arguments) named(n, kind string) string {
	if p.err == nil && p.names[n] != kind {
		p.fail("no %s is named %q before this", kind, n)
	}
	return n
}

// nameOf takes key=NAME; "" if it is missing.
func (p *arguments) nameOf(key, kind string) string {
	n, given := p.pair(key)
	if given {
		p.named(n, kind)
	}
	return n
}

// flag takes a word at any position and reports whether it was present.
func (p *arguments) flag(word string) bool {
	i := slices.IndexFunc(p.words, func(t token) bool { return !t.quoted && t.text == word })
	if i >= 0 {
		p.words = slices.Delete(p.words, i, i+1)
	}
	return i >= 0
}

// rest takes all remaining words.
func (p *arguments) rest() []string {
	var all []string
	for _, t := range p.words {
		if t.quoted {
			break
		}
		all = append(all, t.text)
	}
	p.words = p.words[len(all):]
	return all
}

// pair takes key=value. given is false if it is missing.
func (p *arguments) pair(key string) (value string, given bool) {
	i := slices.IndexFunc(p.pairs, func(t token) bool { return t.key == key })
	if i < 0 {
		return "", false
	}
	value = p.pairs[i].text
	p.pairs = slices.Delete(p.pairs, i, i+1)
	return value, true
}

func (p *arguments) text(key string) string {
	v, _ := p.pair(key)
	return v
}

// list takes key=a,b,c; nil if it is missing.
func (p *arguments) list(key string) []string {
	v, given := p.pair(key)
	if !given {
		return nil
	}
	all := strings.Split(v, ",")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// number takes key=number; nil if it is missing.
func (p *arguments) number(key string) *float64 {
	v, given := p.pair(key)
	if !given {
		return nil
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil {
		p.fail("%s=%s is not a number", key, v)
	}
	return &f
}

func (p *arguments) integer(key string) *int {
	v, given := p.pair(key)
	if !given {
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		p.fail("%s=%s is not a whole number", key, v)
	}
	return &n
}

// span takes key=duration; nil if it is missing.
func (p *arguments) span(key string) *time.Duration {
	v, given := p.pair(key)
	if !given {
		return nil
	}
	d, err := duration(v)
	if err != nil {
		p.fail("%s=%s: %v", key, v, err)
	}
	return &d
}

// choice takes key=VALUE, one of the known values; "" if it is missing.
func choice[T ~string](p *arguments, key string, known []T) T {
	v, given := p.pair(key)
	if !given {
		return ""
	}
	return oneOf(p, key, v, known)
}

// oneOf is a value of an enumeration, in upper or lower case.
func oneOf[T ~string](p *arguments, what, v string, known []T) T {
	t := T(strings.ToUpper(v))
	if !slices.Contains(known, t) {
		p.fail("%s %q is not one of %v", what, v, known)
	}
	return t
}

var durations = regexp.MustCompile(`^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$`)

// duration parses 5d, 1d12h, 30m, 10s, 1ms; a day has 24 hours.
func duration(s string) (time.Duration, error) {
	parts := durations.FindStringSubmatch(s)
	if parts == nil || s == "" {
		return 0, fmt.Errorf("%q is not a duration such as 5d, 1d12h, 30m, 10s, 1ms", s)
	}
	var d time.Duration
	for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second, time.Millisecond} {
		if parts[i+1] != "" {
			n, err := strconv.Atoi(parts[i+1])
			if err != nil {
				return 0, err
			}
			d += time.Duration(n) * unit
		}
	}
	return d, nil
}

// bounds is a condition on a number.
type bounds struct {
	text  string
	holds func(float64) bool
}

const tolerance = 1e-9 // numbers in stories are decimal

// boundsOf parses 3, 0.2..0.4, >1, >=1, <1, <=1.
func boundsOf(s string) (bounds, error) {
	parse := func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
	if lo, hi, isRange := strings.Cut(s, ".."); isRange {
		a, err := parse(lo)
		b, err2 := parse(hi)
		if err != nil || err2 != nil || a > b {
			return bounds{}, fmt.Errorf("%q is not a range such as 0.2..0.4", s)
		}
		return bounds{s, func(x float64) bool { return x >= a-tolerance && x <= b+tolerance }}, nil
	}
	for _, op := range []struct {
		sign  string
		holds func(x, y float64) bool
	}{
		{">=", func(x, y float64) bool { return x >= y-tolerance }}, {"<=", func(x, y float64) bool { return x <= y+tolerance }},
		{">", func(x, y float64) bool { return x > y+tolerance }}, {"<", func(x, y float64) bool { return x < y-tolerance }},
		{"", func(x, y float64) bool { return x >= y-tolerance && x <= y+tolerance }},
	} {
		if rest, is := strings.CutPrefix(s, op.sign); is {
			y, err := parse(rest)
			if err != nil {
				return bounds{}, fmt.Errorf("%q is not a number, range or bound such as 3, 0.2..0.4, >=1", s)
			}
			return bounds{s, func(x float64) bool { return op.holds(x, y) }}, nil
		}
	}
	panic("unreachable: the last sign is empty")
}

// bounds takes the next word as bounds.
func (p *arguments) bounds(what string) bounds {
	w := p.word(what)
	if p.err != nil {
		return bounds{}
	}
	b, err := boundsOf(w)
	if err != nil {
		p.fail("%v", err)
	}
	return b
}
