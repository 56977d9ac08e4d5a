package decode

import (
	"os"
	"testing"

	"minesaudit/internal/idl"
	"minesaudit/internal/idl/idltest"
)

// The other program's IDL, and what it means.

func tilesIDL(t testing.TB) *idl.IDL {
	t.Helper()
	raw, err := os.ReadFile("testdata/hidden_tiles.json")
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := idl.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func tilesMapping(file *idl.IDL) Mapping {
	key := []FieldMapping{{Role: RoleGame, Path: "round"}, {Role: RoleUser, Path: "player.account"}, {Role: RoleNonce, Path: "player.counter"}}
	reveal := append(key,
		FieldMapping{Role: RoleServerSeed, Path: "reveal.seed"},
		FieldMapping{Role: RoleSlothash, Path: "reveal.slot_hash.0"},
		FieldMapping{Role: RoleMinesMask, Path: "reveal.mines"},
		FieldMapping{Role: RoleRevealedMask, Path: "reveal.safe", Unit: UnitTiles},
	)
	with := func(base []FieldMapping, more ...FieldMapping) []FieldMapping {
		return append(append([]FieldMapping{}, base...), more...)
	}
	return Mapping{
		Versions: []Version{{IDL: file}},
		Key:      []Role{RoleGame, RoleUser, RoleNonce},
		Events: []EventMapping{
			{Kind: KindStarted, Event: "RoundOpened", Fields: with(key,
				FieldMapping{Role: RoleMinesCount, Path: "terms.mines"},
				FieldMapping{Role: RoleStake, Path: "terms.wager"},
				FieldMapping{Role: RoleCommitHash, Path: "terms.seed_hash"},
				FieldMapping{Role: RoleSlothash, Path: "terms.slot_hash.0"},
				FieldMapping{Role: RoleHouseEdge, Path: "terms.edge_ppb", Unit: UnitPPB},
				FieldMapping{Role: RoleMaxPayout, Path: "terms.win_limit"},
				FieldMapping{Role: RoleRefundTimeout, Path: "terms.cancel_after"},
				FieldMapping{Role: RoleStartedAt, Path: "opened_at"},
			)},
			{Kind: KindSettled, Event: "RoundCashedOut", Says: OutcomeWon, Fields: with(reveal,
				FieldMapping{Role: RoleMultiplier, Path: "multiplier"},
				FieldMapping{Role: RolePayout, Path: "win"},
			)},
			{Kind: KindSettled, Event: "RoundBusted", Says: OutcomeLost, Fields: with(reveal,
				FieldMapping{Role: RoleBustTile, Path: "tile"},
				FieldMapping{Role: RoleMultiplier, Constant: "0"},
				FieldMapping{Role: RolePayout, Constant: "0"},
			)},
			{Kind: KindVoided, Event: "RoundClosed", When: "reason.Cancelled", Fields: with(key,
				FieldMapping{Role: RoleRefund, Path: "reason.Cancelled.returned"},
				FieldMapping{Role: RoleAuthority, Path: "reason.Cancelled.by"},
			)},
		},
	}
}

func tilesLayout(t testing.TB) *Layout {
	t.Helper()
	l, err := NewLayout(tilesMapping(tilesIDL(t)))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// encodeBy writes an event as an IDL has it.
func encodeBy(t testing.TB, file *idl.IDL, name string, value any) []byte {
	t.Helper()
	event, ok := file.Event(name)
	if !ok {
		t.Fatalf("no event %s", name)
	}
	payload, err := idltest.Encode(event, value)
	if err != nil {
		t.Fatal(err)
	}
	return append(append([]byte{}, event.Discriminator...), payload...)
}

// sameLayout reads the built-in events by an IDL of theirs.
func sameLayout(t testing.TB) *Layout {
	t.Helper()
	raw, err := os.ReadFile("testdata/mines.json")
	if err != nil {
		t.Fatal(err)
	}
	file, err := idl.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	m := Mapping{Versions: []Version{{IDL: file}}, Key: []Role{RoleGame, RoleUser, RoleNonce}}
	for kind, event := range map[Kind]string{KindStarted: "MinesGameStarted", KindSettled: "MinesGameSettled", KindVoided: "MinesGameVoided"} {
		mapped := EventMapping{Kind: kind, Event: event}
		for _, role := range Roles(kind) {
			path := role.String()
			switch role {
			case RoleHouseEdge:
				path = "house_edge_bps"
			case RoleLost:
				continue
			}
			mapped.Fields = append(mapped.Fields, FieldMapping{Role: role, Path: path})
		}
		m.Events = append(m.Events, mapped)
	}
	l, err := NewLayout(m)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
