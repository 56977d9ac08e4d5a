package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
)

// exitCrash is what Go itself ends with where a goroutine panics.
const exitCrash = 2

// crashed writes what is known of a panic and gives the exit code. A stack
// shows arguments as machine words, so it holds no secret; the value of a panic
// may be any library's error with an address in it, so only the runtime's own
// are shown. Panics of other goroutines do not come here: Go prints them, with
// their value. They can only be the runtime's too: no code of ours panics with a
// value from outside.
func crashed(to io.Writer, value any) int {
	text := fmt.Sprintf("of type %T", value)
	if err, ok := value.(runtime.Error); ok {
		text = err.Error()
	}
	_, _ = fmt.Fprintf(to, "indexer: panic: %s\n\n%s", text, debug.Stack())
	return exitCrash
}
