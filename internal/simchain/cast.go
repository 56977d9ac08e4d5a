package simchain

// cast is who is who on the chain: every address that is not a game's.
type cast struct {
	program   Key // the audited one
	operator  Key
	vault     Key
	users     []Key // the players' accounts: derived addresses, nobody's wallet
	strangers []Key // wallets that have nothing to do with the operator

	router   Key // calls the program for somebody else
	oracle   Key // prints data when the program calls it
	chatty   Key // logs what users tell it to
	attacker Key // prints copies of the program's events
	table    Key // address lookup table of version-0 transactions

	genesis Key

	cpi       bool // the program emits by calling itself; else into the log
	authority Key  // what it signs such calls as

	system, budget, token, slotHashes, clock, loader Key
}

func newCast(seed int64, cpi bool) *cast {
	c := &cast{
		program: derive(seed, "program", 0), operator: derive(seed, "operator", 0), vault: derive(seed, "vault", 0),
		router: derive(seed, "router", 0), oracle: derive(seed, "oracle", 0), chatty: derive(seed, "chatty", 0),
		attacker: derive(seed, "attacker", 0), table: derive(seed, "table", 0), genesis: derive(seed, "genesis", 0),

		cpi: cpi,

		system:     wellKnown("11111111111111111111111111111111"),
		budget:     wellKnown("ComputeBudget111111111111111111111111111111"),
		token:      wellKnown("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"),
		slotHashes: wellKnown("SysvarS1otHashes111111111111111111111111111"),
		clock:      wellKnown("SysvarC1ock11111111111111111111111111111111"),
		loader:     wellKnown("BPFLoaderUpgradeab1e11111111111111111111111"),
	}
	c.authority = eventAuthority(c.program)
	for i := range uint64(400) {
		c.users = append(c.users, derive(seed, "user", i))
	}
	for i := range uint64(16) {
		c.strangers = append(c.strangers, derive(seed, "stranger", i))
	}
	return c
}

// programs lists the deployed programs.
func (c *cast) programs() []Key {
	return []Key{c.program, c.router, c.oracle, c.chatty, c.attacker, c.token}
}
