package store

import (
	"math"
	"reflect"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// fieldColumns are the columns of v1_games that a field is in.
func fieldColumns() map[verify.Fields]string {
	return map[verify.Fields]string{
		verify.FieldUser: `"user"`, verify.FieldNonce: "nonce", verify.FieldMinesCount: "mines_count", verify.FieldStake: "stake",
		verify.FieldCommitHash: "commit_hash", verify.FieldSlothash: "slothash", verify.FieldHouseEdge: "house_edge_bps",
		verify.FieldMaxPayout: "max_payout", verify.FieldRefundTimeout: "refund_timeout", verify.FieldStartedAt: "started_at",
		verify.FieldServerSeed: "server_seed", verify.FieldMinesMask: "mines_mask", verify.FieldRevealedMask: "revealed_mask",
		verify.FieldBustTile: "bust_tile", verify.FieldMultiplier: "multiplier", verify.FieldPayout: "payout",
		verify.FieldRefund: "refund", verify.FieldAuthority: "authority",
	}
}

// full is a game that publishes everything but some fields, which have values
// all the same: none may be written.
func full(k decode.GameKey, voids bool, missing verify.Fields) (Game, Verdict) {
	g, v := settled(k, 5, verify.VerdictInconclusive)
	if voids {
		g, v = voided(k, 5, verify.BeforeTimeout)
	}
	g.Missing = missing & (verify.FieldUser | verify.FieldNonce)
	g.Start = &verify.Start{
		MinesCount: 3, Stake: 4, CommitHash: [32]byte{5}, Slothash: [32]byte{6}, HouseEdge: 7, MaxPayout: 8, RefundTimeout: 9, StartedAt: 10,
		Slot: 5, Missing: missing,
	}
	g.End.Settled = verify.Settled{
		ServerSeed: [32]byte{1}, Slothash: [32]byte{2}, MinesMask: 3, RevealedMask: 4, BustTile: 5, HasBust: true, Multiplier: 6, Payout: 7, Missing: missing,
	}
	g.End.Voided = verify.Voided{Refund: 1, Authority: [32]byte{2}, Missing: missing}
	return g, v
}

// A field that is not published is null in the views, whether its row is new or
// changes, and no other is.
func TestMissingFieldsAreNull(t *testing.T) {
	t.Parallel()
	for field, column := range fieldColumns() {
		voids := field == verify.FieldRefund || field == verify.FieldAuthority
		t.Run(field.String(), func(t *testing.T) {
			t.Parallel()
			r := fresh(t)
			k := key(1)
			k.Nonce = math.MaxUint64
			whole, _ := full(k, voids, 0)
			lacking, v := full(k, voids, field)
			lacking.Standing = v
			nulls := func() []string {
				var names []string
				for _, c := range fieldColumns() {
					if scan[bool](t, r, `select `+c+` is null from audit_api.v1_games`) {
						names = append(names, c)
					}
				}
				return names
			}
			ofOther := 2
			if voids {
				ofOther = 7 - 1 // of a settlement; its slot hash has no column in the view
			}
			r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5, k)}, Games: []Game{lacking}, Verdicts: []Verdict{v}})
			added := nulls()
			whole.Stored, whole.Standing = true, v
			r.commit(t, &Batch{Games: []Game{whole}})
			filled := nulls()
			lacking.Stored = true
			r.commit(t, &Batch{Games: []Game{lacking}})
			changed := nulls()
			if len(added) != ofOther+1 || len(filled) != ofOther || len(changed) != ofOther+1 {
				t.Errorf("null are %v, then %v, then %v", added, filled, changed)
			}
			if !scan[bool](t, r, `select `+column+` is null from audit_api.v1_games`) {
				t.Errorf("%s is not null", column)
			}
			if n := scan[int](t, r, `select count(*)::int from audit_api.v1_checks where result = 'pass' or result = 'n/a'`); n == 0 {
				t.Error("v1_checks has no row of the game")
			}
			r.consistent(t)
		})
	}
}

// What comes later tells the user and the nonce: the row has them then, and the
// game is read back by its id with what there is.
func TestUserAndNonceFollow(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	address := decode.GameKey{Game: [32]byte{1}}
	g := Game{ID: NewGameID(address), Key: address, Missing: verify.FieldUser | verify.FieldNonce, Ends: 1, End: &verify.End{Slot: 5}, Standing: Verdict{Seq: -1}}
	r.commit(t, &Batch{Games: []Game{g}})
	read := func() decode.GameKey {
		t.Helper()
		stored, err := r.w.Games(bounded(t), []GameID{g.ID})
		if err != nil || stored[g.ID] == nil {
			t.Fatalf("%v, %v", stored, err)
		}
		return stored[g.ID].Key
	}
	if got := read(); got != address {
		t.Errorf("read back as %+v", got)
	}
	outcomes := 0
	err := r.EachOutcome(bounded(t), func(o Outcome) {
		if outcomes++; o.Game != address.Game || o.User != [32]byte{} || o.Nonce != "" {
			t.Errorf("its outcome is of %+v", o)
		}
	})
	if err != nil || outcomes != 1 {
		t.Errorf("%d outcomes, %v", outcomes, err)
	}
	g.Stored, g.Missing = true, 0
	g.Key = decode.GameKey{Game: address.Game, User: [32]byte{2}, Nonce: math.MaxUint64}
	g.Starts, g.Start = 1, &verify.Start{Slot: 4}
	r.commit(t, &Batch{Games: []Game{g}})
	if got := read(); got != g.Key {
		t.Errorf("read back as %+v", got)
	}
	if got := rows(t, r, `select nonce::text, (game <> "user")::text from audit_api.v1_games`); !reflect.DeepEqual(got, [][]string{{"18446744073709551615", "true"}}) {
		t.Errorf("the view has %v", got)
	}
}

// An edge that the column cannot hold is above every scale, and stays so.
func TestEdgesOfAnyWidthAreStored(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	for i, parts := range []uint32{0, verify.MaxEdgeScale, math.MaxInt32, math.MaxUint32} {
		g, v := settled(key(i+1), 5, verify.VerdictInconclusive)
		g.Start = &verify.Start{HouseEdge: parts, Slot: 4}
		g.Starts, g.Standing = 1, v
		r.commit(t, &Batch{Games: []Game{g}, Verdicts: []Verdict{v}})
		g.Stored = true
		r.commit(t, &Batch{Games: []Game{g}})
	}
	got := rows(t, r, `select house_edge_bps::text from audit.game order by house_edge_bps`)
	if want := [][]string{{"0"}, {"1000000000"}, {"2147483647"}, {"2147483647"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("edges %v, want %v", got, want)
	}
}
