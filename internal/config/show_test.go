package config

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// full is a Config with every setting given, none of them its default.
func full() Config {
	return Config{
		RPCURL: "https://user:MARKER1@node.example/v2/MARKER2?key=MARKER3", WSURL: "wss://node.example/MARKER4", RPCRate: 2.5, CheckShare: 0.5,
		Program: keyA, Profile: BuiltinMines, From: "12", Commitment: "finalized", ReconcileInterval: 90 * time.Second,
		DatabaseURL: "host=db user=me password=MARKER5 dbname=audit", DataDir: "/it's: a \"dir\" # not a comment",
		BackfillWorkers: 3, BackfillFromSlot: 250_000_000, KeepSuperseded: time.Hour, KeepForeign: 36 * time.Hour, Listen: "127.0.0.1:1", PProf: true, LogLevel: "warn", LogFormat: "json",
	}
}

func TestWhatIsShownCanBeReadBack(t *testing.T) {
	c := full()
	for f := range reflect.TypeFor[Config]().Fields() {
		if reflect.ValueOf(c).FieldByIndex(f.Index).IsZero() && f.Name != "File" && f.Name != "Nodes" {
			t.Fatalf("%s is not set: this test would not see that it is not shown", f.Name)
		}
	}
	s, err := c.Check()
	if err != nil {
		t.Fatal(err)
	}
	text, err := ShownYAML(s.Show(func(flag string) string { return "from " + flag }))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"rpc_url: https://node.example (from rpc-url)", "ws_url: wss://node.example (", "log_level: warn # from log-level\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "MARKER") {
		t.Errorf("a secret is shown:\n%s", text)
	}
	var back Config
	if _, bad := decodeStrict(text, &back); len(bad) > 0 {
		t.Fatalf("%v in\n%s", bad.err(), text)
	}
	c.RPCURL, c.WSURL, c.DatabaseURL = "", "", ""
	if !reflect.DeepEqual(back, c) {
		t.Errorf("read back: %+v\nwant %+v\nof\n%s", back, c, text)
	}
}

func TestWhatIsShownAsJSON(t *testing.T) {
	c := full()
	s, err := c.Check()
	if err != nil {
		t.Fatal(err)
	}
	text, err := ShownJSON(s.Show(func(string) string { return "flag" }))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]struct {
		Value  any    `json:"value"`
		From   string `json:"from"`
		Secret bool   `json:"secret"`
	}
	if err := json.Unmarshal(text, &got); err != nil || strings.Contains(string(text), "MARKER") {
		t.Fatalf("%v: %s", err, text)
	}
	if len(got) != len(keysOf(reflect.TypeFor[Config]()))-1 { // without nodes
		t.Errorf("%d settings", len(got))
	}
	if v := got["rpc_url"]; v.Value != "https://node.example" || !v.Secret || v.From != "flag" {
		t.Errorf("rpc_url %+v", v)
	}
	if v := got["database_url"]; v.Value != redacted || !v.Secret {
		t.Errorf("database_url %+v", v)
	}
	if got["pprof"].Value != true || got["rpc_rate"].Value != 2.5 || got["reconcile_interval"].Value != "1m30s" {
		t.Errorf("%s", text)
	}
}

// A setting that by mistake repeats a secret is shown without it.
func TestASecretInAnotherSettingIsNotShown(t *testing.T) {
	c := valid()
	c.RPCURL, c.DataDir = "https://node.example/v2/MARKERMARKER", "/data/MARKERMARKER"
	s, err := c.Check()
	if err != nil {
		t.Fatal(err)
	}
	text, err := ShownYAML(s.Show(func(string) string { return "flag" }))
	if err != nil || strings.Contains(string(text), "MARKER") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestOrigins(t *testing.T) {
	file := write(t, "log_level: debug\nlisten: 127.0.0.1:5\nfrom: genesis\n")
	secret := write(t, "http://node.example")
	for name, value := range map[string]string{
		"MINESAUDIT_RPC_URL_FILE": secret, "MINESAUDIT_LISTEN": "127.0.0.1:6", "MINESAUDIT_PROGRAM": keyA, "MINESAUDIT_COMMITMENT": "",
		"MINESAUDIT_FROM": "12", "MINESAUDIT_CONFIG": file,
	} {
		t.Setenv(name, value)
	}
	c, r := new(cli), NewResolver(os.LookupEnv)
	k, err := kong.New(c, kong.Resolvers(r))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := k.Parse([]string{"run", "--from", "now"})
	if err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{
		"from": "flag", "listen": "$MINESAUDIT_LISTEN", "program": "$MINESAUDIT_PROGRAM", "log-level": "file",
		"rpc-url": "$MINESAUDIT_RPC_URL_FILE", "commitment": "default", "profile": "default",
	} {
		if got := r.Origin(ctx, flag); got != want {
			t.Errorf("--%s comes from %q, want %q", flag, got, want)
		}
	}
}
