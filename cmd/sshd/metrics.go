package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"regexp"
	"time"

	"boneyard/cmd/sshd/gate"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// newRegistry returns a registry with what the runtime and the process tell: goroutines, memory,
// file descriptors, CPU.
func newRegistry() *prometheus.Registry {
	reg := prometheus.NewRegistry()
	reg.MustRegister(
		// How long goroutines that could run wait for a processor: the lag that people feel.
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile("^/sched/latencies:seconds$")})),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return reg
}

// gateHooks returns hooks that count in reg what happens at the gate, which lets in so many sessions.
func gateHooks(reg prometheus.Registerer, sessions int) gate.Hooks {
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
		reg.MustRegister(c)
		return c
	}
	counters := func(name, help, label string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
		reg.MustRegister(c)
		return c
	}
	accepted := counter("boneyard_connections_total", "Connections accepted for the handshake.")
	refused := counters("boneyard_refused_total", "Connections, sessions, channels and requests refused.", "reason")
	logins := counters("boneyard_logins_total", "Clients that logged in.", "with")
	opened := counter("boneyard_sessions_total", "Sessions started.")
	closed := counters("boneyard_sessions_closed_total", "Sessions ended.", "reason")
	stalls := counter("boneyard_write_stalls_total", "Clients disconnected because they did not read.")
	now := prometheus.NewGauge(prometheus.GaugeOpts{Name: "boneyard_sessions", Help: "Sessions now."})
	lasted := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "boneyard_session_seconds",
		Help:    "How long sessions lasted.",
		Buckets: prometheus.ExponentialBuckets(1, 4, 9), // 1 s to 18 h
	})
	most := prometheus.NewGauge(prometheus.GaugeOpts{Name: "boneyard_sessions_limit", Help: "Maximum number of sessions at a time."})
	most.Set(float64(sessions))
	reg.MustRegister(now, most, lasted)
	// At 0 from the start, or Prometheus would see no increase in the first one.
	for _, r := range gate.Refusals() {
		refused.WithLabelValues(string(r))
	}
	for _, r := range gate.Endings() {
		closed.WithLabelValues(string(r))
	}
	for _, with := range []string{"key", "none"} {
		logins.WithLabelValues(with)
	}
	return gate.Hooks{
		Accepted: accepted.Inc,
		Refused:  func(r gate.Reason) { refused.WithLabelValues(string(r)).Inc() },
		Authenticated: func(hasKey bool) {
			with := "none"
			if hasKey {
				with = "key"
			}
			logins.WithLabelValues(with).Inc()
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

// metricsServer serves the metrics, and profiles if wanted, on an address of their own.
type metricsServer struct {
	http     *http.Server
	listener net.Listener
	done     chan struct{}
}

func startMetrics(addr string, profiles bool, reg *prometheus.Registry, log *slog.Logger) (*metricsServer, error) {
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
			IdleTimeout:       time.Minute,
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

// close ends the server; a profile that is being taken is cut off when ctx is over.
func (m *metricsServer) close(ctx context.Context) error {
	err := m.http.Shutdown(ctx)
	if err != nil {
		err = m.http.Close()
	}
	<-m.done
	return err
}
