package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/jackc/pgx/v5/pgproto3"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/simchain"
)

// Every secret that a test gives holds marker, in each place that can.
const marker = "MARKER"

// marked puts keys into user info, path and query of a node's address.
func marked(base string) string {
	scheme, host, _ := strings.Cut(base, "://")
	return scheme + "://MARKERuser:MARKER%2Fpass@" + strings.TrimSuffix(host, "/") + "/v2/MARKERpath?api-key=MARKERquery&MARKERbare"
}

// leaks tells where a secret stands in a text; empty if nowhere.
func leaks(text string) string {
	for _, secret := range []string{marker, base64.StdEncoding.EncodeToString([]byte("MARKERuser:MARKER/pass"))} {
		if i := strings.Index(text, secret); i >= 0 {
			return "…" + text[max(0, i-200):min(len(text), i+100)] + "…"
		}
	}
	return ""
}

// secrets are what a scene is run with.
type secrets struct{ rpc, ws, db string }

// deliver hands secrets over in one of the four ways.
func (s secrets) deliver(t *testing.T, way string) (env map[string]string, args []string) {
	t.Helper()
	env = map[string]string{}
	var yaml bytes.Buffer
	for flag, value := range map[string]string{"rpc-url": s.rpc, "ws-url": s.ws, "database-url": s.db} {
		if value == "" {
			continue
		}
		variable := "MINESAUDIT_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
		switch way {
		case "flag":
			args = append(args, "--"+flag, value)
		case "env":
			env[variable] = value
		case "file":
			env[variable+"_FILE"] = temporary(t, value)
		case "yaml":
			fmt.Fprintf(&yaml, "%s: %q\n", strings.ReplaceAll(flag, "-", "_"), value)
		}
	}
	if way == "yaml" {
		args = append(args, "--config", temporary(t, yaml.String()))
	}
	return env, args
}

func temporary(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	write(t, path, text)
	return path
}

// echo answers with everything that it was sent, as some nodes do.
func echo(t *testing.T, status int, format string) string {
	s := httptest.NewServer(echoing(status, format))
	t.Cleanup(s.Close)
	return s.URL
}

func echoing(status int, format string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		text := strings.Join([]string{r.RequestURI, r.Header.Get("Authorization"), user, password, "https://" + user + "@" + r.Host + r.RequestURI}, " ")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, format, text)
	}
}

// goodNode is a node that works; nothing happens on its chain.
func goodNode(t *testing.T) string {
	s := httptest.NewServer(newChain(t).Handler())
	t.Cleanup(s.Close)
	return s.URL
}

func newChain(t *testing.T) *simchain.Chain {
	t.Helper()
	chain, err := simchain.New(simchain.Config{Seed: 3, Games: 5, Rate: 50, SlotTime: 20e6, FinalitySlots: 8, WaitForSubscriber: true})
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

func refused(t *testing.T, scheme string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return scheme + "://" + l.Addr().String()
}

// silent is a node that takes a request and says nothing.
func silent(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// closingSocket accepts a websocket and closes it with the key as the reason.
func closingSocket(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err == nil {
			_ = conn.Close(websocket.StatusPolicyViolation, "bad key "+r.URL.Query().Get("api-key")+" in "+r.URL.Path)
		}
	}))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

// echoingPostgres refuses every connection with an SQLSTATE and tells the
// password, the user and the database that it was given.
func echoingPostgres(t *testing.T, code string) (host, port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go refuseSession(conn, code)
		}
	}()
	host, port, _ = net.SplitHostPort(l.Addr().String())
	return host, port
}

func refuseSession(conn net.Conn, code string) {
	defer func() { _ = conn.Close() }()
	backend := pgproto3.NewBackend(conn, conn)
	if _, err := backend.ReceiveStartupMessage(); err != nil {
		return
	}
	backend.Send(&pgproto3.AuthenticationCleartextPassword{})
	if backend.Flush() != nil || backend.SetAuthType(pgproto3.AuthTypeCleartextPassword) != nil {
		return
	}
	message, err := backend.Receive()
	if err != nil {
		return
	}
	password, _ := message.(*pgproto3.PasswordMessage)
	if password != nil {
		backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: code, Message: "no entry with " + password.Password, Detail: "it was '" + password.Password + "'"})
		_ = backend.Flush()
	}
}

// asURL and asSettings give a database's address with a password in it.
func asURL(host, port string) string {
	return "postgres://audit:MARKERdb%2F1@" + net.JoinHostPort(host, port) + "/audit?sslmode=disable"
}

func asSettings(host, port string) string {
	return `host=` + host + ` port=` + port + ` user=audit dbname=audit sslmode=disable password='MARKER it\'s'`
}

