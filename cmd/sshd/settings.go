package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/ui/plain"

	"github.com/caarlos0/env/v11"
	"github.com/spf13/pflag"
)

// envPrefix begins the names of the environment variables that set what the flags set.
const envPrefix = "BONEYARD_"

// Settings are what an operator can choose. Each comes from a flag, else from the environment, else
// from DefaultSettings.
type Settings struct {
	Listen     string `env:"LISTEN"`
	Data       string `env:"DATA"`
	HostKeys   string `env:"HOST_KEYS"`
	PublicHost string `env:"PUBLIC_HOST"`

	Guests         lobby.GuestPolicy `env:"GUESTS"`
	Exhibition     OnOff             `env:"EXHIBITION"`
	Daily          OnOff             `env:"DAILY"`
	ClockConfirm   time.Duration     `env:"CLOCK_CONFIRM"`
	RateOneNetwork OnOff             `env:"RATE_ONE_NETWORK"`
	Operators      []string          `env:"OPERATORS"`
	MaxSessions    int               `env:"MAX_SESSIONS"`

	ExemptNetworks    []string `env:"EXEMPT_NETWORKS"`
	ProxyProtocolFrom []string `env:"PROXY_PROTOCOL_FROM"`

	LogLevel      slog.Level `env:"LOG_LEVEL"`
	LogFormat     LogFormat  `env:"LOG_FORMAT"`
	Metrics       string     `env:"METRICS"`
	MetricsPublic bool       `env:"METRICS_PUBLIC"`
	Pprof         bool       `env:"PPROF"`

	Cluster       string   `env:"CLUSTER"`
	Node          string   `env:"NODE"`
	ClusterListen string   `env:"CLUSTER_LISTEN"`
	Peers         []string `env:"PEERS"`
	ClusterKey    string   `env:"CLUSTER_KEY"`
}

// DefaultSettings returns settings that serve without anything else being set up.
func DefaultSettings() Settings {
	return Settings{
		Listen:       ":2222",
		Data:         "boneyard.db",
		HostKeys:     "host_keys",
		PublicHost:   "localhost",
		Guests:       lobby.GuestsPlay,
		Exhibition:   true,
		Daily:        true,
		ClockConfirm: event.ConfirmTime,
		MaxSessions:  gate.DefaultConfig().Sessions,
		LogLevel:     slog.LevelInfo,
		LogFormat:    FormatText,
	}
}

// hostLetters are what names and addresses of hosts are made of. People paste the invitations into
// their shells.
const hostLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:"

// settingError names the setting that is wrong, by its flag or its variable.
type settingError struct {
	name string
	err  error
}

func (e settingError) Error() string { return e.name + ": " + e.err.Error() }
func (e settingError) Unwrap() error { return e.err }

// Validate reports the first setting that cannot work.
func (s Settings) Validate() error {
	_, _, host := splitPublicHost(s.PublicHost)
	_, exempt := gate.ParseNetworks(s.ExemptNetworks)
	_, proxies := gate.ParseNetworks(s.ProxyProtocolFrom)
	_, operators := ReadOperators(s.Operators)
	for _, c := range []struct {
		flag  string
		wrong bool
		err   error
	}{
		{"listen", true, checkAddress(s.Listen)},
		{"data", s.Data == "", errors.New("must name a file")},
		{"data", true, checkData(s.Data)},
		{"host-keys", s.HostKeys == "", errors.New("must name a folder")},
		{"public-host", true, host},
		{"max-sessions", s.MaxSessions < 1, fmt.Errorf("must be at least 1, not %d", s.MaxSessions)},
		{"exempt-networks", true, exempt},
		{"proxy-protocol-from", true, proxies},
		{"operators", true, operators},
		{"metrics", s.Metrics != "", checkAddress(s.Metrics)},
		{"metrics", s.Metrics != "" && !s.MetricsPublic && !isLoopback(s.Metrics),
			fmt.Errorf("%s can be reached from outside; set --metrics-public to allow it", s.Metrics)},
		{"pprof", s.Pprof && s.Metrics == "", errors.New("profiles are served on the address of --metrics, which is not set")},
		{"cluster", s.Cluster == "" && (s.Node != "" || s.ClusterListen != "" || len(s.Peers) > 0 || s.ClusterKey != ""),
			errors.New("the cluster must have a name; without one this is a club on one machine")},
	} {
		if c.wrong && c.err != nil {
			return settingError{"--" + c.flag, c.err}
		}
	}
	return nil
}

