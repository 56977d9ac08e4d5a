package fit

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"seedHash": {"seed", "hash"}, "seed_hash": {"seed", "hash"}, "SeedHash": {"seed", "hash"}, "SEED_HASH": {"seed", "hash"},
		"houseEdgeBPS": {"house", "edge", "bps"}, "IDLFile": {"idl", "file"}, "GameSettledV2": {"game", "settled", "v", "2"},
		"0": {"0"}, "": nil, "__": nil, "a-b.c": {"a", "b", "c"}, "ÉtatFinal": {"état", "final"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestLikeness(t *testing.T) {
	phrases := []string{"server seed", "seed"}
	for _, test := range []struct{ better, worse string }{
		{"server_seed", "seed"}, {"seed", "revealed_server_seed"}, {"revealed_server_seed", "the_revealed_server_seed"}, {"my_seed", "hash"},
	} {
		if better, worse := likeness(words(test.better), phrases), likeness(words(test.worse), phrases); better <= worse {
			t.Errorf("%s: %d, %s: %d", test.better, better, test.worse, worse)
		}
	}
	if got := likeness(words("seeder"), phrases); got != 0 {
		t.Errorf("seeder: %d", got)
	}
}
