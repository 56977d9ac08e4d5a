package config

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"go.uber.org/zap/zapcore"
)

// Bounds of --reconcile-interval: below, the daemon does little but ask; above,
// a transaction that the live stream lost stays unknown for too long.
const (
	minReconcileInterval = 10 * time.Millisecond
	maxReconcileInterval = time.Hour
)

// maxBackfillWorkers bounds the pages, and with them the sessions, that history takes.
const maxBackfillWorkers = 64

// Settings is a Config that was found right, with what its texts mean. Program
// is filled in from the profile where only that names it.
type Settings struct {
	Config
	ProgramKey [32]byte
	Profile    Profile
	From       From
	Level      zapcore.Level
}

// Check reads the profile and parses every field. Its error lists all problems,
// each with the field and the remedy, and matches ErrUsage; it holds no secret.
func (c *Config) Check() (*Settings, error) {
	s := &Settings{Config: *c}
	var bad problems
	if len(s.Nodes) > 0 {
		s.checkNodes(&bad, "live", "record")
	} else {
		s.checkNode(&bad)
	}
	if !(s.CheckShare >= 0 && s.CheckShare <= 1) { // NaN is neither
		bad.addf("%s: %v is not a share from 0 to 1", field("check-share"), s.CheckShare)
	}
	s.checkRecord(&bad)
	s.checkOutput(&bad)
	s.checkAudit(&bad)
	if err := bad.err(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Settings) checkNode(bad *problems) {
	if s.RPCURL == "" {
		bad.addf("%s: not set: give the node's address, such as https://api.mainnet-beta.solana.com", field("rpc-url"))
	} else if !isURL(s.RPCURL.Reveal(), "http", "https") {
		bad.addf("%s: not an http:// or https:// address with a host", field("rpc-url"))
	}
	if s.WSURL != "" && !isURL(s.WSURL.Reveal(), "ws", "wss") {
		bad.addf("%s: not a ws:// or wss:// address with a host; leave it out to derive it from --rpc-url", field("ws-url"))
	}
	if !(s.RPCRate >= 0) || math.IsInf(s.RPCRate, 0) { // NaN is not >= 0
		bad.addf("%s: %v is not a number of requests a second; 0 is no limit", field("rpc-rate"), s.RPCRate)
	}
}

func (s *Settings) checkRecord(bad *problems) {
	checkKeep(bad, "keep-superseded", s.KeepSuperseded)
	checkKeep(bad, "keep-foreign", s.KeepForeign)
	dsn := s.DatabaseURL.Reveal()
	if dsn == "" {
		return
	}
	const forms = "write postgres://USER:PASSWORD@HOST:PORT/DATABASE or host=… user=… dbname=…, or leave it out for a private server"
	if !isDSN(dsn) {
		bad.addf("%s: not a PostgreSQL address: %s", field("database-url"), forms)
	} else if _, err := pgconn.ParseConfig(dsn); err != nil {
		// The driver's own message repeats the address; only the innermost
		// cause is taken, and that through a redactor.
		bad.addf("%s: %s: %s", field("database-url"), NewRedactor(dsn).String(innermost(err).Error()), forms)
	}
}

func checkKeep(bad *problems, flag string, keep time.Duration) {
	if keep < 0 {
		bad.addf("%s: %v is no time to keep something for; 0 is for ever", field(flag), keep)
	}
}

func (s *Settings) checkOutput(bad *problems) {
	if err := checkListen(s.Listen); err != nil {
		bad.addf("%s: %w", field("listen"), err)
	}
	if s.PProf && !isLoopback(s.Listen) {
		bad.addf("%s: profiles show the process from inside and are served on loopback only: listen on 127.0.0.1 or leave it out", field("pprof"))
	}
	oneOf(bad, "log-level", s.LogLevel, "debug", "info", "warn", "error")
	s.Level, _ = zapcore.ParseLevel(s.LogLevel)
	oneOf(bad, "log-format", s.LogFormat, "auto", "console", "json")
}

func (s *Settings) checkAudit(bad *problems) {
	var err error
	oneOf(bad, "commitment", s.Commitment, "confirmed", "finalized")
	if s.From, err = ParseFrom(s.Config.From); err != nil {
		bad.addf("%s: %w", field("from"), err)
	}
	s.checkBackfill(bad)
	if s.ReconcileInterval < minReconcileInterval || s.ReconcileInterval > maxReconcileInterval {
		bad.addf("%s: %v is not between %v and %v", field("reconcile-interval"),
			s.ReconcileInterval, minReconcileInterval, maxReconcileInterval)
	}
	if s.Profile, err = LoadProfile(s.Config.Profile); err != nil {
		var inProfile problems
		inProfile.add(err)
		for _, err := range inProfile {
			bad.addf("%s: %w", field("profile"), err)
		}
	}
	s.checkProgram(bad)
}

func (s *Settings) checkBackfill(bad *problems) {
	if s.BackfillWorkers < 0 || s.BackfillWorkers > maxBackfillWorkers {
		bad.addf("%s: %d is not between 0 and %d", field("backfill-workers"), s.BackfillWorkers, maxBackfillWorkers)
	}
	switch {
	case s.BackfillFromSlot > math.MaxInt64:
		bad.addf("%s: %d is not a slot", field("backfill-from-slot"), s.BackfillFromSlot)
	case s.BackfillFromSlot > 0 && s.BackfillWorkers == 0:
		bad.addf("%s: nobody reads from there: give --backfill-workers too, or leave it out", field("backfill-from-slot"))
	}
}

// checkProgram takes the program from the flag or the profile; both must agree.
func (s *Settings) checkProgram(bad *problems) {
	var err error
	switch {
	case s.Program == "" && s.Profile.Program == "":
		bad.addf("%s: not set: give the audited program's address", field("program"))
		return
	case s.Program == "":
		s.Program = s.Profile.Program
	case s.Profile.Program != "" && s.Profile.Program != s.Program:
		bad.addf("%s: %q is not the profile's program %s: drop one of the two or name the right profile",
			field("program"), clip(s.Program), s.Profile.Program)
		return
	}
	if s.ProgramKey, err = ParseKey(s.Program); err != nil {
		bad.addf("%s: %w", field("program"), err)
	}
}

func oneOf(bad *problems, flag, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		bad.addf("%s: %q is not one of %s", field(flag), clip(value), strings.Join(allowed, ", "))
	}
}

func isURL(s string, schemes ...string) bool {
	u, err := url.Parse(s)
	return err == nil && slices.Contains(schemes, u.Scheme) && u.Hostname() != ""
}

func isDSN(s string) bool {
	if scheme, _, isURL := strings.Cut(s, "://"); isURL && !strings.Contains(scheme, "=") {
		return scheme == "postgres" || scheme == "postgresql"
	}
	return strings.Contains(s, "=")
}

// innermost is the end of err's chain.
func innermost(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok || inner.Unwrap() == nil {
			return err
		}
		err = inner.Unwrap()
	}
}
