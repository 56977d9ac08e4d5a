package config

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// settingsOf checks what a file says.
func settingsOf(t *testing.T, file string, change ...func(*Config)) (*Settings, error) {
	t.Helper()
	c := Default()
	c.Program = keyA
	values, nodes, bad := parseConfigFile([]byte(file))
	if len(bad) > 0 {
		return nil, bad.err()
	}
	if len(values) > 0 {
		t.Fatalf("values beside the nodes: %v", values)
	}
	c.Nodes = nodes
	for _, f := range change {
		f(&c)
	}
	return c.Check()
}

func TestNodesOfAFile(t *testing.T) {
	secret := write(t, " wss://ws.example/KEYINFILE \n")
	s, err := settingsOf(t, `nodes:
  - name: ours
    http: http://127.0.0.1:8899
    roles: [record]
  - name: theirs
    http: https://user:PASSWORD1@rpc.example/v2/PATHKEY22?api-key=QUERYKEY3
    ws_file: `+secret+`
    requests_per_second: 2.5
    limits: {getTransaction: 1}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Node{
		{Name: "ours", HTTP: "http://127.0.0.1:8899", Roles: []string{"record"}},
		{
			Name: "theirs", HTTP: "https://user:PASSWORD1@rpc.example/v2/PATHKEY22?api-key=QUERYKEY3", WS: "wss://ws.example/KEYINFILE",
			WSFile: secret, RequestsPerSecond: 2.5, Limits: map[string]float64{"getTransaction": 1},
		},
	}
	if got := s.AllNodes(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	all := s.Show(func(string) string { return "default" })
	yaml, err := ShownYAML(all)
	if err != nil {
		t.Fatal(err)
	}
	json, err := ShownJSON(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		string(yaml), string(json),
		s.Redactor().String("dial wss://ws.example/KEYINFILE: PASSWORD1, PATHKEY22, api-key=QUERYKEY3"),
	} {
		for _, secret := range []string{"KEYINFILE", "PASSWORD1", "PATHKEY22", "QUERYKEY3"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s is shown in\n%s", secret, text)
			}
		}
	}
	for _, want := range []string{"#   nodes[0]: ours http://127.0.0.1:8899, 0 a second, record (file)", "nodes[1]: theirs https://rpc.example wss://ws.example, 2.5 a second, live record check"} {
		if !strings.Contains(string(yaml), want) {
			t.Errorf("no %q in\n%s", want, yaml)
		}
	}
	if !strings.Contains(string(json), `"http":"https://rpc.example"`) {
		t.Errorf("%s", json)
	}
}

func TestOneNodeOfTheFlags(t *testing.T) {
	s, err := settingsOf(t, "", func(c *Config) { c.RPCURL, c.WSURL, c.RPCRate = "http://a", "ws://b", 3 })
	if err != nil {
		t.Fatal(err)
	}
	want := []Node{{Name: OnlyNode, HTTP: "http://a", WS: "ws://b", RequestsPerSecond: 3}}
	if got := s.AllNodes(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsWrongWithNodesIsNamed(t *testing.T) {
	good := "nodes:\n  - {name: a, http: 'http://a'}\n"
	for what, c := range map[string]struct {
		file   string
		change func(*Config)
		want   []string
	}{
		"nothing set":      {"nodes:\n  - {roles: [live]}\n", nil, []string{"nodes[0]: name:", "nodes[0]: http: not set", "none has the role record"}},
		"two alike":        {good + "  - {name: a, http: 'http://b'}\n", nil, []string{"nodes[1]: name: another"}},
		"addresses":        {"nodes:\n  - {name: a, http: 'ftp://SECRET', ws: 'http://SECRET'}\n", nil, []string{"nodes[0]: http: not an http://", "nodes[0]: ws: not a ws://"}},
		"numbers":          {"nodes:\n  - {name: a, http: 'http://a', requests_per_second: -1, limits: {getSlot: 0}}\n", nil, []string{"requests_per_second: -1", "limits.getSlot: 0"}},
		"roles":            {"nodes:\n  - {name: a, http: 'http://a', roles: [life]}\n", nil, []string{`"life" is not one of live, record, check`}},
		"two ways":         {"nodes:\n  - {name: a, http: 'http://a', http_file: /x}\n", nil, []string{"http and http_file are both set"}},
		"no such file":     {"nodes:\n  - {name: a, http_file: /SECRET/nowhere}\n", nil, []string{"nodes[0]: http_file: must name a readable file"}},
		"a flag beside":    {good, func(c *Config) { c.RPCURL = "http://SECRET" }, []string{"--rpc-url", "keep one"}},
		"unknown key":      {"nodes:\n  - {name: a, url: 'http://SECRET'}\n", nil, []string{`unknown key "nodes[0].url"`}},
		"one address":      {"nodes:\n  - {name: a, http: 'http://h/SECRET', roles: [live, record]}\n  - {name: b, http: 'http://c'}\n  - {name: d, http: 'HTTP://H:80/SECRET/', roles: [check]}\n", nil, []string{"nodes[2]: http: nodes a and d have one address"}},
		"one of a file":    {"nodes:\n  - {name: a, http: 'https://h?key=SECRET'}\n  - {name: b, http_file: " + write(t, "https://h:443/?key=SECRET\n") + "}\n", nil, []string{"nodes[1]: http: nodes a and b have one address"}},
		"a share too much": {good, func(c *Config) { c.CheckShare = 1.5 }, []string{"--check-share", "1.5"}},
		"too many":         {"nodes:\n" + strings.Repeat("  - {name: a, http: 'http://a'}\n", mostNodes+1), nil, []string{"17 are more than 16"}},
	} {
		t.Run(what, func(t *testing.T) {
			var change []func(*Config)
			if c.change != nil {
				change = append(change, c.change)
			}
			_, err := settingsOf(t, c.file, change...)
			if err == nil {
				t.Fatal("taken")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("no %q in %q", want, err)
				}
			}
			if strings.Contains(err.Error(), "SECRET") {
				t.Errorf("a secret is told: %v", err)
			}
		})
	}
}

// Several nodes of one provider differ by their paths, keys or ports.
func TestNodesOfOneHost(t *testing.T) {
	if _, err := settingsOf(t, `nodes:
  - {name: a, http: 'http://h'}
  - {name: b, http: 'https://h'}
  - {name: c, http: 'http://h:8899'}
  - {name: d, http: 'http://h/Key'}
  - {name: e, http: 'http://h/key'}
  - {name: f, http: 'http://h/?key=1'}
  - {name: g, http: 'http://u@h'}
`); err != nil {
		t.Error(err)
	}
}

// Commands that read history take the daemon's file, or one without a node to listen to.
func TestNodesWithARole(t *testing.T) {
	names := func(nodes []Node) (names []string) {
		for i := range nodes {
			names = append(names, nodes[i].Name)
		}
		return names
	}
	for what, c := range map[string]struct {
		config Config
		want   string // the names, or part of the error
		wrong  bool
	}{
		"the daemon's":   {Config{Nodes: []Node{{Name: "a", HTTP: "http://a", Roles: []string{"live"}}, {Name: "b", HTTP: "http://b"}, {Name: "c", HTTP: "http://c", Roles: []string{"record", "check"}}}}, "b c", false},
		"none listened":  {Config{Nodes: []Node{{Name: "a", HTTP: "http://a", Roles: []string{"record"}}}}, "a", false},
		"none to read":   {Config{Nodes: []Node{{Name: "a", HTTP: "http://a", Roles: []string{"live", "check"}}}}, "none has the role record", true},
		"the flag's":     {Config{RPCURL: "http://a", RPCRate: 2}, OnlyNode, false},
		"no node at all": {Config{}, "--rpc-url ($MINESAUDIT_RPC_URL): not set", true},
		"both":           {Config{RPCURL: "http://a", Nodes: []Node{{Name: "b", HTTP: "http://b"}}}, "--rpc-url ($MINESAUDIT_RPC_URL): set beside nodes", true},
	} {
		t.Run(what, func(t *testing.T) {
			got, err := c.config.CheckNodes("record")
			switch {
			case c.wrong && (!errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %q", err, c.want)
			case !c.wrong && (err != nil || strings.Join(names(got), " ") != c.want):
				t.Errorf("%v (%v), want %s", names(got), err, c.want)
			}
		})
	}
}
