package inspect

import (
	"strings"
	"testing"

	"minesaudit/internal/verify"
)

func draw(m marks) string {
	var rows []string
	for r := range side {
		rows = append(rows, strings.Join(strings.Fields(m.row(r, false)), ""))
	}
	return strings.Join(rows, "/")
}

func TestPlayed(t *testing.T) {
	for name, test := range map[string]struct {
		mines uint32
		s     verify.Settled
		row   string // the first
	}{
		"won":              {0b00001, verify.Settled{RevealedMask: 0b00110}, "0*1o2o3.4."},
		"lost":             {0b00011, verify.Settled{RevealedMask: 0b00100, HasBust: true, BustTile: 1}, "0*1X2o3.4."},
		"mine paid":        {0b00011, verify.Settled{RevealedMask: 0b00101}, "0!1*2o3.4."},
		"bust on safe":     {0b00001, verify.Settled{HasBust: true, BustTile: 4}, "0*1.2.3.4?"},
		"bust revealed":    {0b00001, verify.Settled{RevealedMask: 1, HasBust: true}, "0#1.2.3.4."},
		"safe as both":     {0b00001, verify.Settled{RevealedMask: 2, HasBust: true, BustTile: 1}, "0*1#2.3.4."},
		"bust off board":   {0b00001, verify.Settled{HasBust: true, BustTile: 255}, "0*1.2.3.4."},
		"bits off board":   {1<<31 | 1, verify.Settled{RevealedMask: 1 << 25}, "0*1.2.3.4."},
		"no bust, tile 0 ": {0, verify.Settled{BustTile: 0}, "0.1.2.3.4."},
	} {
		m := played(test.mines, &test.s)
		if got := strings.Split(draw(m), "/")[0]; got != test.row {
			t.Errorf("%s: %s, want %s", name, got, test.row)
		}
	}
}

func TestTilesStandInTheirPlaces(t *testing.T) {
	const want = "0.1.2.3.4./5.6.7.8.9*/10.11.12.13.14./15*16.17.18.19./20.21.22.23.24*"
	m := played(1<<9|1<<15|1<<24, &verify.Settled{})
	if got := draw(m); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCompared(t *testing.T) {
	m := compared(0b0110|1<<30, 0b0011)
	if got := strings.Split(draw(m), "/")[0]; got != "0-1*2+3.4." {
		t.Errorf("%s", got)
	}
	for _, m := range []mark{closed, revealed, mine, bust, minePaid, bustSafe, bustRevealed, onlyPublished, onlyDerived} {
		if meaning(m) == "" {
			t.Errorf("mark %c has no meaning", m)
		}
	}
}

func TestMoment(t *testing.T) {
	for unix, want := range map[int64]string{
		0: "1970-01-01T00:00:00Z", 253_402_300_799: "9999-12-31T23:59:59Z",
		-1: "-1 s", 253_402_300_800: "253402300800 s", 1<<63 - 1: "9223372036854775807 s",
	} {
		if got := moment(unix); got != want {
			t.Errorf("%d is %q, want %q", unix, got, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	for want, r := range map[string]verify.Ratio{
		"0": {Num: 0, Den: 7}, "1": {Num: 7, Den: 7}, "20": {Num: 40, Den: 2}, "2.5": {Num: 5, Den: 2},
		"0.3333333333...": {Num: 1, Den: 3}, "0.0000000001": {Num: 1, Den: 10_000_000_000}, "0.0000000000...": {Num: 1, Den: 20_000_000_000},
	} {
		if got := decimal(r); got != want {
			t.Errorf("%d/%d is %s, want %s", r.Num, r.Den, got, want)
		}
	}
}
