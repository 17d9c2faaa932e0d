package english

import "strings"

// Contraction cuts off what a word is contracted with: "don't" is "do" and "n't", "we're"
// "we" and "'re", "Ann's" "Ann" and "'s". The apostrophe must be straight. The base is the
// whole word, and the clitic empty, if the word is not contracted. Neither is changed: the
// base of "can't", "won't", "shan't" and "ain't" is "ca", "wo", "sha" and "ai", see [Expand].
func Contraction(word string) (base, clitic string) {
	from := max(0, len(word)-3)
	at := strings.LastIndexByte(word[from:], '\'')
	if at < 0 {
		return word, ""
	}
	at += from
	switch tail := word[at+1:]; len(tail) {
	case 1:
		switch tail[0] | 0x20 {
		case 't':
			if at > 0 && word[at-1]|0x20 == 'n' {
				at--
			}
		case 's', 'm', 'd':
		default:
			return word, ""
		}
	case 2:
		if !strings.EqualFold(tail, "re") && !strings.EqualFold(tail, "ve") && !strings.EqualFold(tail, "ll") {
			return word, ""
		}
	default:
		return word, ""
	}
	return word[:at], word[at:]
}

// Expand returns the word that a base or a clitic in lower case stands for in a contraction:
// "can" for "ca", "not" for "n't", "am" for "'m". Others are returned as they are, among them
// "'s" and "'d", which stand for more than one word.
func Expand(part string) string {
	if word, ok := expansions[part]; ok {
		return word
	}
	return part
}

var expansions = map[string]string{"ca": "can", "wo": "will", "sha": "shall", "ai": "is", "n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
