package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// StoredEvent is an event with what orders and qualifies it.
type StoredEvent struct {
	Event
	TxID      int64
	Signature [64]byte
	Slot      uint64
	State     decode.LogState
}

// StoredGame is what the record holds of a game, its key as in [Game], without
// dropped transactions and without events beyond MostEvents.
type StoredGame struct {
	Key      decode.GameKey
	Events   []StoredEvent // in no order
	Standing Verdict       // Seq < 0: no verdict yet
}

// MostEvents is how many events of a game are looked at, the first in chain
// order. An honest game has two; whoever pays for more than this many ends of
// one game has it failed for the second, and is not to fill the memory.
const MostEvents = 64

// Games loads games with their events and standing verdicts; what is absent
// from the answer is not stored, and neither is what this turn has written ahead.
func (w *Writer) Games(ctx context.Context, ids []GameID) (map[GameID]*StoredGame, error) {
	games := make(map[GameID]*StoredGame, len(ids))
	if len(ids) == 0 {
		return games, nil
	}
	// Events are looked for only of games that are there: most are not. Slot + 0 keeps
	// them from being looked for among all transactions in the order of slots.
	rows, err := w.conn.Query(ctx, `select g.id, g.game, g."user", g.nonce::text, v.seq, v.slot, v.end_slot, v.verdict, v.results, v.kind,
			v.mines_count, v.revealed, v.lost, v.stake_band, v.void_when,
			x.source, x.ordinal, x.kind, x.data, x.paid::text, x.id, x.signature, x.slot, x.log_state
		from audit.game g
		left join audit.verdict v on v.game = g.id and v.seq = g.seq
		left join lateral (
			select e.source, e.ordinal, e.kind, e.data, e.paid, t.id, t.signature, t.slot, t.log_state
			from audit.event e join audit.tx t on t.id = e.tx
			where e.game = g.id and not (e.tx between $3 and $4) and not t.dropped and not t.failed
			order by t.slot + 0, t.signature, e.ordinal limit $2) x on true
		where g.id = any($1)`, array[GameID](ids), MostEvents, w.ahead.first, w.ahead.last)
	if err == nil {
		err = scanGames(rows, games)
	}
	if err != nil {
		return nil, fmt.Errorf("load %d games: %w", len(ids), err)
	}
	return games, nil
}

// scanGames reads games, a row each event, or one where there is none.
func scanGames(rows pgx.Rows, games map[GameID]*StoredGame) error {
	var (
		id         GameID
		game, user []byte
		nonce      *string
		standing   standingRow
		event      eventRow
	)
	into := append([]any{&id, &game, &user, &nonce}, append(standing.columns(), event.columns()...)...)
	_, err := pgx.ForEachRow(rows, into, func() error {
		g := games[id]
		if g == nil {
			key, err := publishedKey(game, user, nonce)
			if err != nil {
				return err
			}
			g = &StoredGame{Key: key, Standing: standing.of(id)}
			games[id] = g
		}
		if event.tx != nil {
			stored, err := event.of(id)
			if err != nil {
				return err
			}
			g.Events = append(g.Events, stored)
		}
		return nil
	})
	return err
}

// publishedKey reads a key from its columns. A user and a nonce that are not
// published are null there, and zero in a key.
func publishedKey(game, user []byte, nonce *string) (decode.GameKey, error) {
	key := decode.GameKey{Game: [32]byte(game)}
	if user != nil {
		key.User = [32]byte(user)
	}
	if nonce == nil {
		return key, nil
	}
	var err error
	if key.Nonce, err = strconv.ParseUint(*nonce, 10, 64); err != nil {
		return key, fmt.Errorf("read a game's nonce: %w", err)
	}
	return key, nil
}

// standingRow is a standing verdict, or nulls.
type standingRow struct {
	seq, results                                   *int32
	slot, endSlot                                  *int64
	verdict, kind, mines, revealed, band, voidWhen *int16
	lost                                           *bool
}

func (r *standingRow) columns() []any {
	return []any{&r.seq, &r.slot, &r.endSlot, &r.verdict, &r.results, &r.kind, &r.mines, &r.revealed, &r.lost, &r.band, &r.voidWhen}
}

func (r *standingRow) of(game GameID) Verdict {
	if r.seq == nil {
		return Verdict{Game: game, Seq: -1}
	}
	v := Verdict{
		Game: game, Seq: int(*r.seq), Slot: uint64(*r.slot), Verdict: verify.Verdict(*r.verdict), Results: uint32(*r.results),
		Kind: verify.EndKind(*r.kind), MinesCount: int(*r.mines), Revealed: int(*r.revealed), Lost: *r.lost,
		StakeBand: int(*r.band), VoidWhen: verify.VoidWhen(*r.voidWhen),
	}
	if r.endSlot != nil {
		v.EndSlot = uint64(*r.endSlot)
	}
	return v
}

// eventRow is an event and its transaction, or nulls.
type eventRow struct {
	source, kind, state *int16
	ordinal             *int32
	data, signature     []byte
	paid                *string
	tx, slot            *int64
}

func (r *eventRow) columns() []any {
	return []any{&r.source, &r.ordinal, &r.kind, &r.data, &r.paid, &r.tx, &r.signature, &r.slot, &r.state}
}

func (r *eventRow) of(game GameID) (StoredEvent, error) {
	e := StoredEvent{
		Event: Event{
			Source: Source(*r.source), Ordinal: uint32(*r.ordinal), Kind: decode.Kind(*r.kind), Game: game, HasGame: true, Data: r.data,
		},
		TxID: *r.tx, Signature: [64]byte(r.signature), Slot: uint64(*r.slot), State: decode.LogState(*r.state),
	}
	if r.paid != nil {
		paid, err := strconv.ParseUint(*r.paid, 10, 64)
		if err != nil {
			return e, fmt.Errorf("read what an event paid: %w", err)
		}
		e.Paid = &paid
	}
	return e, nil
}
