package store

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/jackc/pgx/v5/pgtype"
	"pgregory.net/rapid"
)

// published pairs of bytes and base58 text, from the encoding's Internet-Draft
// (draft-msporny-base58, section 5), and the ends of what Solana shows.
var base58Vectors = map[string]string{
	"":                                 "",
	"00":                               "1",
	"61":                               "2g",
	"48656c6c6f20576f726c6421":         "2NEpo7TZRRrLZSi2U",
	"0000287fb4cd":                     "11233QC4",
	strings.Repeat("00", 32):           "11111111111111111111111111111111",
	"00000000000000000000000000000001": "1111111111111112",
}

func TestBase58Vectors(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	for in, want := range base58Vectors {
		raw, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := scan[string](t, r, `select audit_api.base58($1)`, raw); got != want {
			t.Errorf("base58(%s) is %q, want %q", in, got, want)
		}
	}
	if scan[pgtype.Text](t, r, `select audit_api.base58(null)`).Valid {
		t.Error("base58(null) is not null")
	}
}

func TestBase58IsGos(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	rapid.Check(t, func(t *rapid.T) {
		// Many at a time: the round trip costs more than the work.
		zeros := rapid.IntRange(0, 3).Draw(t, "zeros")
		raw := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 64), 1, 20).Draw(t, "raw")
		for i := range raw {
			copy(raw[i], make([]byte, zeros))
		}
		answer, err := r.sql.Query(bounded(t), `select audit_api.base58(b) from unnest($1::bytea[]) with ordinality u(b, n) order by n`, raw)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; answer.Next(); i++ {
			var got string
			if err := answer.Scan(&got); err != nil {
				t.Fatal(err)
			}
			if want := solana.Base58(raw[i]).String(); got != want {
				t.Fatalf("base58(%x) is %s, Go's is %s", raw[i], got, want)
			}
		}
		if answer.Err() != nil {
			t.Fatal(answer.Err())
		}
	})
	key, sig := make([]byte, 32), make([]byte, 64)
	for i := range sig {
		sig[i] = 0xff
		key[i/2] = 0xff
	}
	for _, b := range [][]byte{key, sig} {
		if got, want := scan[string](t, r, `select audit_api.base58($1)`, b), solana.Base58(b).String(); got != want {
			t.Errorf("base58(%x) is %s, Go's is %s", b, got, want)
		}
	}
}
