package store

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// The server reads what was copied as the values that they were.
func TestCopiedValues(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.exec(t, `create table public.all_types (n integer, a smallint, b integer, c bigint, d boolean, e bytea, f uuid, g text, h numeric(20,0), i bigint)`)
	numbers := rapid.OneOf(rapid.SampledFrom([]uint64{
		0, 1, 9_999, 10_000, 10_001, 99_999_999, 100_000_000, 10_000_000_000_000_000, math.MaxInt64, math.MaxUint64,
	}), rapid.Uint64())
	serial := 0
	rapid.Check(t, func(outer *rapid.T) {
		serial++
		small, medium, large := rapid.Int16().Draw(outer, "a"), rapid.Int32().Draw(outer, "b"), rapid.Int64().Draw(outer, "c")
		truth, data := rapid.Bool().Draw(outer, "d"), rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(outer, "e")
		id, text := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(outer, "f")), printable(rapid.String().Draw(outer, "g"))
		number := numbers.Draw(outer, "h")

		s := &writes{}
		c := s.into("public.all_types", "n, a, b, c, d, e, f, g, h, i", 1, 10) // it grows where it must
		c.row()
		c.int32(int32(serial))
		c.int16(small)
		c.int32(medium)
		c.int64(large)
		c.bool(truth)
		c.bytes(data)
		c.bytes(id[:])
		c.text(text)
		c.numeric(number)
		c.null()
		if err := s.send(bounded(t), r.w); err != nil {
			outer.Fatal(err)
		}
		same := scan[bool](t, r, `select (a, b, c, d, e, f, g, h) = ($2::smallint, $3::integer, $4::bigint, $5::boolean, $6::bytea, $7::uuid, $8::text, $9::text::numeric)
			and i is null and h::text = $9 from public.all_types where n = $1`,
			serial, small, medium, large, truth, data, id, text, strconv.FormatUint(number, 10))
		if !same {
			outer.Fatalf("row %d is not what was copied", serial)
		}
	})
}
