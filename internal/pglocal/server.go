package pglocal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/zap"
)

// Options says what server to run.
type Options struct {
	// Dir is the folder of everything that is kept; made if absent.
	Dir string
	// Settings are PostgreSQL settings by name. Those that this package relies
	// on cannot be given.
	Settings map[string]string
	// NoFsync gives up the safety of the data against a crash of the machine
	// for speed; what is committed still survives a crash of the server. For
	// tests and demos.
	NoFsync bool
	// Log gets what an operator wants to know of a start; nil for nothing.
	Log *zap.Logger

	search *search  // nil: systemSearch
	users  []string // candidates to run the server as, under root; nil: postgres, nobody
}

// Server is a running PostgreSQL server. Its methods may be called from
// several goroutines.
type Server struct {
	programs programs
	data     string // the cluster's folder
	sockets  string // the socket's folder
	lock     *lock
	log      *serverLog
	process  *process
	ending   func() error // how the process ended, once it has

	stopOnce sync.Once
	stopErr  error
}

// Start runs a server in o.Dir, makes its cluster first if there is none, and
// returns when it accepts connections. Stop must be called in the end, even
// if the server has ended by itself.
//
// It takes as long as it takes, which after a crash may be minutes: bound it
// by ctx, whose end after the return of Start has no effect. When Start
// returns an error, nothing of it runs any more. Errors that a caller may act
// on are ErrNoPrograms, ErrInUse and ErrOtherMajor.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	if o.search == nil {
		o.search = systemSearch()
	}
	if o.users == nil {
		o.users = []string{"postgres", "nobody"}
	}
	dir, err := makeDir(o.Dir)
	if err != nil {
		return nil, err
	}
	l, err := acquire(dir)
	if err != nil {
		return nil, err
	}
	s, err := start(ctx, o, dir)
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	s.lock = l
	return s, nil
}

// start does the work of Start in dir, which the caller has locked.
func start(ctx context.Context, o Options, dir string) (*Server, error) {
	data := filepath.Join(dir, "data")
	version, err := clusterVersion(data)
	if err != nil {
		return nil, err
	}
	progs, err := choose(o.search.find(ctx), version, data)
	if err != nil {
		// A cancelled search finds nothing.
		if ctx.Err() != nil {
			return nil, fmt.Errorf("looking for PostgreSQL programs: %w", context.Cause(ctx))
		}
		return nil, err
	}
	cluster := data
	if version == "" {
		cluster = ""
	}
	acct, err := serverAccount(cluster, o.users)
	if err != nil {
		return nil, err
	}
	if err := acct.checkReach(dir); err != nil {
		return nil, err
	}
	if err := removeLeftovers(ctx, dir); err != nil {
		return nil, err
	}
	if version == "" {
		o.Log.Info("creating a PostgreSQL cluster", zap.String("dir", data), zap.String("version", progs.version), zap.String("user", acct.name))
		if err := createCluster(ctx, dir, progs, acct, o.NoFsync); err != nil {
			return nil, err
		}
	}
	s := &Server{programs: progs, data: data, sockets: socketDir(dir)}
	if err := s.succeed(ctx, func() error { return s.launch(ctx, o, dir, acct) }); err != nil {
		return nil, err
	}
	o.Log.Info("PostgreSQL runs", zap.String("version", progs.version), zap.String("dir", data), zap.Int("pid", s.process.cmd.Process.Pid))
	return s, nil
}

// launch runs postgres and waits until it accepts connections.
func (s *Server) launch(ctx context.Context, o Options, dir string, acct account) error {
	args, err := s.arguments(o)
	if err != nil {
		return err
	}
	// Here and not once for all attempts: each takes its folder along.
	if err := makeSocketDir(s.sockets, acct); err != nil {
		return err
	}
	s.log, err = openServerLog(dir)
	if err != nil {
		return err
	}
	cmd := exec.Command(s.programs.path("postgres"), args...)
	cmd.Dir = s.data
	cmd.Env = serverEnv()
	cmd.Stdout, cmd.Stderr = s.log.file, s.log.file
	cmd.SysProcAttr = childAttr(acct, syscall.SIGINT)
	s.process, err = startProcess(cmd)
	if err != nil {
		return errors.Join(fmt.Errorf("starting %s: %w", cmd.Path, err), s.log.file.Close())
	}
	s.ending = sync.OnceValue(s.readEnding)
	if err := s.awaitReady(ctx, o.Log); err != nil {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelPatience)
		defer cancel()
		_ = s.end(stopCtx) // err says why it must end
		return err
	}
	return nil
}

