package inspect

import "minesaudit/internal/verify"

// paint colours text for a terminal, or leaves it as it is.
type paint bool

const (
	red    = "31"
	green  = "32"
	yellow = "33"
	bold   = "1"
	dim    = "2"
)

func (p paint) in(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p paint) result(r verify.Result, text string) string {
	switch r {
	case verify.ResultPass:
		return p.in(green, text)
	case verify.ResultFail:
		return p.in(red, text)
	case verify.ResultInconclusive:
		return p.in(yellow, text)
	default:
		return p.in(dim, text)
	}
}

func (p paint) verdict(v verify.Verdict, text string) string {
	switch v {
	case verify.VerdictPass:
		return p.in(bold+";"+green, text)
	case verify.VerdictFail:
		return p.in(bold+";"+red, text)
	default:
		return p.in(bold+";"+yellow, text)
	}
}
