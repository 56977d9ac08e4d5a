package config

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// cli is a command line with a Config in it, as main has one, beside a command
// whose flags only share names with it.
type cli struct {
	Run struct {
		Config `embed:""`
	} `cmd:""`
	Simulate struct {
		Listen string `name:"listen" default:"127.0.0.1:8899"`
	} `cmd:""`
}

// parse runs kong in an environment that holds env only.
func parse(t *testing.T, env map[string]string, args ...string) (*cli, error) {
	t.Helper()
	for _, name := range append(EnvNames(), "MINESAUDIT_CONFIG") {
		if old, set := os.LookupEnv(name); set {
			os.Unsetenv(name)
			t.Cleanup(func() { os.Setenv(name, old) })
		}
	}
	for name, value := range env {
		t.Setenv(name, value)
		t.Cleanup(func() { os.Unsetenv(name) })
	}
	c := new(cli)
	k, err := kong.New(c, kong.Resolvers(NewResolver(os.LookupEnv)), kong.Exit(func(int) { t.Fatal("exit called") }))
	if err != nil {
		t.Fatal(err)
	}
	_, err = k.Parse(args)
	for name := range env {
		os.Unsetenv(name) // so that the next parse of the same test starts clean
	}
	return c, err
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaultIsWhatAnEmptyCommandLineGives(t *testing.T) {
	c, err := parse(t, nil, "run")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Run.Config, Default(); !reflect.DeepEqual(got, want) {
		t.Errorf("kong gives %+v, Default %+v", got, want)
	}
}

func TestTagsFollowOneRule(t *testing.T) {
	for f := range reflect.TypeFor[Config]().Fields() {
		flag, env, key := f.Tag.Get("name"), f.Tag.Get("env"), f.Tag.Get("yaml")
		if key == nodesKey {
			continue // stands in the file only
		}
		if env != envOf(flag) {
			t.Errorf("%s: --%s has variable %s, want %s", f.Name, flag, env, envOf(flag))
		}
		if want := strings.ReplaceAll(flag, "-", "_"); key != want && f.Name != "File" {
			t.Errorf("%s: --%s has key %q, want %q", f.Name, flag, key, want)
		}
		if f.Tag.Get("help") == "" {
			t.Errorf("%s has no help", f.Name)
		}
	}
}

func TestPrecedence(t *testing.T) {
	file := write(t, "listen: 127.0.0.1:3\nrpc_rate: 3\nreconcile_interval: 3s\nrpc_url: http://file\nfrom: 33\n")
	secret := write(t, "\n http://from-secret-file \n")
	cases := []struct {
		name string
		env  map[string]string
		args []string
		want func(*Config)
	}{
		{
			"file over default", nil,
			[]string{"--config", file},
			func(c *Config) {},
		},
		{
			"file named by environment",
			map[string]string{"MINESAUDIT_CONFIG": file},
			nil,
			func(c *Config) {},
		},
		{
			"environment over file",
			map[string]string{"MINESAUDIT_LISTEN": "127.0.0.1:2", "MINESAUDIT_RPC_RATE": "2", "MINESAUDIT_RECONCILE_INTERVAL": "2s", "MINESAUDIT_RPC_URL": "http://env"},
			[]string{"--config", file},
			func(c *Config) {
				c.Listen, c.RPCRate, c.ReconcileInterval, c.RPCURL = "127.0.0.1:2", 2, 2*time.Second, "http://env"
			},
		},
		{
			"flag over environment and file",
			map[string]string{"MINESAUDIT_LISTEN": "127.0.0.1:2", "MINESAUDIT_RPC_URL": "http://env"},
			[]string{"--config", file, "--listen", "127.0.0.1:1", "--rpc-url=http://flag"},
			func(c *Config) { c.Listen, c.RPCURL = "127.0.0.1:1", "http://flag" },
		},
		{
			"secret file over configuration file",
			map[string]string{"MINESAUDIT_RPC_URL_FILE": secret},
			[]string{"--config", file},
			func(c *Config) { c.RPCURL = "http://from-secret-file" },
		},
		{
			"flag over secret file",
			map[string]string{"MINESAUDIT_RPC_URL_FILE": "/nonexistent"},
			[]string{"--config", file, "--rpc-url", "http://flag"},
			func(c *Config) { c.RPCURL = "http://flag" },
		},
		{
			"empty variable counts as not set",
			map[string]string{"MINESAUDIT_LISTEN": "", "MINESAUDIT_RPC_RATE": "", "MINESAUDIT_LOG_LEVEL": "", "MINESAUDIT_RECONCILE_INTERVAL": "", "MINESAUDIT_RPC_URL": "", "MINESAUDIT_RPC_URL_FILE": ""},
			[]string{"--config", file},
			func(c *Config) {},
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			got, err := parse(t, tc.env, append([]string{"run"}, tc.args...)...)
			if err != nil {
				t.Fatal(err)
			}
			want := Default()
			want.File = file
			want.Listen, want.RPCRate, want.ReconcileInterval, want.RPCURL, want.From = "127.0.0.1:3", 3, 3*time.Second, "http://file", "33"
			tc.want(&want)
			if !reflect.DeepEqual(got.Run.Config, want) {
				t.Errorf("got %+v\nwant %+v", got.Run.Config, want)
			}
			if got.Run.RPCURL.Reveal() != want.RPCURL.Reveal() {
				t.Errorf("node %q, want %q", got.Run.RPCURL.Reveal(), want.RPCURL.Reveal())
			}
		})
	}
}

func TestEmptyVariableOfANumberIsItsDefault(t *testing.T) {
	c, err := parse(t, map[string]string{"MINESAUDIT_RPC_RATE": "", "MINESAUDIT_LISTEN": ""}, "run")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c.Run.Config, Default()) {
		t.Errorf("got %+v", c.Run.Config)
	}
}

