package rpc

import (
	"testing"

	"go.uber.org/goleak"
)

// Every test must leave no goroutine behind, of streams, clients and fake nodes alike.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
