package config

import (
	"strings"
	"time"
)

// EnvPrefix begins every environment variable of the daemon.
const EnvPrefix = "MINESAUDIT_"

// Config is everything that an operator can tell `indexer run`, as text. The
// zero Config is not useful: see [Default]. [Config.Check] makes [Settings] of it.
//
// A field's yaml tag is its key in the file, its name tag the flag; the variable
// is EnvPrefix and the key in capitals.
type Config struct {
	File string `name:"config" env:"MINESAUDIT_CONFIG" placeholder:"FILE" group:"What to audit:" help:"YAML file with any of these settings, its keys with _ for -." yaml:"-"`

	// The node. A public node allows about 40 calls of one method and 100 calls
	// in all in ten seconds: --rpc-rate 4 stays within that.
	RPCURL  Secret  `name:"rpc-url" env:"MINESAUDIT_RPC_URL" placeholder:"URL" group:"Node:" help:"Node's JSON-RPC address, http:// or https://. A secret if it has a key in it: better in the file that $MINESAUDIT_RPC_URL_FILE names." yaml:"rpc_url"`
	WSURL   Secret  `name:"ws-url" env:"MINESAUDIT_WS_URL" placeholder:"URL" group:"Node:" help:"Node's websocket address, ws:// or wss://, or $MINESAUDIT_WS_URL_FILE. Follows from --rpc-url unless given." yaml:"ws_url"`
	RPCRate float64 `name:"rpc-rate" env:"MINESAUDIT_RPC_RATE" placeholder:"N" group:"Node:" default:"0" help:"Most JSON-RPC requests a second; 0 is no limit of our own. Public nodes bear about 4. Default ${default}." yaml:"rpc_rate"`

	// Several nodes stand in the file only.
	Nodes      []Node  `kong:"-" yaml:"nodes"`
	CheckShare float64 `name:"check-share" env:"MINESAUDIT_CHECK_SHARE" placeholder:"SHARE" group:"Node:" default:"0.01" help:"Where the file lists several nodes: share of intact transactions, 0 to 1, of which a second one is asked too. Failed and inconclusive games are, all of them. Default ${default}." yaml:"check_share"`

	Program    string `name:"program" env:"MINESAUDIT_PROGRAM" placeholder:"ADDRESS" group:"What to audit:" help:"Address of the program to audit, base58. May stand in the profile instead." yaml:"program"`
	Profile    string `name:"profile" env:"MINESAUDIT_PROFILE" placeholder:"NAME|FILE" group:"What to audit:" default:"builtin:mines" help:"The program's payout convention, operator keys and void-rate ceiling: builtin:mines or a YAML file. Default ${default}." yaml:"profile"`
	From       string `name:"from" env:"MINESAUDIT_FROM" placeholder:"now|genesis|SLOT" group:"What to audit:" default:"now" help:"Where history begins on a new database: now, genesis (the program's first transaction) or a slot. Default ${default}." yaml:"from"`
	Commitment string `name:"commitment" env:"MINESAUDIT_COMMITMENT" placeholder:"confirmed|finalized" group:"What to audit:" default:"confirmed" help:"What live verdicts are made of. The record is made of finalized transactions either way. Default ${default}." yaml:"commitment"`

	// ReconcileInterval is how often the finalized list is compared, apart from
	// the comparison after each gap.
	ReconcileInterval time.Duration `name:"reconcile-interval" env:"MINESAUDIT_RECONCILE_INTERVAL" placeholder:"DURATION" group:"What to audit:" default:"5s" help:"How often the node's finalized list is compared with the record. Default ${default}." yaml:"reconcile_interval"`

	DatabaseURL Secret `name:"database-url" env:"MINESAUDIT_DATABASE_URL" placeholder:"URL" group:"Record:" help:"PostgreSQL to keep the record in, postgres:// or key=value, or $MINESAUDIT_DATABASE_URL_FILE. Empty: a private server under --data-dir." yaml:"database_url"`
	DataDir     string `name:"data-dir" env:"MINESAUDIT_DATA_DIR" placeholder:"DIR" group:"Record:" help:"Folder of the private server. Empty: /var/lib/minesaudit for root, else a folder of the user's." yaml:"data_dir"`

	// History from before the daemon began, and what else its record does not hold.
	BackfillWorkers  int    `name:"backfill-workers" env:"MINESAUDIT_BACKFILL_WORKERS" placeholder:"N" group:"What to audit:" default:"0" help:"Pages of a thousand older transactions that the daemon reads at a time, newest first, beside what it follows: all that the record does not hold from --backfill-from-slot on, whatever --from says. 0 leaves that to indexer backfill. It takes three quarters of a node's rate at most, and waits while the record is behind. A daemon that stands by reads none. Default ${default}." yaml:"backfill_workers"`
	BackfillFromSlot uint64 `name:"backfill-from-slot" env:"MINESAUDIT_BACKFILL_FROM_SLOT" placeholder:"SLOT" group:"What to audit:" default:"0" help:"First slot that --backfill-workers read; 0 is genesis, and so all of the program's history. Default ${default}." yaml:"backfill_from_slot"`

	// Kept for ever by default: what an auditor deletes, nobody can check again.
	KeepSuperseded time.Duration `name:"keep-superseded" env:"MINESAUDIT_KEEP_SUPERSEDED" placeholder:"DURATION" group:"Record:" default:"0s" help:"How long verdicts are kept that a later one of the same game superseded, such as 2160h; 0 is for ever. Standing verdicts are never deleted. Default ${default}." yaml:"keep_superseded"`
	KeepForeign    time.Duration `name:"keep-foreign" env:"MINESAUDIT_KEEP_FOREIGN" placeholder:"DURATION" group:"Record:" default:"0s" help:"How long transactions are kept that name the program and hold no event of it; 0 is for ever. The newest 3000 stay in any case. Default ${default}." yaml:"keep_foreign"`

	// Listen is loopback by default: there is no authentication. Whoever names
	// another address has decided that the network may read.
	Listen    string `name:"listen" env:"MINESAUDIT_LISTEN" placeholder:"HOST:PORT" group:"Output:" default:"127.0.0.1:9477" help:"Where /metrics, /status and the health checks are served, without authentication. Default ${default}." yaml:"listen"`
	PProf     bool   `name:"pprof" env:"MINESAUDIT_PPROF" group:"Output:" default:"false" help:"Serve profiles of the process under /debug/pprof/. Only where --listen is a loopback address." yaml:"pprof"`
	LogLevel  string `name:"log-level" env:"MINESAUDIT_LOG_LEVEL" placeholder:"debug|info|warn|error" group:"Output:" default:"info" help:"Least level that is logged. Default ${default}." yaml:"log_level"`
	LogFormat string `name:"log-format" env:"MINESAUDIT_LOG_FORMAT" placeholder:"auto|console|json" group:"Output:" default:"auto" help:"Form of the log on stderr; auto is console on a terminal, else json. Default ${default}." yaml:"log_format"`
}

// Default is the Config of a command line, environment and file that say nothing.
func Default() Config {
	return Config{
		Profile:           BuiltinMines,
		Commitment:        "confirmed",
		From:              "now",
		ReconcileInterval: 5 * time.Second,
		CheckShare:        0.01,
		Listen:            "127.0.0.1:9477",
		LogLevel:          "info",
		LogFormat:         "auto",
	}
}

// Redactor knows the secrets of c.
func (c *Config) Redactor() *Redactor {
	secrets := []string{c.RPCURL.Reveal(), c.WSURL.Reveal(), c.DatabaseURL.Reveal()}
	for i := range c.Nodes {
		secrets = append(secrets, c.Nodes[i].HTTP.Reveal(), c.Nodes[i].WS.Reveal())
	}
	return NewRedactor(secrets...)
}

// envOf is the variable of a flag.
func envOf(flag string) string {
	return EnvPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// field names a flag in a message, with the other way to set it.
func field(flag string) string { return "--" + flag + " ($" + envOf(flag) + ")" }