// splitPublicHost divides the setting into a host and a port; the port is empty if none is given. An IPv6
// address with a port is in brackets.
func splitPublicHost(s string) (host, port string, err error) {
	host = s
	if strings.Trim(s, hostLetters+"[]") != "" {
		return "", "", fmt.Errorf("%q is not a host name, alone or with a port, such as play.example.org:2222", s)
	}
	if h, p, err := net.SplitHostPort(s); err == nil {
		host, port = h, p
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "", "", fmt.Errorf("%q is not a port", port)
		}
	}
	if host == "" || strings.ContainsAny(host, "[]") || strings.HasPrefix(host, "-") {
		return "", "", fmt.Errorf("%q is not a host name", host)
	}
	return host, port, nil
}

// checkAddress checks HOST:PORT without looking up HOST.
func checkAddress(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil || strings.Contains(addr, "/") {
		return fmt.Errorf("%q is not an address like :2222 or 127.0.0.1:2222", addr)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q is not a port", port)
	}
	return nil
}

func isLoopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// ReadEnvironment overwrites the settings that environ sets; environ is as os.Environ returns it.
func (s *Settings) ReadEnvironment(environ []string) error {
	err := env.ParseWithOptions(s, env.Options{Prefix: envPrefix, Environment: env.ToMap(environ)})
	var pe env.ParseError
	if errors.As(err, &pe) {
		name := pe.Name
		if f, ok := reflect.TypeFor[Settings]().FieldByName(pe.Name); ok {
			name = envPrefix + f.Tag.Get("env")
		}
		return settingError{name, plain.WrongValue(env.ToMap(environ)[name], pe.Err)}
	}
	return err
}

// wrongFlag is the error of a command line that cannot be read.
func wrongFlag(err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		err = settingError{"--" + wrong.GetFlag().Name, plain.WrongValue(wrong.GetValue(), errors.Unwrap(wrong))}
	}
	return usageError{err}
}

// checkData refuses a data file that is a folder, before anything is made beside it.
func checkData(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%q is a folder; name a file in it, such as %s", path, filepath.Join(path, DefaultSettings().Data))
	}
	return nil
}

// unknownVariables are the variables that look like settings and are none.
func unknownVariables(environ []string) (names []string) {
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, envPrefix) && !slices.Contains(variables(), name) {
			names = append(names, name)
		}
	}
	return names
}

// variables are the names of the variables that set something.
func variables() (names []string) {
	for f := range reflect.TypeFor[Settings]().Fields() {
		names = append(names, envPrefix+f.Tag.Get("env"))
	}
	return names
}

