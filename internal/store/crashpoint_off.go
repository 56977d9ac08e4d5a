//go:build !crashpoints

package store

// CrashAt does nothing in a build for use.
func CrashAt(CrashPoint) {}

// Weak is false in a build for use.
func Weak(Weakness) bool { return false }
