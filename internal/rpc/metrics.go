package rpc

import (
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

// Metrics are this package's series. One set serves all clients and one stream. No
// label holds an endpoint, a signature or an error's text.
type Metrics struct {
	requests    *prometheus.CounterVec   // method, outcome: ok or an error class
	duration    *prometheus.HistogramVec // method; one attempt, waiting for a turn not counted
	reconnects  prometheus.Counter
	ends        *prometheus.CounterVec // reason
	notes       prometheus.Counter
	up          prometheus.Gauge
	queueLength atomic.Pointer[func() int]
}

// NewMetrics makes the series and registers them; a nil reg registers nowhere.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	f := promauto.With(reg)
	m := &Metrics{
		requests: f.NewCounterVec(prometheus.CounterOpts{
			Name: "minesaudit_rpc_requests_total",
			Help: "JSON-RPC requests by method and outcome (ok or the class of the error).",
		}, []string{"method", "outcome"}),
		duration: f.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "minesaudit_rpc_request_duration_seconds",
			Help:    "Time from sending a JSON-RPC request to its decoded answer or error.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method"}),
		reconnects: f.NewCounter(prometheus.CounterOpts{
			Name: "minesaudit_subscription_reconnects_total",
			Help: "Times the log subscription came up again after it had ended.",
		}),
		ends: f.NewCounterVec(prometheus.CounterOpts{
			Name: "minesaudit_subscription_ends_total",
			Help: "Connections for the log subscription that ended or never came up, by reason.",
		}, []string{"reason"}),
		notes: f.NewCounter(prometheus.CounterOpts{
			Name: "minesaudit_subscription_notifications_total",
			Help: "Log notifications taken into the queue.",
		}),
		up: f.NewGauge(prometheus.GaugeOpts{
			Name: "minesaudit_subscription_up",
			Help: "1 while the log subscription is acknowledged and its slot known, else 0.",
		}),
	}
	f.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "minesaudit_queue_depth",
		Help: "Items of the log subscription that wait to be processed.",
	}, m.queueDepth)
	for _, method := range methods() {
		m.duration.WithLabelValues(method)
		m.requests.WithLabelValues(method, outcomeOK)
		for c := Class(1); c <= lastClass; c++ {
			m.requests.WithLabelValues(method, c.String())
		}
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

func (m *Metrics) observe(method string, took time.Duration, err *Error) {
	outcome := outcomeOK
	if err != nil {
		outcome = err.Class.String()
	}
	m.requests.WithLabelValues(method, outcome).Inc()
	m.duration.WithLabelValues(method).Observe(took.Seconds())
}