func TestOtherCommandsAreLeftAlone(t *testing.T) {
	env := map[string]string{"MINESAUDIT_LISTEN": "127.0.0.1:2", "MINESAUDIT_RPC_URL_FILE": "/nonexistent", "MINESAUDIT_CONFIG": "/nonexistent"}
	c, err := parse(t, env, "simulate")
	if err != nil {
		t.Fatal(err)
	}
	if c.Simulate.Listen != "127.0.0.1:8899" {
		t.Errorf("simulate listens on %q", c.Simulate.Listen)
	}
}

func TestResolverErrors(t *testing.T) {
	const marker = "SECRETMARKER"
	empty := write(t, " \n")
	broken := write(t, "listne: x\nrpc_url: [https://"+marker+"]\nlisten: a\nlisten: b\nreconcile_interval: 5\n")
	large := write(t, "# "+strings.Repeat("x", maxFile))
	cases := []struct {
		name string
		env  map[string]string
		args []string
		want []string
	}{
		{
			"everything in the file at once", nil,
			[]string{"--config", broken},
			[]string{
				broken, `line 1: unknown key "listne": did you mean "listen"?`,
				"line 2: rpc_url: want a single text value", `line 4: key "listen" stands twice`,
				`line 5: reconcile_interval: want a duration such as "5s"`,
			},
		},
		{
			"no whole numbers", nil,
			[]string{"--config", write(t, "backfill_workers: 2.5\nbackfill_from_slot: -1\n")},
			[]string{"line 1: backfill_workers: want a whole number\n", "line 2: backfill_from_slot: want a whole number, not negative"},
		},
		{"no such file", nil, []string{"--config", "/nonexistent/x.yaml"}, []string{"--config ($MINESAUDIT_CONFIG)", "/nonexistent/x.yaml", "no such file"}},
		{"a folder", nil, []string{"--config", t.TempDir()}, []string{"--config", "is a directory"}},
		{"too large", nil, []string{"--config", large}, []string{"larger than 65536 bytes"}},
		{"syntax", nil, []string{"--config", write(t, "a: b: c")}, []string{"mapping values are not allowed"}},
		{
			"secret and its file",
			map[string]string{"MINESAUDIT_DATABASE_URL": marker, "MINESAUDIT_DATABASE_URL_FILE": empty},
			nil,
			[]string{"$MINESAUDIT_DATABASE_URL and $MINESAUDIT_DATABASE_URL_FILE are both set"},
		},
		{
			// A common slip: the address itself in the variable that names a file.
			"secret in place of its file",
			map[string]string{"MINESAUDIT_RPC_URL_FILE": "https://x/" + marker},
			nil,
			[]string{"$MINESAUDIT_RPC_URL_FILE", "no such file"},
		},
		{
			"large secret",
			map[string]string{"MINESAUDIT_RPC_URL_FILE": large},
			nil,
			[]string{"$MINESAUDIT_RPC_URL_FILE must name a readable file", "larger than 65536 bytes"},
		},
		{
			"empty files, both named",
			map[string]string{"MINESAUDIT_RPC_URL_FILE": empty, "MINESAUDIT_WS_URL_FILE": empty},
			nil,
			[]string{"$MINESAUDIT_RPC_URL_FILE names an empty file", "$MINESAUDIT_WS_URL_FILE names an empty file"},
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			_, err := parse(t, tc.env, append([]string{"run"}, tc.args...)...)
			if !errors.Is(err, ErrUsage) {
				t.Fatalf("error %v does not match ErrUsage", err)
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no %q in:\n%v", want, err)
				}
			}
			if strings.Contains(err.Error(), marker) {
				t.Errorf("secret in:\n%v", err)
			}
		})
	}
}

func TestHelpShowsNoSecret(t *testing.T) {
	const marker = "SECRETMARKER"
	for _, name := range secretEnv() {
		t.Setenv(name, "https://user:"+marker+"@host/"+marker)
	}
	var out bytes.Buffer
	type exited struct{}
	k := kong.Must(new(cli), kong.Resolvers(NewResolver(os.LookupEnv)), kong.Writers(&out, &out), kong.Exit(func(int) { panic(exited{}) }))
	func() {
		defer func() {
			if p := recover(); p != any(exited{}) {
				t.Fatalf("help ended with %v", p)
			}
		}()
		k.Parse([]string{"run", "--help"}) //nolint:errcheck // it exits
	}()
	for _, want := range []string{"--rpc-url", "MINESAUDIT_RPC_URL_FILE", "127.0.0.1:9477"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in help:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), marker) {
		t.Errorf("secret in help:\n%s", out.String())
	}
}

func FuzzConfigFile(f *testing.F) {
	f.Add([]byte("listen: 127.0.0.1:1\nrpc_rate: 4\n"))
	f.Add([]byte("a: &x [*x]\n"))
	f.Add([]byte("reconcile_interval: 1h\n---\nx: y\n"))
	f.Add([]byte("listen: ~\nfrom: 0x10\n"))
	f.Add([]byte("? [a]\n: b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		values, _, bad := parseConfigFile(data)
		if err := bad.err(); (err != nil) != (len(bad) > 0) || (err != nil && !errors.Is(err, ErrUsage)) {
			t.Fatalf("problems %v make error %v", bad, err)
		}
		known := keysOf(reflect.TypeFor[Config]())
		for key, value := range values {
			if _, ok := known[key]; !ok {
				t.Errorf("unknown key %q got through", key)
			}
			if _, ok := value.(string); !ok {
				t.Errorf("%s is a %T", key, value)
			}
		}
	})
}
