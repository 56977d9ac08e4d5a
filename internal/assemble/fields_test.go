package assemble

import (
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// A set of fields passes from the decoder to the judge as it is.
func TestFieldsAreTheSameBits(t *testing.T) {
	pairs := map[decode.Fields]verify.Fields{
		decode.FieldUser:          verify.FieldUser,
		decode.FieldNonce:         verify.FieldNonce,
		decode.FieldMinesCount:    verify.FieldMinesCount,
		decode.FieldStake:         verify.FieldStake,
		decode.FieldCommitHash:    verify.FieldCommitHash,
		decode.FieldSlothash:      verify.FieldSlothash,
		decode.FieldHouseEdge:     verify.FieldHouseEdge,
		decode.FieldMaxPayout:     verify.FieldMaxPayout,
		decode.FieldRefundTimeout: verify.FieldRefundTimeout,
		decode.FieldStartedAt:     verify.FieldStartedAt,
		decode.FieldServerSeed:    verify.FieldServerSeed,
		decode.FieldMinesMask:     verify.FieldMinesMask,
		decode.FieldRevealedMask:  verify.FieldRevealedMask,
		decode.FieldBustTile:      verify.FieldBustTile,
		decode.FieldMultiplier:    verify.FieldMultiplier,
		decode.FieldPayout:        verify.FieldPayout,
		decode.FieldRefund:        verify.FieldRefund,
		decode.FieldAuthority:     verify.FieldAuthority,
	}
	for theirs, ours := range pairs {
		if uint32(theirs) != uint32(ours) || theirs.String() != ours.String() {
			t.Errorf("%v is %b in decode, %b in verify, where it is %v", theirs, theirs, ours, ours)
		}
	}
	if len(pairs) != len(decode.Fields(1<<32-1).Names()) {
		t.Errorf("%d fields are compared, there are %d", len(pairs), len(decode.Fields(1<<32-1).Names()))
	}
	for says, want := range map[decode.Outcome]verify.Outcome{
		decode.OutcomeUnsaid: verify.OutcomeUnsaid, decode.OutcomeWon: verify.OutcomeWon, decode.OutcomeLost: verify.OutcomeLost,
	} {
		if uint8(says) != uint8(want) || says.String() != want.String() {
			t.Errorf("%v is %d in decode, %d in verify", says, says, want)
		}
	}
}
