package rpc

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"syscall"

	"github.com/coder/websocket"
)

// cause tells a transport error by its kind. It never repeats the error's own text:
// net/http, the resolver, proxies and libraries put URLs and addresses there.
func cause(err error) string {
	var (
		dns     *net.DNSError
		errno   syscall.Errno
		verify  *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		record  tls.RecordHeaderError
		alert   tls.AlertError
		timeout interface{ Timeout() bool }
	)
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host"
	case errors.As(err, &dns):
		return "host name lookup failed"
	case errors.As(err, &unknown):
		return "TLS: certificate of an unknown authority"
	case errors.As(err, &host):
		return "TLS: certificate of another host"
	case errors.As(err, &verify):
		return "TLS: certificate not valid"
	case errors.As(err, &record):
		return "TLS: the endpoint does not speak it"
	case errors.As(err, &alert):
		return alert.Error()
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.As(err, &errno):
		return errno.Error()
	case errors.Is(err, websocket.ErrMessageTooBig):
		return "message over the size limit"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "connection closed by the endpoint"
	}
	return "the endpoint could not be spoken to"
}
