package rpc

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

const outcomeOK = "ok"

// methods lists what Client calls, so that each series exists at 0 from the start.
func methods() []string {
	return []string{
		methodAccountInfo, methodFirstAvailableBlock, methodGenesisHash, methodSignatures,
		methodSlot, methodStatuses, methodTransaction, methodVersion,
	}
}

// Metrics are this package's series. One set serves all nodes. Labels hold names of
// nodes, which are few and the operator's; none holds an endpoint, a signature or an
// error's text.
type Metrics struct {
	requests    *prometheus.CounterVec   // node, method, outcome: ok or an error class
	waited      *prometheus.CounterVec   // node
	state       *prometheus.GaugeVec     // node, state
	lag         *prometheus.GaugeVec     // node
	listens     *prometheus.GaugeVec     // node
	duration    *prometheus.HistogramVec // method; one attempt, waiting for a turn not counted
	reconnects  prometheus.Counter
	ends        *prometheus.CounterVec // reason
	notes       prometheus.Counter
	repeats     prometheus.Counter
	contradicts prometheus.Counter
	up          prometheus.Gauge
	queueLength atomic.Pointer[func() int]

	mu    sync.Mutex
	nodes map[string]*nodeMetrics
}

// nodeMetrics are the series of one node.
type nodeMetrics struct {
	requests map[string]map[string]prometheus.Counter // method, outcome
	duration *prometheus.HistogramVec
	waited   prometheus.Counter
	state    map[NodeState]prometheus.Gauge
	lag      prometheus.Gauge
	listens  prometheus.Gauge
}

// NewMetrics makes the series and registers them; a nil reg registers nowhere.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	f := promauto.With(reg)
	m := &Metrics{
		nodes: map[string]*nodeMetrics{},
		requests: f.NewCounterVec(prometheus.CounterOpts{
			Name: "minesaudit_rpc_requests_total",
			Help: "JSON-RPC requests by node, method and outcome (ok or the class of the error).",
		}, []string{"node", "method", "outcome"}),
		waited: f.NewCounterVec(prometheus.CounterOpts{
			Name: "minesaudit_rpc_budget_wait_seconds_total",
			Help: "Time that requests have waited for their node's budget, or for the end of a pause that it asked for.",
		}, []string{"node"}),
		state: f.NewGaugeVec(prometheus.GaugeOpts{
			Name: "minesaudit_node_state",
			Help: "1 for the state that a node is in, 0 for the others. In all but ok another node is used, if there is one.",
		}, []string{"node", "state"}),
		lag: f.NewGaugeVec(prometheus.GaugeOpts{
			Name: "minesaudit_node_lag_slots",
			Help: "Slots by which a node's finalized slot was behind the best one when they were last compared.",
		}, []string{"node"}),
		listens: f.NewGaugeVec(prometheus.GaugeOpts{
			Name: "minesaudit_node_subscription_up",
			Help: "1 while the log subscription at this node is acknowledged and its slot known, else 0.",
		}, []string{"node"}),
		duration: f.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "minesaudit_rpc_request_duration_seconds",
			Help:    "Time from sending a JSON-RPC request to its decoded answer or error.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method"}),
		reconnects: f.NewCounter(prometheus.CounterOpts{
			Name: "minesaudit_subscription_reconnects_total",
			Help: "Times a log subscription came up again after it had ended.",
		}),
		ends: f.NewCounterVec(prometheus.CounterOpts{
			Name: "minesaudit_subscription_ends_total",
			Help: "Connections for the log subscription that ended or never came up, by reason.",
		}, []string{"reason"}),
		notes: f.NewCounter(prometheus.CounterOpts{
			Name: "minesaudit_subscription_notifications_total",
			Help: "Log notifications taken into the queue.",
		}),
		repeats: f.NewCounter(prometheus.CounterOpts{
			Name: "minesaudit_subscription_repeats_total",
			Help: "Log notifications dropped because another node had told the same before.",
		}),
		contradicts: f.NewCounter(prometheus.CounterOpts{
			Name: "minesaudit_subscription_contradictions_total",
			Help: "Log notifications of a transaction of which another node had told something else.",
		}),
		up: f.NewGauge(prometheus.GaugeOpts{
			Name: "minesaudit_subscription_up",
			Help: "1 while a log subscription is acknowledged and its slot known, at whichever node, else 0.",
		}),
	}
	f.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "minesaudit_queue_depth",
		Help: "Items of the log subscription that wait to be processed.",
	}, m.queueDepth)
	for _, method := range methods() {
		m.duration.WithLabelValues(method)
	}
	for _, r := range reasons() {
		m.ends.WithLabelValues(string(r))
	}
	return m
}

func (m *Metrics) queueDepth() float64 {
	if length := m.queueLength.Load(); length != nil {
		return float64((*length)())
	}
	return 0
}

// of gives the series of a node, each at 0 from the first call on.
func (m *Metrics) of(node string) *nodeMetrics {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, ok := m.nodes[node]; ok {
		return n
	}
	n := &nodeMetrics{
		requests: map[string]map[string]prometheus.Counter{}, duration: m.duration, waited: m.waited.WithLabelValues(node),
		state: map[NodeState]prometheus.Gauge{}, lag: m.lag.WithLabelValues(node), listens: m.listens.WithLabelValues(node),
	}
	for _, method := range methods() {
		byOutcome := map[string]prometheus.Counter{outcomeOK: m.requests.WithLabelValues(node, method, outcomeOK)}
		for c := Class(1); c <= lastClass; c++ {
			byOutcome[c.String()] = m.requests.WithLabelValues(node, method, c.String())
		}
		n.requests[method] = byOutcome
	}
	for _, s := range nodeStates() {
		n.state[s] = m.state.WithLabelValues(node, string(s))
	}
	m.nodes[node] = n
	return n
}

func (n *nodeMetrics) observe(method string, took time.Duration, err *Error) {
	outcome := outcomeOK
	if err != nil {
		outcome = err.Class.String()
	}
	n.requests[method][outcome].Inc()
	n.duration.WithLabelValues(method).Observe(took.Seconds())
}
