package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap/zapcore"
)

const (
	keyA = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"
	keyB = "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse"
)

// valid is a Config with nothing wrong in it.
func valid() Config {
	c := Default()
	c.RPCURL, c.Program = "https://node.example/key", keyA
	return c
}

func TestCheckValid(t *testing.T) {
	c := valid()
	c.LogLevel, c.From = "warn", "77"
	s, err := c.Check()
	if err != nil {
		t.Fatal(err)
	}
	if key, _ := ParseKey(keyA); s.ProgramKey != key || key == [32]byte{} {
		t.Errorf("program key %x", s.ProgramKey)
	}
	if s.Level != zapcore.WarnLevel || s.From != (From{Kind: FromSlot, Slot: 77}) || s.Profile.Name != BuiltinMines {
		t.Errorf("settings %+v", s)
	}
}

func TestCheckListsEveryProblem(t *testing.T) {
	c := Config{
		RPCURL: "ftp://x", WSURL: "http://x", RPCRate: math.NaN(), Program: "0OIl", Profile: "builtin:dice",
		From: "-1", Commitment: "processed", ReconcileInterval: time.Nanosecond, DatabaseURL: "mysql://x",
		Listen: "9477", LogLevel: "loud", LogFormat: "xml",
	}
	_, err := c.Check()
	if !errors.Is(err, ErrUsage) {
		t.Fatalf("error %v does not match ErrUsage", err)
	}
	for _, flag := range []string{
		"rpc-url", "ws-url", "rpc-rate", "program", "profile", "from", "commitment",
		"reconcile-interval", "database-url", "listen", "log-level", "log-format",
	} {
		if n := strings.Count(err.Error(), "\n  - "+field(flag)+": "); n != 1 {
			t.Errorf("%s is named by %d lines of:\n%v", field(flag), n, err)
		}
	}
}

