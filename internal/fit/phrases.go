package fit

import "minesaudit/internal/decode"

// phrases are what programs call the field of a role, the likeliest first.
func phrases(role decode.Role) []string {
	switch role {
	case decode.RoleGame:
		return []string{"game", "round", "game address", "game key", "game account", "game id", "round id", "session", "board", "match", "bet", "bet id", "id", "table"}
	case decode.RoleUser:
		return []string{"user account", "user", "player", "player account", "bettor", "gambler", "better", "owner", "wallet"}
	case decode.RoleNonce:
		return []string{"nonce", "game nonce", "counter", "game index", "game number", "sequence", "index", "hand", "hand number"}
	case decode.RoleMinesCount:
		return []string{"mines count", "mine count", "num mines", "number of mines", "mines", "bomb count", "bombs count", "num bombs", "bombs"}
	case decode.RoleStake:
		return []string{"stake", "wager", "bet amount", "stake amount", "wager amount", "bet size", "bet", "amount", "lamports"}
	case decode.RoleCommitHash:
		return []string{"commit hash", "commitment", "server seed hash", "seed hash", "hashed server seed", "hashed seed", "commit", "seed commitment", "sealed", "seal"}
	case decode.RoleSlothash:
		return []string{"slothash", "slot hash", "recent slothash", "recent slot hash", "chain entropy", "entropy", "slot"}
	case decode.RoleHouseEdge:
		return []string{"house edge bps", "house edge", "house edge ppb", "edge bps", "edge ppb", "edge"}
	case decode.RoleMaxPayout:
		return []string{"max payout", "payout cap", "max win", "win limit", "payout limit", "max profit", "win cap", "cap", "ceiling"}
	case decode.RoleRefundTimeout:
		return []string{"refund timeout", "timeout", "refund after", "cancel after", "refund delay", "timeout seconds", "expires after", "void after", "give back after"}
	case decode.RoleStartedAt:
		return []string{"started at", "start time", "opened at", "created at", "placed at", "timestamp", "start timestamp", "time", "at"}
	case decode.RoleServerSeed:
		return []string{"server seed", "revealed server seed", "revealed seed", "seed", "secret", "server secret"}
	case decode.RoleMinesMask:
		return []string{"mines mask", "mine mask", "mines bitmap", "mine positions", "mines positions", "mine tiles", "mines", "bomb positions", "bombs", "mine field", "minefield", "board", "grid", "field"}
	case decode.RoleRevealedMask:
		return []string{"revealed mask", "revealed tiles", "revealed", "safe tiles", "safe", "opened tiles", "opened", "picked tiles", "picks", "picked", "clicked tiles", "clicked", "selected tiles", "selected", "tiles"}
	case decode.RoleBustTile:
		return []string{"bust tile", "busted tile", "mine hit", "hit tile", "hit mine", "losing tile", "exploded tile", "tile", "hit"}
	case decode.RoleMultiplier:
		return []string{"multiplier", "payout multiplier", "multiplier bps", "final multiplier", "mult", "odds", "times"}
	case decode.RolePayout:
		return []string{"payout", "win amount", "winnings", "win", "payout amount", "paid", "prize", "reward", "amount"}
	case decode.RoleRefund:
		return []string{"refund", "refund amount", "refunded", "returned", "refunded amount", "amount", "stake", "lamports"}
	case decode.RoleAuthority:
		return []string{"authority", "cancelled by", "canceled by", "voided by", "by", "canceller", "operator", "caller", "signer"}
	}
	return nil
}

// unlike are words that a field of the role does not have: max_payout is no
// payout, and a seed's hash is no seed.
func unlike(role decode.Role) []string {
	switch role {
	case decode.RoleServerSeed:
		return []string{"hash", "hashed", "commit", "commitment", "client", "user", "player", "next"}
	case decode.RolePayout:
		return []string{"max", "min", "cap", "limit", "multiplier", "fee", "timeout"}
	case decode.RoleMultiplier:
		return []string{"max", "min", "cap", "limit"}
	case decode.RoleStake:
		return []string{"max", "min", "payout", "win", "refund", "fee", "account", "token", "id"}
	case decode.RoleRefund:
		return []string{"timeout", "at", "after", "delay"}
	case decode.RoleMinesMask, decode.RoleRevealedMask:
		return []string{"count", "hash", "seed", "id"}
	case decode.RoleCommitHash, decode.RoleSlothash:
		return []string{"client", "next"}
	case decode.RoleUser:
		return []string{"seed", "index", "count", "nonce"}
	case decode.RoleGame:
		return []string{"count", "type", "index", "nonce", "amount"}
	}
	return nil
}

// generic names say nothing of a field by themselves: the name of what holds it
// does.
func generic() []string {
	return []string{"0", "account", "address", "key", "pubkey", "value", "amount", "bytes", "data", "inner", "hash", "id", "lamports"}
}

// eventPhrases are what programs call the event of a kind.
func eventPhrases(kind decode.Kind) []string {
	switch kind {
	case decode.KindStarted:
		return []string{"started", "opened", "created", "placed", "start", "open", "create", "begun", "committed", "dealt", "initialized"}
	case decode.KindSettled:
		return append([]string{"settled", "ended", "finished", "completed", "resolved", "settle", "end", "result", "revealed"}, append(wonPhrases(), lostPhrases()...)...)
	case decode.KindVoided:
		return []string{"voided", "cancelled", "canceled", "refunded", "aborted", "expired", "given back", "returned", "void", "cancel", "refund", "abort"}
	}
	return nil
}

func wonPhrases() []string {
	return []string{"cashed out", "cashout", "cash out", "won", "win", "claimed"}
}

func lostPhrases() []string {
	return []string{"busted", "bust", "lost", "loss", "lose", "burst", "exploded", "mine hit", "hit mine"}
}
