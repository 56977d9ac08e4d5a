package simchain

import "encoding/json"

// answerSocket answers what comes over a websocket: the subscription methods, and
// no others, as on a node.
func (n *Node) answerSocket(s *socket, body []byte) []byte {
	return answer(body, func(r request) (any, *rpcError) {
		switch r.Method {
		case "logsSubscribe":
			want, fault := n.logsWanted(r)
			if fault != nil {
				return nil, fault
			}
			if n.Faults.refuses() {
				return nil, &rpcError{Code: -32603, Message: "Internal error: too many subscriptions"}
			}
			return n.subscribe(s, r, want)
		case "slotSubscribe":
			return n.subscribe(s, r, subscription{slots: true})
		case "logsUnsubscribe", "slotUnsubscribe":
			id, fault := r.slotAt(0)
			if fault != nil {
				return nil, fault
			}
			if err := n.hub.unsubscribe(s, id, r.Method == "slotUnsubscribe"); err != nil {
				return nil, &rpcError{Code: -32602, Message: err.Error()}
			}
			return true, nil
		}
		return nil, unknownMethod()
	})
}

// subscribe acknowledges by way of the hub, ahead of the first notification, so
// that there is nothing left to answer.
func (n *Node) subscribe(s *socket, r request, want subscription) (any, *rpcError) {
	n.hub.subscribe(s, want, func(id uint64) []byte {
		return encode(response{Version: "2.0", Result: id, ID: r.ID})
	})
	return answered{}, nil
}

// logsWanted reads whose logs are asked for: "all", or exactly one address.
func (n *Node) logsWanted(r request) (subscription, *rpcError) {
	var want subscription
	n.chain.mu.RLock()
	o, fault := n.options(r, 1)
	n.chain.mu.RUnlock()
	if fault != nil {
		return want, fault
	}
	want.level = o.level
	var all string
	var filter struct {
		Mentions []string `json:"mentions"`
	}
	switch {
	case len(r.Params) == 0:
		return want, invalidParams("a filter is needed")
	case json.Unmarshal(r.Params[0], &all) == nil && (all == "all" || all == "allWithVotes"):
		return want, nil
	case json.Unmarshal(r.Params[0], &filter) != nil || len(filter.Mentions) != 1:
		return want, invalidParams(`filter: "all" or {"mentions":[one address]}`)
	}
	k, err := parseKey(filter.Mentions[0])
	if err != nil {
		return want, invalidParams("%v", err)
	}
	want.only = &k
	return want, nil
}