// goodDatabase is an empty one that takes any password.
func goodDatabase(t *testing.T) string {
	return strings.Replace(pgtest.URL(t), "@/", ":MARKERdb@/", 1)
}

// scene is one class of errors.
type scene struct {
	secrets
	met   string // text of the output that shows that the error came up
	exits int    // the exit code where it ends by itself; -1: it goes on trying
}

func scenes(t *testing.T) map[string]scene {
	t.Helper()
	rpcError := `{"jsonrpc":"2.0","id":1,"error":{"code":-32052,"message":%q}}`
	secure := httptest.NewUnstartedServer(echoing(200, "%s"))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	nodes := map[string]string{
		"refused": refused(t, "http"), "bad certificate": secure.URL, "not TLS": strings.Replace(echo(t, 200, "%s"), "http:", "https:", 1),
		"429": echo(t, 429, "%s"), "500": echo(t, 500, "%s"), "HTML": echo(t, 200, "<html>%s</html>"), "JSON-RPC error": echo(t, 200, rpcError),
		"odd result": echo(t, 200, `{"jsonrpc":"2.0","id":1,"result":%q}`), "cut JSON": echo(t, 200, `{"result":"%s`),
	}
	if !testing.Short() {
		nodes["timeout"] = silent(t) // 30 s
	}
	all := map[string]scene{}
	for name, url := range nodes {
		all["node: "+name] = scene{secrets{rpc: marked(url), db: goodDatabase(t)}, "cannot reach the node; trying again", -1}
	}
	all["node: 401"] = scene{secrets{rpc: marked(echo(t, 401, "%s")), db: goodDatabase(t)}, "auth (401): ", exitUsage}
	all["node: 403"] = scene{secrets{rpc: marked(echo(t, 403, rpcError)), db: goodDatabase(t)}, "getGenesisHash: auth (", exitUsage}
	sockets := map[string]string{
		"refused": refused(t, "ws"), "401": "ws" + strings.TrimPrefix(echo(t, 401, "%s"), "http"), "closed": closingSocket(t),
	}
	for name, url := range sockets {
		all["websocket: "+name] = scene{secrets{rpc: marked(goodNode(t)), ws: marked(url), db: goodDatabase(t)}, "no subscription yet", -1}
	}
	for name, form := range map[string]func(host, port string) string{"URL": asURL, "settings": asSettings} {
		database := func(code string) secrets {
			host, port := echoingPostgres(t, code)
			return secrets{rpc: marked(goodNode(t)), db: form(host, port)}
		}
		all["database: wrong password, "+name] = scene{database("28P01"), "28P01", exitUsage}
		all["database: unknown, "+name] = scene{database("3D000"), "3D000", exitUsage}
		all["database: starting, "+name] = scene{database("57P03"), "cannot open the database; trying again", -1}
		host, port, _ := net.SplitHostPort(strings.TrimPrefix(refused(t, "tcp"), "tcp://"))
		all["database: refused, "+name] = scene{secrets{rpc: marked(goodNode(t)), db: form(host, port)}, "cannot open the database; trying again", -1}
	}
	return all
}

var listening = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// served is all that the API answers.
func served(t *testing.T, c *child) map[string]string {
	t.Helper()
	c.await(t, "listening")
	base := listening.FindString(c.text())
	answers := map[string]string{}
	for _, path := range []string{"/", "/status", "/readyz", "/livez", "/metrics", "/debug/pprof/", "/debug/pprof/goroutine?debug=2", "/debug/pprof/cmdline"} {
		resp, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		answers[path] = fmt.Sprint(resp.Header, string(body))
	}
	return answers
}

func runArgs(t *testing.T, more ...string) []string {
	return append([]string{"run", "--listen", "127.0.0.1:0", "--log-level", "debug", "--pprof", "--program", newChain(t).Program(), "--from", "genesis"}, more...)
}

// Whichever way a secret is given and whatever goes wrong: nothing shows it.
func TestNoErrorShowsASecret(t *testing.T) {
	ways := []string{"flag", "env", "file", "yaml"}
	children := map[string]*child{}
	all := scenes(t)
	// All at once: most of them wait for something, and maps are walked in another
	// order each time, so that each scene meets each way.
	for name, scene := range all {
		way := ways[len(children)%len(ways)]
		t.Logf("%s: by %s", name, way)
		env, args := scene.deliver(t, way)
		children[name] = spawn(t, "indexer", env, runArgs(t, args...)...)
	}
	for name, scene := range all {
		t.Run(name, func(t *testing.T) {
			c := children[name]
			if !c.await(t, scene.met) {
				t.Fatalf("it ended before %q:\n%s", scene.met, c.text())
			}
			if scene.exits < 0 {
				for path, answer := range served(t, c) {
					if leak := leaks(answer); leak != "" {
						t.Errorf("%s shows a secret: %s", path, leak)
					}
				}
				if code := c.stop(t); code != exitGood {
					t.Errorf("exit code %d after SIGTERM", code)
				}
			} else if code := c.wait(t); code != scene.exits {
				t.Errorf("exit code %d, want %d", code, scene.exits)
			}
			if leak := leaks(c.text()); leak != "" {
				t.Errorf("the output shows a secret: %s", leak)
			}
		})
	}
}

