package language

// Code reports a call, an option of a command, braces or a comment in a text: an example,
// not a statement.
func Code(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		x, y, z := text[i-1], text[i], text[i+1]
		switch {
		case y == '(' && isLetter(x), y == '{' || y == ';' && z == '\n', y == '/' && z == '/' && x == ' ', y == '-' && z == '-' && x == ' ' && i+2 < len(text) && isLetter(text[i+2]):
			return true
		}
	}
	return false
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
