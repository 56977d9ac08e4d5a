package simchain

import "fmt"

// rpcError is an error answer, with the codes that Agave uses.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func parseFailure() *rpcError   { return &rpcError{Code: -32700, Message: "Parse error"} }
func invalidRequest() *rpcError { return &rpcError{Code: -32600, Message: "Invalid request"} }
func unknownMethod() *rpcError  { return &rpcError{Code: -32601, Message: "Method not found"} }

func invalidParams(format string, args ...any) *rpcError {
	return &rpcError{Code: -32602, Message: "Invalid params: " + fmt.Sprintf(format, args...)}
}

func blockCleanedUp(slot, first uint64) *rpcError {
	return &rpcError{Code: -32001, Message: fmt.Sprintf("Block %d cleaned up, first available block: %d", slot, first)}
}

func blockNotAvailable(slot uint64) *rpcError {
	return &rpcError{Code: -32004, Message: fmt.Sprintf("Block not available for slot %d", slot)}
}

func slotSkipped(slot uint64) *rpcError {
	return &rpcError{Code: -32007, Message: fmt.Sprintf("Slot %d was skipped or is missing", slot)}
}

func historyMissing() *rpcError {
	return &rpcError{Code: -32011, Message: "Transaction history is not available from this node"}
}

func versionTooNew(version int8) *rpcError {
	return &rpcError{Code: -32015, Message: fmt.Sprintf("Transaction version (%d) is not supported by the requesting client: set maxSupportedTransactionVersion", version)}
}

func contextNotReached(slot uint64) *rpcError {
	return &rpcError{Code: -32016, Message: "Minimum context slot has not been reached", Data: map[string]uint64{"contextSlot": slot}}
}

func unknownAnchor(signature string) *rpcError {
	return &rpcError{Code: -32020, Message: fmt.Sprintf("Transaction %s not found", signature)}
}