// The negative control: a redactor that knows nothing lets a hostile database's
// words through everywhere.
func TestWithoutTheRedactorSecretsWouldShow(t *testing.T) {
	t.Parallel()
	host, port := echoingPostgres(t, "57P03")
	env, args := secrets{rpc: marked(goodNode(t)), db: asURL(host, port)}.deliver(t, "file")
	c := spawn(t, "ignorant", env, runArgs(t, args...)...)
	c.await(t, "cannot open the database; trying again")
	answers := served(t, c)
	for what, text := range map[string]string{"the log": c.text(), "/status": answers["/status"], "/readyz": answers["/readyz"]} {
		if leaks(text) == "" {
			t.Errorf("%s has no secret in it: the other test could not find one there either\n%s", what, text)
		}
	}
}

// What cannot be understood is not repeated, nor is what help and config print.
func TestTheCommandLineShowsNoSecret(t *testing.T) {
	withoutEnv(t)
	good := secrets{rpc: marked("https://node.example"), ws: marked("wss://node.example"), db: asURL("db.example", "5432")}
	for _, way := range []string{"flag", "env", "file", "yaml"} {
		for name, s := range map[string]secrets{
			"right":  good,
			"wrong":  {rpc: marked("ftp://node.example"), ws: marked("http://node.example"), db: "mysql" + strings.TrimPrefix(good.db, "postgres")},
			"broken": {rpc: "https://node.example:MARKERport/%zz", ws: "wss://[MARKER", db: "postgres://u:MARKER%zz@db:port/x"},
			"bare":   {rpc: "MARKERkey", ws: "MARKERkey", db: "host=db password='MARKER"},
		} {
			env, args := s.deliver(t, way)
			for variable, value := range env {
				t.Setenv(variable, value)
			}
			for _, command := range [][]string{
				{"run", "--help"}, {"config"}, {"config", "--json"}, {"config", "--log-level", "loud"}, {"run", "--log-level", "loud"}, {"run", "--no-such-flag"}, {"run", "MARKERargument://x"},
			} {
				code, stdout, stderr := indexer(slices.Concat(command, args, []string{"--program", someProgram})...)
				right := name == "right" && command[0] == "config" && len(command) < 3 || slices.Contains(command, "--help")
				if right != (code == exitGood) {
					t.Errorf("%s by %s, %v: exit code %d\n%s%s", name, way, command, code, stdout, stderr)
				}
				if leak := leaks(stdout + stderr); leak != "" {
					t.Errorf("%s by %s, %v: %s", name, way, command, leak)
				}
			}
			for variable := range env {
				t.Setenv(variable, "")
			}
		}
	}
}

// A stack shows arguments as machine words, a panic of the runtime no value.
func TestAPanicShowsNoSecret(t *testing.T) {
	t.Parallel()
	chain := newChain(t)
	server := httptest.NewServer(chain.Handler())
	t.Cleanup(server.Close)
	t.Cleanup(func() { chain.DropSockets() })
	ended := make(chan error, 1)
	go func() { ended <- chain.Run(t.Context()) }()
	t.Cleanup(func() { <-ended })
	env, args := secrets{rpc: marked(server.URL), ws: marked("ws" + strings.TrimPrefix(server.URL, "http")), db: goodDatabase(t)}.deliver(t, "env")
	c := spawn(t, "panicking", env, append(append([]string{"run", "--listen", "127.0.0.1:0", "--from", "genesis"}, args...), "--program", chain.Program())...)
	if code := c.wait(t); code != exitCrash {
		t.Errorf("exit code %d, want %d", code, exitCrash)
	}
	if text := c.text(); !strings.Contains(text, "assignment to entry in nil map") || !strings.Contains(text, "indexer.countKeys(") {
		t.Errorf("it did not panic where it should:\n%s", text)
	}
	if leak := leaks(c.text()); leak != "" {
		t.Errorf("the panic shows a secret: %s", leak)
	}

	var out bytes.Buffer
	if code := crashed(&out, errors.New(marker)); code != exitCrash || leaks(out.String()) != "" || !strings.Contains(out.String(), "*errors.errorString") {
		t.Errorf("main's own panic: %d %s", code, out.String())
	}
}
