package verify

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	want := strings.Fields("commit slothash_kept board mine_count mask_range reveals_safe bust_is_mine bust_not_revealed outcome multiplier payout terms_kept lifecycle refund void_right")
	if len(want) != NumChecks {
		t.Fatalf("%d checks, want %d", NumChecks, len(want))
	}
	for i, name := range want {
		if got := Check(i).String(); got != name {
			t.Errorf("check %d is %s, want %s", i, got, name)
		}
	}
	// These numbers and names are stored or served: they do not change.
	for _, test := range []struct {
		number uint8
		got    string
		want   string
	}{
		{uint8(CheckVoidRight), CheckVoidRight.String(), "14 void_right"},
		{NumChecks, Check(NumChecks).String(), "15 check(15)"},
		{uint8(ResultNA), ResultNA.String(), "0 n/a"},
		{uint8(ResultPass), ResultPass.String(), "1 pass"},
		{uint8(ResultFail), ResultFail.String(), "2 fail"},
		{uint8(ResultInconclusive), ResultInconclusive.String(), "3 inconclusive"},
		{4, Result(4).String(), "4 result(4)"},
		{uint8(VerdictPending), VerdictPending.String(), "0 pending"},
		{uint8(VerdictPass), VerdictPass.String(), "1 pass"},
		{uint8(VerdictFail), VerdictFail.String(), "2 fail"},
		{uint8(VerdictInconclusive), VerdictInconclusive.String(), "3 inconclusive"},
		{uint8(VerdictWithdrawn), VerdictWithdrawn.String(), "4 withdrawn"},
		{5, Verdict(5).String(), "5 verdict(5)"},
		{uint8(EndSettled), EndSettled.String(), "0 settled"},
		{uint8(EndVoided), EndVoided.String(), "1 voided"},
		{uint8(EndNone), EndNone.String(), "2 none"},
		{3, EndKind(3).String(), "3 unknown"},
		{uint8(NotVoid), NotVoid.String(), "0 not_void"},
		{uint8(BeforeTimeout), BeforeTimeout.String(), "1 before_timeout"},
		{uint8(AfterTimeout), AfterTimeout.String(), "2 after_timeout"},
		{uint8(VoidWhenUnknown), VoidWhenUnknown.String(), "3 unknown"},
	} {
		if got := decimal(uint64(test.number)) + " " + test.got; got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func TestSettings(t *testing.T) {
	for i, name := range []string{"floor_once", "floor_each", "nearest"} {
		if got, err := ParseRounding(name); err != nil || got != Rounding(i) || got.String() != name {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for i, name := range []string{"payout", "multiplier", "none"} {
		if got, err := ParseCapMode(name); err != nil || got != CapMode(i) || got.String() != name {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for i, name := range []string{"exact", "rounded"} {
		if got, err := ParsePayoutFrom(name); err != nil || got != PayoutFrom(i) || got.String() != name {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for i, name := range []string{"zero", "at_bust"} {
		if got, err := ParseLostMultiplier(name); err != nil || got != LostMultiplier(i) || got.String() != name {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	_, err := ParseRounding("floor")
	if err == nil || !strings.Contains(err.Error(), "rounding") || !strings.Contains(err.Error(), "floor_each") {
		t.Errorf("the message names neither setting nor remedy: %v", err)
	}
	if got := Rounding(9).String(); got != "unknown(9)" {
		t.Error(got)
	}
}

func TestRulesValidate(t *testing.T) {
	good := DefaultRules()
	if err := good.Validate(); err != nil {
		t.Errorf("the default: %v", err)
	}
	for field, bad := range map[string]Rules{
		"scale":                 {EdgeScale: BasisPoints, Scale: 0},
		"scale 1000000000001":   {EdgeScale: BasisPoints, Scale: MaxScale + 1},
		"edge_scale 0":          {Scale: 1},
		"edge_scale 1000000001": {EdgeScale: MaxEdgeScale + 1, Scale: 1},
		"rounding":              {EdgeScale: BasisPoints, Scale: 1, Rounding: 3},
		"cap":                   {EdgeScale: BasisPoints, Scale: 1, Cap: 3},
		"payout_from":           {EdgeScale: BasisPoints, Scale: 1, PayoutFrom: 2},
		"lost_multiplier":       {EdgeScale: BasisPoints, Scale: 1, LostMultiplier: 2},
	} {
		if err := bad.Validate(); err == nil || !strings.HasPrefix(err.Error(), field) {
			t.Errorf("%s: error %v", field, err)
		}
	}
}

func TestPacked(t *testing.T) {
	var r Report
	for i := range r.Results {
		r.Results[i] = Result(i % 4)
	}
	if got := r.Packed(); got != 0b10_01_00_11_10_01_00_11_10_01_00_11_10_01_00 {
		t.Errorf("%030b", got)
	}
	if got := Unpack(r.Packed()); got != r.Results {
		t.Errorf("unpacked %v", got)
	}
}

func TestMaskText(t *testing.T) {
	for mask, want := range map[uint32]string{0: "0x0000000 {}", 0x421: "0x0000421 {0 5 10}", 1<<31 | 1<<24: "0x81000000 {24 31}"} {
		if got := maskText(mask); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestStakeBand(t *testing.T) {
	for stake, want := range map[uint64]int{0: -1, 1: 0, 9: 0, 10: 1, 99: 1, 100: 2, 999_999_999: 8, 1_000_000_000: 9, 1<<64 - 1: 19} {
		if got := stakeBand(stake); got != want {
			t.Errorf("stake %d: band %d, want %d", stake, got, want)
		}
	}
}
