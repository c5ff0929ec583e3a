package api

import "github.com/pavage/pavage/client"

// Limits that are checked before parsing: parsers take much time and memory for long
// numbers and deep nesting, which no request needs.
const (
	maxDepth  = 100  // of lists and objects in one another
	maxDigits = 1000 // of a number, also of one that is a string
)

// scanJSON refuses JSON that is too deep or has too long a number. It does not say
// whether it is JSON.
func scanJSON(text []byte) *client.Problem {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return wrong("body", "lists and objects stand in one another deeper than %d", maxDepth)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return scanDigits("body", string(text))
}

// scanDigits refuses a text with a number that is too long.
func scanDigits(location, text string) *client.Problem {
	digits := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < '0' || c > '9' {
			digits = 0
			continue
		}
		if digits++; digits > maxDigits {
			return wrong(location, "a number has more than %d digits", maxDigits)
		}
	}
	return nil
}
