package simchain

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const (
	maxBody  = 1 << 20 // bytes of a request
	maxBatch = 1000    // requests in one
)

func (n *Node) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		n.serveSocket(w, r)
		return
	case r.Method == http.MethodGet && r.URL.Path == "/health":
		_, _ = io.WriteString(w, "ok")
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST a JSON-RPC request, or upgrade to a websocket", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "request body too large or cut off", http.StatusRequestEntityTooLarge)
		return
	}
	if n.Faults.serve(w, r, body) {
		return
	}
	respond(w, answer(body, n.call))
}

func respond(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}

// request is one JSON-RPC request.
type request struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`
}

// readRequest reads a request; where it is none, its ID comes with the fault, if it
// has one.
func readRequest(body []byte) (r request, fault *rpcError) {
	err := json.Unmarshal(body, &r)
	var mistyped *json.UnmarshalTypeError
	noArray := errors.As(err, &mistyped) && mistyped.Field == "params"
	switch {
	case err != nil && !noArray, r.Version != "2.0", r.Method == "":
		return r, invalidRequest()
	case noArray:
		return r, invalidParams("an array is needed")
	}
	return r, nil
}

// response is one JSON-RPC answer.
type response struct {
	Version string          `json:"jsonrpc"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
	ID      json.RawMessage `json:"id"`
}

// answered is the result of a request that has had its answer.
type answered struct{}

// written is a result that is JSON already, and goes out as it is.
type written []byte

// method answers a request; the result is written or encodes to JSON.
type method func(request) (any, *rpcError)

// answer answers a body, a request or a batch of them, by way of call. It is empty
// where nothing is to be answered (a notification).
func answer(body []byte, call method) []byte {
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' {
		return answerBatch(body, call)
	}
	if !json.Valid(body) {
		return encode(refuse(nil, parseFailure()))
	}
	r, fault := readRequest(body)
	return appendAnswer(nil, r, fault, call)
}

func answerBatch(body []byte, call method) []byte {
	requests, faults, err := readBatch(body)
	if err != nil {
		return encode(refuse(nil, parseFailure()))
	}
	if len(requests) == 0 || len(requests) > maxBatch {
		return encode(refuse(nil, invalidRequest()))
	}
	out := make([]byte, 0, len(requests)*answerSize/2)
	for i := range requests {
		list := append(out, ',')
		if more := appendAnswer(list, requests[i], faults[i], call); len(more) > len(list) {
			out = more
		}
	}
	if len(out) == 0 {
		return nil
	}
	out[0] = '['
	return append(out, ']')
}

// readBatch reads the requests of a batch, all at once where each is one, and one after
// the other where some are not.
func readBatch(body []byte) (requests []request, faults []*rpcError, err error) {
	isNone := func(r request) bool { return r.Version != "2.0" || r.Method == "" }
	if json.Unmarshal(body, &requests) == nil && !slices.ContainsFunc(requests, isNone) {
		return requests, make([]*rpcError, len(requests)), nil
	}
	var batch []json.RawMessage
	if err := json.Unmarshal(body, &batch); err != nil {
		return nil, nil, err
	}
	requests, faults = make([]request, len(batch)), make([]*rpcError, len(batch))
	for i, one := range batch {
		requests[i], faults[i] = readRequest(one)
	}
	return requests, faults, nil
}

// appendAnswer appends the answer to one request, or nothing to a notification.
func appendAnswer(dst []byte, r request, fault *rpcError, call method) []byte {
	if fault != nil {
		return append(dst, encode(refuse(r.ID, fault))...)
	}
	result, fault := call(r)
	if result, is := result.(written); is && fault == nil && r.ID != nil {
		dst = append(append(dst, `{"jsonrpc":"2.0","result":`...), result...)
		return append(append(append(dst, `,"id":`...), r.ID...), '}')
	}
	switch {
	case r.ID == nil || result == answered{}:
		return dst
	case fault != nil:
		return append(dst, encode(refuse(r.ID, fault))...)
	case result == nil:
		result = json.RawMessage("null")
	}
	return append(dst, encode(response{Version: "2.0", Result: result, ID: r.ID})...)
}

func refuse(id json.RawMessage, fault *rpcError) response {
	if id == nil {
		id = json.RawMessage("null")
	}
	return response{Version: "2.0", Error: fault, ID: id}
}

// refuseAll gives every request of a body the same error.
func refuseAll(body []byte, fault *rpcError) []byte {
	return answer(body, func(request) (any, *rpcError) { return nil, fault })
}

// encode encodes an answer.
func encode(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // every answer is made of types that encode
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// call answers a request over HTTP.
func (n *Node) call(r request) (any, *rpcError) {
	n.chain.mu.RLock()
	defer n.chain.mu.RUnlock()
	switch r.Method {
	case "getHealth":
		return "ok", nil
	case "getVersion":
		return map[string]any{"solana-core": "3.0.0", "feature-set": 3_000_000_000}, nil
	case "getGenesisHash":
		return n.chain.Genesis(), nil
	case "getSlot":
		return n.getSlot(r)
	case "getBlockHeight":
		return n.getBlockHeight(r)
	case "getBlockTime":
		return n.getBlockTime(r)
	case "getBlock":
		return n.getBlock(r)
	case "getFirstAvailableBlock", "minimumLedgerSlot":
		return uint64(firstSlot), nil
	case "getSignaturesForAddress":
		return n.getSignaturesForAddress(r)
	case "getSignatureStatuses":
		return n.getSignatureStatuses(r)
	case "getTransaction":
		return n.getTransaction(r)
	case "getAccountInfo":
		return n.getAccountInfo(r)
	}
	return nil, unknownMethod()
}
