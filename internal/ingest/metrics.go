package ingest

import (
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"minesaudit/internal/decode"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// Metrics counts what ingest does. Every label exists at 0 from the start.
// Counts of games, voids and failed checks move with the frontier, as the
// rollups do; verdicts_total moves when a verdict is made, so that a mismatch
// shows at once.
type Metrics struct {
	games          *prometheus.CounterVec
	voids          *prometheus.CounterVec
	failedChecks   *prometheus.CounterVec
	verdicts       *prometheus.CounterVec
	events         *prometheus.CounterVec
	logs           *prometheus.CounterVec
	passesTotal    *prometheus.CounterVec
	prunedRows     *prometheus.CounterVec
	signatures     *prometheus.CounterVec
	notifications  prometheus.Counter
	dropped        prometheus.Counter
	unasked        prometheus.Counter
	disagreements  *prometheus.CounterVec
	examinedTxs    *prometheus.CounterVec
	slotsExamined  prometheus.Counter
	slotsUnchecked prometheus.Counter
	forged         prometheus.Counter
	databaseErrors prometheus.Counter
	toVerdict      prometheus.Histogram
}

// NewMetrics registers the metrics.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "minesaudit_" + name, Help: help})
		reg.MustRegister(c)
		return c
	}
	vec := func(name, help, label string, values ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "minesaudit_" + name, Help: help}, []string{label})
		for _, v := range values {
			c.WithLabelValues(v)
		}
		reg.MustRegister(c)
		return c
	}
	verdictNames := []string{verify.VerdictPass.String(), verify.VerdictFail.String(), verify.VerdictInconclusive.String()}
	var checkNames []string
	for c := verify.Check(0); c < verify.NumChecks; c++ {
		checkNames = append(checkNames, c.String())
	}
	var kindNames []string
	for _, k := range []decode.Kind{decode.KindStarted, decode.KindSettled, decode.KindVoided, decode.KindUnknown, decode.KindMalformed} {
		kindNames = append(kindNames, k.String())
	}
	m := &Metrics{
		games:        vec("games_total", "Ended games whose ending event the frontier has passed, by verdict.", "verdict", verdictNames...),
		voids:        vec("voids_total", "Voided games whose void the frontier has passed, by when it came.", "when", verify.BeforeTimeout.String(), verify.AfterTimeout.String(), verify.VoidWhenUnknown.String()),
		failedChecks: vec("failed_checks_total", "Failed checks of games that the frontier has passed.", "check", checkNames...),
		verdicts:     vec("verdicts_total", "Verdicts when they are made, superseding ones too.", "verdict", verdictNames...),
		events:       vec("events_total", "Data lines of the program in stored transactions, by kind.", "kind", kindNames...),
		logs: vec("unreadable_logs_total", "Transactions whose log could not be read to its end or understood, by why; once from the stream and once from the record.", "state",
			decode.LogTruncated.String(), decode.LogMissing.String(), decode.LogUnattributable.String(), malformed),
		passesTotal:    vec("reconciler_passes_total", "Passes of the reconciler.", "outcome", "ok", "error"),
		prunedRows:     vec("pruned_rows_total", "Rows deleted because they are kept no longer.", "table", "verdict", "tx"),
		signatures:     vec("listed_signatures_total", "Finalized signatures listed by the node.", "stored", "already", "missing"),
		disagreements:  vec("disagreements_total", "Transactions of which two nodes said different things, by in what.", "kind", disagreementKinds()...),
		examinedTxs:    vec("examined_transactions_total", "Transactions that were held against a second node.", "outcome", "agreed", "disagreed"),
		slotsExamined:  counter("examined_slots_total", "Slots whose list was held against a second node's."),
		slotsUnchecked: counter("passed_unchecked_slots_total", "Slots that the frontier passed on one node's word, although several are configured; looked at again later."),
		notifications:  counter("notifications_total", "Transactions that the stream told of."),
		dropped:        counter("dropped_transactions_total", "Confirmed transactions that the finalized chain does not have."),
		unasked:        counter("unanswered_notifications_total", "Transactions that the stream only announced and that were left to the record: too many at once, or the node did not give them."),
		forged:         counter("forged_events_total", "Calls of the program with an event that is not its own, in transactions as they came."),
		databaseErrors: counter("database_errors_total", "Writes that failed and were tried again."),
		toVerdict: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "minesaudit_notification_to_verdict_seconds", Help: "From a notification's arrival to the commit of the verdict that it led to.",
			Buckets: prometheus.ExponentialBuckets(0.0005, math.Sqrt2, 30), // to 11.6 s; twice as fine as usual, so that a p99 can be compared
		}),
	}
	reg.MustRegister(m.toVerdict)
	return m
}

// saved counts what a commit brought.
func (m *Metrics) saved(b *store.Batch, counted store.Counted, arrivals []arrival, now time.Time) {
	for i := range b.Verdicts {
		if v := b.Verdicts[i].Verdict; v != verify.VerdictWithdrawn {
			m.verdicts.WithLabelValues(v.String()).Inc()
		}
	}
	for _, txs := range [][]store.Tx{b.New, b.Replaced} {
		for i := range txs {
			for j := range txs[i].Events {
				m.events.WithLabelValues(txs[i].Events[j].Kind.String()).Inc()
			}
		}
	}
	for i := range arrivals {
		a := &arrivals[i]
		m.forged.Add(float64(len(a.log.Forged)))
		if !a.heard.IsZero() && a.ends() {
			m.toVerdict.Observe(now.Sub(a.heard).Seconds())
		}
	}
	m.counted(counted)
}

// counted adds differences to the rollups. Counters only rise: what a
// superseding verdict takes away stays in them until the next start, and the
// views have the exact counts.
func (m *Metrics) counted(c store.Counted) {
	for _, cell := range c.Cells {
		if cell.N <= 0 {
			continue
		}
		m.games.WithLabelValues(cell.Verdict.String()).Add(float64(cell.N))
		if cell.VoidWhen != verify.NotVoid {
			m.voids.WithLabelValues(cell.VoidWhen.String()).Add(float64(cell.N))
		}
	}
	for _, check := range c.Checks {
		if check.N > 0 && check.Result == verify.ResultFail {
			m.failedChecks.WithLabelValues(check.Check.String()).Add(float64(check.N))
		}
	}
}

func (m *Metrics) unreadable(why string) { m.logs.WithLabelValues(why).Inc() }

func disagreementKinds() (names []string) {
	for _, k := range store.DisagreementKinds() {
		names = append(names, string(k))
	}
	return names
}

func (m *Metrics) disagreed(all []store.Disagreement) {
	for i := range all {
		m.disagreements.WithLabelValues(string(all[i].Kind)).Inc()
	}
}

func (m *Metrics) examined(disagreed bool) {
	outcome := "agreed"
	if disagreed {
		outcome = "disagreed"
	}
	m.examinedTxs.WithLabelValues(outcome).Inc()
}

func (m *Metrics) passes(err error) {
	outcome := "ok"
	if err != nil {
		outcome = "error"
	}
	m.passesTotal.WithLabelValues(outcome).Inc()
}

func (m *Metrics) pruned(verdicts, transactions int64) {
	m.prunedRows.WithLabelValues("verdict").Add(float64(verdicts))
	m.prunedRows.WithLabelValues("tx").Add(float64(transactions))
}

func (m *Metrics) listed(all, missing int) {
	m.signatures.WithLabelValues("already").Add(float64(all - missing))
	m.signatures.WithLabelValues("missing").Add(float64(missing))
}
