package rpc

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// reply is an HTTP answer, read.
type reply struct {
	status int
	header http.Header
	body   []byte
	cut    bool // longer than the limit
}

// exchange sends one request and gives the raw result, "null" included.
func (c *Client) exchange(ctx context.Context, method string, params []any) (rawText, *Error) {
	timed, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	var r reply
	err := c.rpc.CallWithCallback(timed, method, params, func(_ *http.Request, resp *http.Response) error {
		r.status, r.header = resp.StatusCode, resp.Header
		return c.readBody(resp, &r)
	})
	switch {
	case err == nil:
		return c.read(method, &r)
	case ctx.Err() != nil: // the caller's context, not this request's timeout
		return "", canceled(method, ctx.Err())
	case r.status != 0 && r.status != http.StatusOK: // the body was lost, the status says enough
		return "", statusError(method, &r)
	}
	return "", &Error{Method: method, Class: Unavailable, Message: cause(err)}
}

// readBody reads an answer's body, no further than one byte over the limit.
func (c *Client) readBody(resp *http.Response, r *reply) error {
	var body bytes.Buffer
	if n := resp.ContentLength; 0 < n && n <= c.maxBody {
		body.Grow(int(n) + bytes.MinRead) // so that the end is met without growing
	}
	_, err := body.ReadFrom(io.LimitReader(resp.Body, c.maxBody+1))
	r.body, r.cut = body.Bytes(), int64(body.Len()) > c.maxBody
	return err
}

// read sorts an answer out. The HTTP status decides where it names credentials or the
// rate; else the JSON-RPC error does, which some providers send with a 4xx or 5xx.
func (c *Client) read(method string, r *reply) (rawText, *Error) {
	if r.cut {
		return "", malformed(method, "the answer is longer than "+strconv.FormatInt(c.maxBody, 10)+" bytes")
	}
	a, ok := readAnswer(string(r.body))
	if ok && a.Error != nil && a.Error.Code != nil {
		return "", c.nodeError(method, r, a.Error)
	}
	switch {
	case r.status != http.StatusOK:
		return "", statusError(method, r)
	case !ok:
		return "", malformed(method, describe(r.body))
	case a.Result == "":
		return "", malformed(method, "the answer has neither result nor error")
	}
	return a.Result, nil
}

func (c *Client) nodeError(method string, r *reply, e *rpcError) *Error {
	class := classOfCode(*e.Code)
	if byStatus := classOfStatus(r.status); byStatus == RateLimited || byStatus == Auth {
		class = byStatus
	}
	return &Error{
		Method: method, Class: class, Code: int(*e.Code),
		Message: c.scrub.clean(e.Message), RetryAfter: retryAfter(r.header, time.Now()),
	}
}

// statusError tells an HTTP status by its standard name: a page for humans adds
// nothing and may quote the URL.
func statusError(method string, r *reply) *Error {
	message := "HTTP " + http.StatusText(r.status)
	class := classOfStatus(r.status)
	switch {
	case r.status == http.StatusNotFound:
		message += ": is the path of the URL right?"
	case r.status >= 300 && r.status < 400:
		message = "HTTP redirect, not followed: give the final URL"
	case class == Auth:
		message += ": is the key in the URL right?"
	}
	return &Error{Method: method, Class: class, Code: r.status, Message: message, RetryAfter: retryAfter(r.header, time.Now())}
}

func describe(body []byte) string {
	trimmed := bytes.TrimSpace(body)
	switch {
	case len(trimmed) == 0:
		return "the answer is empty"
	case trimmed[0] == '<':
		return "the answer is HTML, not JSON-RPC"
	case trimmed[0] == '{':
		return "the answer is JSON cut short or damaged"
	}
	return "the answer is not JSON-RPC"
}

// retryAfter reads the header of RFC 9110 section 10.2.3: seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