// variableOf is the name of the variable that sets what a flag of that name sets, if there is one.
func variableOf(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// nearest is the variable whose name needs the fewest changes to become that of name.
func nearest(name string) string {
	return slices.MinFunc(variables(), func(a, b string) int { return distance(a, name) - distance(b, name) })
}

// distance is how many letters must be put in, taken out or changed to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := last
			if a[i] != b[j] {
				change++
			}
			last = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// flags declares the flags of the server, with what the settings hold as defaults.
func (s *Settings) flags(f *pflag.FlagSet) {
	f.StringVar(&s.Listen, "listen", s.Listen, "`address` to serve SSH on")
	f.StringVar(&s.Data, "data", s.Data, "data `file`; created if there is none")
	f.StringVar(&s.HostKeys, "host-keys", s.HostKeys, "`folder` with the host keys; a key is created if there is none")
	f.StringVar(&s.PublicHost, "public-host", s.PublicHost, "`host[:port]` in invitations; without a port, the port of --listen")
	f.TextVar(&s.Guests, "guests", s.Guests, "what people without a key may do: `play|watch|off`")
	f.TextVar(&s.Exhibition, "exhibition", s.Exhibition, "a table where house bots play while somebody watches: `on|off`")
	f.TextVar(&s.Daily, "daily", s.Daily, "the daily deal, the same for everybody: `on|off`")
	f.DurationVar(&s.ClockConfirm, "clock-confirm", s.ClockConfirm,
		"`time` for which the server's clock must go on evenly after a leap until events believe it; 0: not at all")
	f.TextVar(&s.RateOneNetwork, "rate-one-network", s.RateOneNetwork, "also rate games between opponents on the same network: `on|off`")
	f.StringSliceVar(&s.Operators, "operators", s.Operators,
		"key fingerprints (SHA256:…) of operators, or `files` with fingerprints or public keys")
	f.IntVar(&s.MaxSessions, "max-sessions", s.MaxSessions, "maximum `number` of sessions at a time")
	f.StringSliceVar(&s.ExemptNetworks, "exempt-networks", s.ExemptNetworks, "`networks` exempt from the limits by address")
	f.StringSliceVar(&s.ProxyProtocolFrom, "proxy-protocol-from", s.ProxyProtocolFrom,
		"`networks` of proxies that begin each connection with a PROXY v2 header")
	f.TextVar(&s.LogLevel, "log-level", s.LogLevel, "log lines of this level and above: `debug|info|warn|error`")
	f.TextVar(&s.LogFormat, "log-format", s.LogFormat, "format of the log: `text|json`")
	f.StringVar(&s.Metrics, "metrics", s.Metrics, "`address` to serve Prometheus metrics on, such as 127.0.0.1:9222 (default off)")
	f.BoolVar(&s.MetricsPublic, "metrics-public", s.MetricsPublic, "allow --metrics on an address that is not loopback")
	f.BoolVar(&s.Pprof, "pprof", s.Pprof, "also serve profiles on the metrics address")
	f.StringVar(&s.Cluster, "cluster", s.Cluster, "`name` of the cluster that this node belongs to (experimental; see docs/cluster.md)")
	f.StringVar(&s.Node, "node", s.Node, "`name` of this node in its cluster")
	f.StringVar(&s.ClusterListen, "cluster-listen", s.ClusterListen,
		"`host:port` where the other nodes reach this one")
	f.StringSliceVar(&s.Peers, "peers", s.Peers, "--cluster-listen `addresses` of the other nodes")
	f.StringVar(&s.ClusterKey, "cluster-key", s.ClusterKey, "`file` with the secret that all nodes share")
}

// OnOff is a switch written as on or off.
type OnOff bool

// UnmarshalText reads on or off.
func (o *OnOff) UnmarshalText(text []byte) error {
	switch string(text) {
	case "on":
		*o = true
	case "off":
		*o = false
	default:
		return fmt.Errorf("must be on or off, not %q", text)
	}
	return nil
}

// MarshalText is the reverse of UnmarshalText.
func (o OnOff) MarshalText() ([]byte, error) {
	if o {
		return []byte("on"), nil
	}
	return []byte("off"), nil
}

// LogFormat is how log lines look.
type LogFormat string

// The log formats.
const (
	FormatText LogFormat = "text" // for people
	FormatJSON LogFormat = "json" // one object a line
)

// UnmarshalText reads a format; anything else is an error.
func (f *LogFormat) UnmarshalText(text []byte) error {
	switch v := LogFormat(text); v {
	case FormatText, FormatJSON:
		*f = v
		return nil
	}
	return fmt.Errorf("must be %s or %s, not %q", FormatText, FormatJSON, text)
}

// MarshalText is the reverse of UnmarshalText.
func (f LogFormat) MarshalText() ([]byte, error) { return []byte(f), nil }
