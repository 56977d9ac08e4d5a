package main

import (
	"os"
	"runtime/debug"
)

// collectLess lets a process that goes through a whole history use memory in place of
// time: nearly all that it reads is garbage a moment later, and what lives is small. At
// Go's own pace it would collect ten times a second. GOGC goes before.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