// arguments are those of postgres. They win over the cluster's own files, and
// the last of a name wins over earlier ones.
func (s *Server) arguments(o Options) ([]string, error) {
	settings := map[string]string{"cluster_name": "minesaudit"}
	if o.NoFsync {
		settings["fsync"] = "off"
		settings["full_page_writes"] = "off"
	}
	maps.Copy(settings, o.Settings)
	for name, value := range map[string]string{
		"data_directory":          s.data,
		"listen_addresses":        "",
		"port":                    socketPort,
		"unix_socket_directories": s.sockets,
		"unix_socket_permissions": "0700",
		"log_destination":         "stderr",
		"logging_collector":       "off", // its process would hold a file that nobody reads
	} {
		if _, given := o.Settings[name]; given {
			return nil, fmt.Errorf("PostgreSQL setting %s cannot be changed", name)
		}
		settings[name] = value
	}
	args := []string{"-D", s.data}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		args = append(args, "-c", name+"="+settings[name])
	}
	return args, nil
}

const (
	readyFirst = 10 * time.Millisecond  // first pause between attempts to connect
	readyMax   = 500 * time.Millisecond // longest pause
	readyNews  = 10 * time.Second       // how often a long start is reported
)

// awaitReady waits until the server accepts connections. A refusal that waiting
// does not cure, an end of the server and an end of ctx are errors.
func (s *Server) awaitReady(ctx context.Context, log *zap.Logger) error {
	news := time.NewTicker(readyNews)
	defer news.Stop()
	for pause := readyFirst; ; pause = min(2*pause, readyMax) {
		ready, err := s.accepts(ctx)
		if ready || err != nil {
			return err
		}
		select {
		case <-s.process.done:
			return fmt.Errorf("PostgreSQL did not start: %w", s.Err())
		case <-ctx.Done():
			return fmt.Errorf("waiting for PostgreSQL to accept connections: %w; its log ends:\n%s", context.Cause(ctx), s.log.tail())
		case <-news.C:
			log.Info("PostgreSQL is still starting, perhaps recovering from a crash", zap.String("dir", s.data))
		case <-time.After(pause):
		}
	}
}

// accepts tries to connect. An error is one that will not pass.
func (s *Server) accepts(ctx context.Context) (bool, error) {
	// Until the folder is ours, an earlier server may answer at the socket.
	// Looked at first: afterwards, that one could have gone since.
	if pid, ok := postmasterPID(s.data); !ok || pid != s.process.cmd.Process.Pid {
		return false, nil
	}
	conn, err := pgx.Connect(ctx, s.URL(maintenanceDB))
	if err == nil {
		_ = conn.Close(ctx) // it has served
		return true, nil
	}
	if code := errorCode(err); code != "" && code != codeCannotConnectNow {
		return false, fmt.Errorf("connecting to the PostgreSQL server just started: %w", err)
	}
	return false, nil
}

// Done is closed when the server has ended, for whatever reason. Before Stop
// that is a failure, even if Err is nil: somebody else may shut a server down.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// Err tells how the server ended: nil while it runs and after a shutdown, else
// with the end of its log.
func (s *Server) Err() error {
	select {
	case <-s.process.done:
	default:
		return nil
	}
	return s.ending()
}

// readEnding needs the log open: end calls it, by Err, before closing that.
func (s *Server) readEnding() error {
	if s.process.err == nil {
		return nil
	}
	return fmt.Errorf("PostgreSQL server ended: %w; its log ends:\n%s", s.process.err, s.log.tail())
}
