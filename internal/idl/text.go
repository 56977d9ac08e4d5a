package idl

// appendString writes UTF-8 text as a JSON string. Only what must be escaped is:
// quotes, backslashes and control characters.
func appendString[T string | []byte](out []byte, text T) []byte {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	start := 0
	for i := range len(text) {
		b := text[i]
		if b >= ' ' && b != '"' && b != '\\' && b != 0x7f {
			continue
		}
		out = append(out, text[start:i]...)
		start = i + 1
		switch b {
		case '"', '\\':
			out = append(out, '\\', b)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		default:
			out = append(out, '\\', 'u', '0', '0', digits[b>>4], digits[b&15])
		}
	}
	out = append(out, text[start:]...)
	return append(out, '"')
}
