package decode

import (
	"strings"
	"testing"
)

func TestFieldsNames(t *testing.T) {
	for f, want := range map[Fields]string{
		0:                            "",
		FieldUser:                    "user",
		FieldNonce:                   "nonce",
		FieldMinesCount:              "mines_count",
		FieldStake:                   "stake",
		FieldCommitHash:              "commit_hash",
		FieldSlothash:                "slothash",
		FieldHouseEdge:               "house_edge",
		FieldMaxPayout:               "max_payout",
		FieldRefundTimeout:           "refund_timeout",
		FieldStartedAt:               "started_at",
		FieldServerSeed:              "server_seed",
		FieldMinesMask:               "mines_mask",
		FieldRevealedMask:            "revealed_mask",
		FieldBustTile:                "bust_tile",
		FieldMultiplier:              "multiplier",
		FieldPayout:                  "payout",
		FieldRefund:                  "refund",
		FieldAuthority:               "authority",
		FieldAuthority | FieldUser:   "user, authority",
		FieldMultiplier | FieldNonce: "nonce, multiplier",
		FieldAuthority << 1:          "",
	} {
		if got := f.String(); got != want {
			t.Errorf("%b: %q, want %q", f, got, want)
		}
		if want != "" && len(f.Names()) != 1+strings.Count(want, ",") {
			t.Errorf("%b: %q", f, f.Names())
		}
	}
}

func TestFieldsHas(t *testing.T) {
	set := FieldStake | FieldPayout
	if !set.Has(FieldStake) || !set.Has(set) || !set.Has(0) || set.Has(FieldStake|FieldRefund) {
		t.Errorf("%v", set)
	}
}