func TestCheckOneField(t *testing.T) {
	other := write(t, "program: "+keyB+"\n")
	bad := write(t, "scales: 1\nvoid_rate_ceiling: 2\n")
	cases := []struct {
		name string
		set  func(*Config)
		want string // part of the error; empty if it is right
	}{
		{"no node", func(c *Config) { c.RPCURL = "" }, "--rpc-url ($MINESAUDIT_RPC_URL): not set"},
		{"node without host", func(c *Config) { c.RPCURL = "http://" }, "--rpc-url"},
		{"node with port only", func(c *Config) { c.RPCURL = "http://:8899" }, "--rpc-url"},
		{"websocket", func(c *Config) { c.WSURL = "wss://node" }, ""},
		{"negative rate", func(c *Config) { c.RPCRate = -1 }, "--rpc-rate"},
		{"infinite rate", func(c *Config) { c.RPCRate = math.Inf(1) }, "--rpc-rate"},
		{"fractional rate", func(c *Config) { c.RPCRate = 0.5 }, ""},
		{"superseded verdicts kept for a negative time", func(c *Config) { c.KeepSuperseded = -1 }, "--keep-superseded"},
		{"foreign transactions kept for a negative time", func(c *Config) { c.KeepForeign = -1 }, "--keep-foreign"},
		{"history from genesis", func(c *Config) { c.BackfillWorkers = 1 }, ""},
		{"history from a slot", func(c *Config) { c.BackfillWorkers, c.BackfillFromSlot = 64, math.MaxInt64 }, ""},
		{"history by fewer than nobody", func(c *Config) { c.BackfillWorkers = -1 }, "--backfill-workers ($MINESAUDIT_BACKFILL_WORKERS): -1"},
		{"history by too many", func(c *Config) { c.BackfillWorkers = 65 }, "--backfill-workers"},
		{"history from a slot by nobody", func(c *Config) { c.BackfillFromSlot = 5 }, "--backfill-from-slot ($MINESAUDIT_BACKFILL_FROM_SLOT): nobody"},
		{"history from no slot", func(c *Config) { c.BackfillWorkers, c.BackfillFromSlot = 1, 1<<63 }, "is not a slot"},
		{"kept for a time", func(c *Config) { c.KeepSuperseded, c.KeepForeign = time.Hour, time.Hour }, ""},
		{"profiles on loopback", func(c *Config) { c.PProf = true }, ""},
		{"profiles on the other loopback", func(c *Config) { c.PProf, c.Listen = true, "[::1]:0" }, ""},
		{"profiles on localhost", func(c *Config) { c.PProf, c.Listen = true, "localhost:0" }, ""},
		{"profiles on every interface", func(c *Config) { c.PProf, c.Listen = true, "0.0.0.0:9477" }, "--pprof ($MINESAUDIT_PPROF)"},
		{"profiles on no host", func(c *Config) { c.PProf, c.Listen = true, ":9477" }, "--pprof"},
		{"profiles on a name", func(c *Config) { c.PProf, c.Listen = true, "audit.example:9477" }, "--pprof"},
		{"profiles on a network address", func(c *Config) { c.PProf, c.Listen = true, "192.0.2.1:9477" }, "--pprof"},
		{"no program", func(c *Config) { c.Program = "" }, "--program ($MINESAUDIT_PROGRAM): not set"},
		{"program in the profile", func(c *Config) { c.Program, c.Profile = "", other }, ""},
		{"program in both, the same", func(c *Config) { c.Program, c.Profile = keyB, other }, ""},
		{"program in both, another", func(c *Config) { c.Profile = other }, "is not the profile's program " + keyB},
		{"31 bytes", func(c *Config) { c.Program = strings.Repeat("2", 40) }, "is not base58 of 32 bytes"},
		{"33 bytes", func(c *Config) { c.Program = strings.Repeat("z", 44) }, "is not base58 of 32 bytes"},
		{"long program", func(c *Config) { c.Program = strings.Repeat("z", 1<<20) }, "has 1048576 letters"},
		{"system program", func(c *Config) { c.Program = strings.Repeat("1", 32) }, ""},
		{"profile key", func(c *Config) { c.Profile = bad }, `line 1: unknown key "scales"`},
		{"profile value", func(c *Config) { c.Profile = bad }, "line 2: void_rate_ceiling: 2 is not a share"},
		{"no profile file", func(c *Config) { c.Profile = "/nonexistent" }, "--profile ($MINESAUDIT_PROFILE): no readable profile"},
		{"genesis", func(c *Config) { c.From = "genesis" }, ""},
		{"largest slot", func(c *Config) { c.From = "9223372036854775807" }, ""},
		{"slot beyond bigint", func(c *Config) { c.From = "9223372036854775808" }, "--from"},
		{"empty from", func(c *Config) { c.From = "" }, "--from"},
		{"finalized", func(c *Config) { c.Commitment = "finalized" }, ""},
		{"rare reconciling", func(c *Config) { c.ReconcileInterval = 2 * time.Hour }, "--reconcile-interval"},
		{"zero interval", func(c *Config) { c.ReconcileInterval = 0 }, "--reconcile-interval"},
		{"all interfaces", func(c *Config) { c.Listen = ":9477" }, ""},
		{"IPv6", func(c *Config) { c.Listen = "[::1]:0" }, ""},
		{"bare IPv6", func(c *Config) { c.Listen = "::1" }, "--listen"},
		{"port 65536", func(c *Config) { c.Listen = "localhost:65536" }, "--listen"},
		{"named port", func(c *Config) { c.Listen = "localhost:http" }, "--listen"},
		{"database URL", func(c *Config) { c.DatabaseURL = "postgres://u:p@db/x?sslmode=disable" }, ""},
		{"database settings", func(c *Config) { c.DatabaseURL = "host=db user=u password='p q' dbname=x" }, ""},
		{"socket", func(c *Config) { c.DatabaseURL = "host=/run/postgresql dbname=x application_name=a://b" }, ""},
		{"database word", func(c *Config) { c.DatabaseURL = "minesaudit" }, "--database-url ($MINESAUDIT_DATABASE_URL): not a PostgreSQL address"},
		{"bad sslmode", func(c *Config) { c.DatabaseURL = "postgres://db/x?sslmode=perhaps" }, "sslmode is invalid"},
		{"bad port", func(c *Config) { c.DatabaseURL = "host=db port=99999999" }, "port"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := valid()
			tc.set(&c)
			s, err := c.Check()
			switch {
			case tc.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case tc.want == "" && s.ProgramKey == [32]byte{} && s.Program[0] != '1':
				t.Error("no program key")
			case tc.want != "" && (!errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), tc.want)):
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

func TestCheckErrorsHoldNoSecret(t *testing.T) {
	const marker = "SECRETMARKER"
	for _, text := range []string{
		marker, "://" + marker, "ftp://" + marker, "http://%zz" + marker, "http://user:" + marker + "%zz@host",
		"http://\x7f" + marker, "https://host:port/" + marker, "https://[" + marker,
		"postgres://user:" + marker + "@host:bad/x", "postgres://user:" + marker + "%zz@host/x",
		"postgres://user:" + marker + "/x@host/x", "postgres://user:" + marker + "@host/x?sslmode=perhaps",
		"host=x password=" + marker + " port=bad", "host=x password='" + marker, "password=" + marker + " sslmode",
		"postgres://host/x?password=" + marker + "&sslmode=perhaps",
		"postgres://host/x?sslpassword=" + marker + "&connect_timeout=" + marker,
	} {
		c := Config{RPCURL: Secret(text), WSURL: Secret(text), DatabaseURL: Secret(text)}
		_, err := c.Check()
		if err == nil || strings.Contains(err.Error(), marker) {
			t.Errorf("%q gives %v", text, err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			if out := fmt.Sprintf(verb, c); strings.Contains(out, marker) || strings.Contains(out, fmt.Sprintf("%x", marker)) {
				t.Errorf("%s prints %s", verb, out)
			}
		}
		if out, err := json.Marshal(c); err != nil || strings.Contains(string(out), marker) {
			t.Errorf("JSON is %s, %v", out, err)
		}
	}
}

func TestLocalURL(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:9477": "http://127.0.0.1:9477",
		"0.0.0.0:9477":   "http://127.0.0.1:9477",
		":9477":          "http://127.0.0.1:9477",
		"[::]:9477":      "http://[::1]:9477",
		"[::1]:1":        "http://[::1]:1",
		"host:80":        "http://host:80",
		"nonsense":       "",
	} {
		c := Config{Listen: listen}
		if got := c.LocalURL(); got != want {
			t.Errorf("%s is reached at %q, want %q", listen, got, want)
		}
	}
}

func TestFromRoundTrip(t *testing.T) {
	for _, text := range []string{"now", "genesis", "0", "123456789"} {
		from, err := ParseFrom(text)
		if err != nil || from.String() != text {
			t.Errorf("%s reads as %v, %v", text, from, err)
		}
	}
}
