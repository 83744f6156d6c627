package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"regexp"
	"sync/atomic"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// newRegistry returns a registry with metrics of the runtime and the process: goroutines, memory, files, CPU.
func newRegistry() *prometheus.Registry {
	reg := prometheus.NewRegistry()
	reg.MustRegister(
		// How long runnable goroutines wait for a processor: the lag that people feel.
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(
			collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile("^/sched/latencies:seconds$")})),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return reg
}

func counter(reg prometheus.Registerer, name, help string) prometheus.Counter {
	return promauto.With(reg).NewCounter(prometheus.CounterOpts{Name: name, Help: help})
}

// counters returns counters with one name and different values of a label. Known ones start at 0: otherwise
// Prometheus would not see their first increase.
func counters[S ~string](reg prometheus.Registerer, name, help, label string, known ...S) *prometheus.CounterVec {
	c := promauto.With(reg).NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
	for _, k := range known {
		c.WithLabelValues(string(k))
	}
	return c
}

func histogram(reg prometheus.Registerer, name, help string, buckets []float64) prometheus.Histogram {
	return promauto.With(reg).NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
}

func gauge(reg prometheus.Registerer, name, help string) prometheus.Gauge {
	return promauto.With(reg).NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
}

// gaugesIn returns a function that adds a gauge to a scrape. labels are a name and a value, or nothing.
func gaugesIn(ch chan<- prometheus.Metric) func(name, help string, v float64, labels ...string) {
	return func(name, help string, v float64, labels ...string) {
		names := labels[:len(labels)/2]
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, names, nil), prometheus.GaugeValue, v, labels[len(names):]...)
	}
}

// gateHooks returns hooks that count in reg what happens at the gate, which admits so many sessions.
func gateHooks(reg prometheus.Registerer, sessions int) gate.Hooks {
	accepted := counter(reg, "boneyard_connections_total", "Connections accepted for the handshake.")
	refused := counters(reg, "boneyard_refused_total", "Connections, sessions, channels and requests refused.", "reason", gate.Refusals()...)
	logins := counters(reg, "boneyard_logins_total", "Clients that logged in.", "with", "key", "none")
	opened := counter(reg, "boneyard_sessions_total", "Sessions started.")
	closed := counters(reg, "boneyard_sessions_closed_total", "Sessions ended.", "reason", gate.Endings()...)
	stalls := counter(reg, "boneyard_write_stalls_total", "Clients disconnected because they did not read.")
	now := gauge(reg, "boneyard_sessions", "Sessions now.")
	lasted := histogram(reg, "boneyard_session_seconds", "How long sessions lasted.", prometheus.ExponentialBuckets(1, 4, 9)) // 1 s to 18 h
	gauge(reg, "boneyard_sessions_limit", "Maximum number of sessions at a time.").Set(float64(sessions))
	return gate.Hooks{
		Accepted: accepted.Inc,
		Refused:  func(r gate.Reason) { refused.WithLabelValues(string(r)).Inc() },
		Authenticated: func(hasKey bool) {
			logins.WithLabelValues(map[bool]string{true: "key", false: "none"}[hasKey]).Inc()
		},
		SessionOpened: func() { opened.Inc(); now.Inc() },
		SessionClosed: func(r gate.Reason, d time.Duration) {
			closed.WithLabelValues(string(r)).Inc()
			now.Dec()
			lasted.Observe(d.Seconds())
		},
		WriteStall: stalls.Inc,
	}
}

// metricsServer serves the metrics, and if wanted profiles, on their own address.
type metricsServer struct {
	http     *http.Server
	listener net.Listener
	done     chan struct{}
}

func startMetrics(addr string, profiles bool, reg *prometheus.Registry, log *slog.Logger) (*metricsServer, error) {
	const metricsConns = 16 // the most connections to the metrics: each takes a file that the gate leaves to the club
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	if profiles {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	}
	m := &metricsServer{
		http: &http.Server{
			Handler:           mux,
			ReadHeaderTimeout: 5 * time.Second,
			WriteTimeout:      2 * time.Minute, // also for a profile
			IdleTimeout:       time.Minute,
			ConnState:         fewConns(metricsConns),
			ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		},
		listener: ln,
		done:     make(chan struct{}),
	}
	go func() {
		defer close(m.done)
		if err := m.http.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics are no longer served", "err", err)
		}
	}()
	return m, nil
}

// fewConns makes an HTTP server close connections beyond most.
func fewConns(most int64) func(net.Conn, http.ConnState) {
	var open atomic.Int64
	return func(conn net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			if open.Add(1) > most {
				_ = conn.Close()
			}
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		}
	}
}

// close ends the server; a profile in progress is cut off when ctx ends.
func (m *metricsServer) close(ctx context.Context) error {
	err := m.http.Shutdown(ctx)
	if err != nil {
		err = m.http.Close()
	}
	<-m.done
	return err
}
