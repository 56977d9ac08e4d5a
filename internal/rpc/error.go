package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Class says what a caller may do about a failed request. It is the error that
// errors.Is finds in an *Error, and its name is the metric label.
type Class uint8

const (
	// Unavailable: the endpoint failed and time may mend it: refused, timeout, 5xx,
	// an answer that is no JSON-RPC, a node behind or without the block for now.
	Unavailable Class = iota + 1
	// RateLimited: HTTP 429 or JSON-RPC code 429. Error.RetryAfter holds the wish.
	RateLimited
	// NotFound: the node answered null. Right after a notification this is a node
	// that lags, not a transaction that does not exist.
	NotFound
	// UnsupportedVersion: the transaction is of a version above the one asked for
	// (-32015). Going on would skip it: stop, and say so.
	UnsupportedVersion
	// NoHistory: this node does not keep what was asked for (-32001, -32010, -32011).
	// Another node may.
	NoHistory
	// Invalid: the request or the URL is wrong (-32600, -32601, -32602, HTTP 404 and
	// the like): the same request fails again.
	Invalid
	// Auth: the endpoint refuses the credentials (HTTP 401, 403).
	Auth
	// Canceled: the caller's context ended first.
	Canceled

	lastClass = Canceled
)

// String returns the metric label.
func (c Class) String() string {
	switch c {
	case Unavailable:
		return "unavailable"
	case RateLimited:
		return "rate_limited"
	case NotFound:
		return "not_found"
	case UnsupportedVersion:
		return "unsupported_version"
	case NoHistory:
		return "no_history"
	case Invalid:
		return "invalid"
	case Auth:
		return "auth"
	case Canceled:
		return "canceled"
	}
	return fmt.Sprintf("class_%d", uint8(c))
}

// Error makes a class the sentinel of its errors: errors.Is(err, rpc.NotFound).
func (c Class) Error() string { return c.String() }

// Error is the only error that requests return. Its text holds no part of the URL.
type Error struct {
	Method     string        // JSON-RPC method
	Class      Class         // what may be done
	Code       int           // JSON-RPC error code or HTTP status; 0 where there was no answer
	Message    string        // the node's words with secrets struck out, or the cause
	RetryAfter time.Duration // how long the endpoint asked to be left alone; 0 = did not say

	cause error // context.Canceled, context.DeadlineExceeded or nil; never a foreign error
}

func (e *Error) Error() string {
	s := e.Method + ": " + e.Class.String()
	if e.Code != 0 {
		s += fmt.Sprintf(" (%d)", e.Code)
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	return s
}

// Unwrap gives the class, and the context's error if that ended the request.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Class}
	}
	return []error{e.Class, e.cause}
}

// ClassOf returns the class of err, or 0 if err is not of this package.
func ClassOf(err error) Class {
	var c Class
	if errors.As(err, &c) {
		return c
	}
	return 0
}

// rpcError is the error object of a JSON-RPC answer.
type rpcError struct {
	Code    *int64          `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// classOfCode sorts JSON-RPC codes, those of Agave by name
// (rpc-client-api/src/custom_error.rs) and the standard's.
func classOfCode(code int64) Class {
	switch code {
	case 429:
		return RateLimited
	case -32015: // transaction version above maxSupportedTransactionVersion
		return UnsupportedVersion
	case -32001, // block cleaned up
		-32010, // key excluded from the secondary indexes
		-32011: // transaction history not available
		return NoHistory
	case -32020: // the transaction named by before or until is not known here
		return NotFound
	case -32700, -32600, -32601, -32602:
		return Invalid
	case 401, 403:
		return Auth
	}
	// -32004 block not available, -32005 node behind, -32007 and -32009 skipped or
	// missing, -32014 status not yet known, -32016 minContextSlot not reached, -32019
	// long-term storage unreachable, -32603 internal: none proves that a slot is empty.
	// An unknown code may pass as well as any of these.
	return Unavailable
}

// classOfStatus sorts HTTP statuses other than 200.
func classOfStatus(status int) Class {
	switch {
	case status == http.StatusTooManyRequests:
		return RateLimited
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Auth
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status >= 500:
		return Unavailable
	}
	return Invalid // other 4xx, and redirects: credentials do not follow one
}
