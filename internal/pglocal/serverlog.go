package pglocal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	logTail = 2 << 10 // bytes of program output that an error carries
	logMax  = 8 << 20 // bytes of server.log from which a start moves it away
)

// serverLog is the file that the server writes to by itself, without the
// daemon between, so that it also tells what happened after a daemon's death.
type serverLog struct {
	file  *os.File
	start int64 // where this run's part begins
}

func openServerLog(dir string) (*serverLog, error) {
	path := filepath.Join(dir, "server.log")
	info, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("opening the server's log: %w", err)
	}
	if err == nil && info.Size() > logMax {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, fmt.Errorf("moving the server's old log away: %w", err)
		}
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the server's log: %w", err)
	}
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("opening the server's log: %w", err)
	}
	return &serverLog{file: file, start: end}, nil
}

// tail returns the end of what this run wrote, whole lines, at most logTail
// bytes; for error messages.
func (l *serverLog) tail() string {
	content, err := io.ReadAll(io.NewSectionReader(l.file, l.start, logMax))
	if err != nil || len(content) == 0 {
		return "(nothing in " + l.file.Name() + ")"
	}
	return lastBytes(content, logTail)
}

// lastBytes returns the last whole lines of b that fit into n bytes.
func lastBytes(b []byte, n int) string {
	s := strings.TrimSpace(string(b))
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	if _, rest, found := strings.Cut(s, "\n"); found {
		s = rest
	}
	return s
}
