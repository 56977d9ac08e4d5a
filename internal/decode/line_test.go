package decode

import (
	"strconv"
	"strings"
	"testing"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestReadLine(t *testing.T) {
	id44, id32 := program, system
	tests := []struct {
		text string
		want line
	}{
		{"Log truncated", line{kind: truncated}},
		{"Program " + id44 + " invoke [1]", line{invoke, id44, "1"}},
		{"Program " + id32 + " invoke [12]", line{invoke, id32, "12"}},
		{"Program " + id44 + " success", line{exit, id44, ""}},
		{"Program " + id44 + " failed: ", line{exit, id44, ""}},
		{"Program " + id44 + " failed: custom program error: 0x1", line{exit, id44, ""}},
		{"Program data: YQ== Yg==", line{kind: data, arg: "YQ== Yg=="}},
		{"Program data: ", line{kind: data}},
		{"Program log: Program " + id44 + " success", line{kind: message, arg: "Program " + id44 + " success"}},
		{"Program log: a\x00\nb", line{kind: message, arg: "a\x00\nb"}},
		{"Program log: ", line{kind: message}},
	}
	noises := []string{
		"", "Program", "Program ", "program " + id44 + " success", " Program " + id44 + " success",
		"Program " + id44, "Program " + id44 + " ", "Program " + id44 + "  success", "Program  " + id44 + " success",
		"Program " + id44 + " success ", "Program " + id44 + " Success", "Program " + id44 + " success\n", "Program " + id44 + " success\x00",
		"Program " + id44 + " failed", "Program " + id44 + " failed:", "Program " + id44 + " failed: \n",
		"Program " + id44 + " failed: a\x00", "Program " + id44 + " failed: a\x7f",
		"Program " + id44 + " invoke", "Program " + id44 + " invoke []", "Program " + id44 + " invoke [0]", "Program " + id44 + " invoke [01]",
		"Program " + id44 + " invoke [+1]", "Program " + id44 + " invoke [1] ", "Program " + id44 + " invoke [1]]", "Program " + id44 + " invoke [1", "Program " + id44 + " invoke [1]\n",
		"Program " + id44 + " invoke [1\n]", "Program " + id44 + " invoke [١]",
		"Program " + id44 + " consumed 1 of 2 compute units", "Program " + id44 + "x success",
		"Program " + id32[:31] + " success", "Program " + strings.Repeat("1", 45) + " success",
		"Program " + id44[:43] + "0 success", "Program " + id44[:43] + "O success", "Program " + id44[:43] + "I success", "Program " + id44[:43] + "l success",
		"Program return: " + id44 + " success", "Program data:", "Program data:YQ==", "Program log:", "Log truncated\n", "Log  truncated",
	}
	for _, text := range noises {
		tests = append(tests, struct {
			text string
			want line
		}{text, line{}})
	}
	for _, test := range tests {
		if got := readLine(test.text, ""); got != test.want {
			t.Errorf("%q is read as %+v, want %+v", test.text, got, test.want)
		}
	}
}

func TestIsBase58(t *testing.T) {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	for c := range 256 {
		if want := strings.IndexByte(alphabet, byte(c)) >= 0; isBase58(string([]byte{byte(c)})) != want {
			t.Errorf("%q: %v, want %v", byte(c), !want, want)
		}
	}
}
