package main

import (
	"bytes"
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
	"boneyard/cmd/sshd/outside"
	"boneyard/lobby"
	"boneyard/lobby/event"
	"boneyard/ui/plain"

	"github.com/caarlos0/env/v11"
	"github.com/spf13/pflag"
)

// envPrefix is the prefix of environment variables that correspond to flags.
const envPrefix = "BONEYARD_"

// Settings are an operator's choices. Each comes from a flag, else from the environment variable named after
// the field, else from DefaultSettings.
type Settings struct {
	Listen     string `flag:"listen" about:"<address> to serve SSH on"`
	Data       string `flag:"data" about:"data <file>; created if there is none"`
	HostKeys   string `flag:"host-keys" about:"<folder> with the host keys; a key is created if there is none"`
	PublicHost string `flag:"public-host" about:"<host[:port]> in invitations; without a port, the port of --listen"`

	Guests     lobby.GuestPolicy `flag:"guests" about:"what people without a key may do: <play|watch|off>"`
	Exhibition OnOff             `flag:"exhibition" about:"a table where house bots play while somebody watches: <on|off>"`
	Daily      OnOff             `flag:"daily" about:"the daily deal, the same for everybody: <on|off>"`

	ClockConfirm time.Duration `flag:"clock-confirm" about:"<time> of an even clock until events trust it after a leap; 0: at once"`

	RateOneNetwork OnOff    `flag:"rate-one-network" about:"also rate games between opponents on the same network: <on|off>"`
	Operators      []string `flag:"operators" about:"key fingerprints (SHA256:…) of operators, or <files> with fingerprints or public keys"`
	MaxSessions    int      `flag:"max-sessions" about:"maximum <number> of sessions at a time"`

	ExemptNetworks    []string `flag:"exempt-networks" about:"<networks> exempt from the limits by address"`
	ProxyProtocolFrom []string `flag:"proxy-protocol-from" about:"<networks> of proxies that begin each connection with a PROXY v2 header"`

	LogLevel      slog.Level `flag:"log-level" about:"log lines of this level and above: <debug|info|warn|error>"`
	LogFormat     LogFormat  `flag:"log-format" about:"format of the log: <text|json>"`
	Metrics       string     `flag:"metrics" about:"<address> to serve Prometheus metrics on, such as 127.0.0.1:9222 (default off)"`
	MetricsPublic bool       `flag:"metrics-public" about:"allow --metrics on an address that is not loopback"`
	Pprof         bool       `flag:"pprof" about:"also serve profiles on the metrics address"`

	Publish     string       `flag:"publish" about:"<folder> where a feed and a calendar of what is public are kept up to date"`
	Webhook     string       `flag:"webhook" about:"<address> to which news is posted"`
	WebhookForm outside.Form `flag:"webhook-form" about:"what is posted: <discord|matrix|json>"`
	WebhookKey  string       `flag:"webhook-key" about:"<file> with the secret that signs what is posted, or for matrix the access token"`

	Cluster       string   `flag:"cluster" about:"<name> of the cluster that this node belongs to (see docs/cluster.md)"`
	Node          string   `flag:"node" about:"<name> of this node in its cluster"`
	ClusterListen string   `flag:"cluster-listen" about:"<host:port> where the other nodes reach this one"`
	Peers         []string `flag:"peers" about:"--cluster-listen <addresses> of the other nodes"`
	ClusterKey    string   `flag:"cluster-key" about:"<file> with the secret that all nodes share"`
}

// DefaultSettings returns settings with which the server runs without further setup.
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
		WebhookForm:  outside.JSON,
		LogLevel:     slog.LevelInfo,
		LogFormat:    FormatText,
	}
}

// hostLetters are the characters of host names and addresses. Others are refused, since people paste
// invitations into their shells.
const hostLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:"

// settingError names the wrong setting by its flag or its variable.
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
	_, webhookKey := readWebhookKey(s.WebhookKey)
	for _, c := range []struct {
		flag  string
		wrong bool
		err   error
	}{
		{"listen", true, checkAddress(s.Listen)},
		{"data", true, checkData(s.Data)},
		{"host-keys", s.HostKeys == "", errors.New("must name a folder")},
		{"public-host", true, host},
		{"clock-confirm", s.ClockConfirm < 0 || s.ClockConfirm > lobby.MaxClockConfirm,
			fmt.Errorf("must be from 0 to %v, not %v", lobby.MaxClockConfirm, s.ClockConfirm)},
		{"max-sessions", s.MaxSessions < 1, fmt.Errorf("must be at least 1, not %d", s.MaxSessions)},
		{"exempt-networks", true, exempt},
		{"proxy-protocol-from", true, proxies},
		{"operators", true, operators},
		{"metrics", s.Metrics != "", checkAddress(s.Metrics)},
		{"metrics", s.Metrics != "" && !s.MetricsPublic && !isLoopback(s.Metrics),
			fmt.Errorf("%s can be reached from outside; set --metrics-public to allow it", s.Metrics)},
		{"pprof", s.Pprof && s.Metrics == "", errors.New("profiles are served on the address of --metrics, which is not set")},
		{"publish", s.Publish != "", checkFolder(s.Publish)},
		{"webhook", s.Webhook != "", outside.CheckURL(s.Webhook)},
		{"webhook", s.Webhook == "" && s.WebhookKey != "", errors.New("must be the address to which the news is posted")},
		{"webhook-key", s.Webhook != "" && s.WebhookForm == outside.Matrix && s.WebhookKey == "",
			errors.New("must name a file with an access token")},
		{"webhook-key", s.WebhookKey != "", webhookKey},
		{"cluster", s.Cluster == "" && (s.Node != "" || s.ClusterListen != "" || len(s.Peers) > 0 || s.ClusterKey != ""),
			errors.New("the cluster must have a name; without one this is a club on one machine")},
	} {
		if c.wrong && c.err != nil {
			return settingError{"--" + c.flag, c.err}
		}
	}
	if s.Cluster == "" {
		return nil
	}
	_, err := clusterConfig(s, nil)
	return err
}

// splitPublicHost splits the setting into a host and a port, perhaps empty. IPv6 with a port is in brackets.
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

// ReadEnvironment overwrites the settings that environ sets; environ is in the form of os.Environ.
func (s *Settings) ReadEnvironment(environ []string) error {
	err := env.ParseWithOptions(s, env.Options{Prefix: envPrefix, Environment: env.ToMap(environ), UseFieldNameByDefault: true})
	if pe, ok := errors.AsType[env.ParseError](err); ok {
		name := pe.Name
		if f, ok := reflect.TypeFor[Settings]().FieldByName(pe.Name); ok {
			name = variableOf(f.Tag.Get("flag"))
		}
		return settingError{name, plain.WrongValue(env.ToMap(environ)[name], pe.Err)}
	}
	return err
}

// wrongFlag returns the error for a command line that cannot be parsed.
func wrongFlag(err error) error {
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		err = settingError{"--" + wrong.GetFlag().Name, plain.WrongValue(wrong.GetValue(), errors.Unwrap(wrong))}
	}
	return usageError{err}
}

// checkData refuses what cannot be a data file (a folder, a device, no name) before files are made beside it.
func checkData(path string) error {
	if path == "" {
		return errors.New("must name a file")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil || info.Mode().IsRegular(): // opening it reports what is wrong
		return nil
	case info.IsDir():
		return fmt.Errorf("%q is a folder; name a file in it, such as %s", path, filepath.Join(path, DefaultSettings().Data))
	}
	return fmt.Errorf("%q is not a file", path)
}

// checkFolder returns an error unless path is a folder. None is created, since a web server has to know it.
func checkFolder(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%q is not a folder", path)
	}
	return err
}

// readWebhookKey reads the webhook's secret.
func readWebhookKey(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	b, err := gate.ReadPrivate(path)
	if b = bytes.TrimSpace(b); err == nil && (len(b) < 16 || bytes.ContainsAny(b, "\r\n")) {
		err = fmt.Errorf("%s: must hold a line of at least 16 characters", path)
	}
	return b, err
}

// unknownVariables returns the variables that look like settings and are not.
func unknownVariables(environ []string) (names []string) {
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		if strings.HasPrefix(name, envPrefix) && !slices.Contains(variables(), name) {
			names = append(names, name)
		}
	}
	return names
}

// variables returns the names of the variables that set something.
func variables() (names []string) {
	for f := range reflect.TypeFor[Settings]().Fields() {
		names = append(names, variableOf(f.Tag.Get("flag")))
	}
	return names
}

// variableOf returns the name of the variable that corresponds to a flag.
func variableOf(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// OnOff is a switch written as on or off.
type OnOff bool

// UnmarshalText parses on or off.
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

// MarshalText is the inverse of UnmarshalText.
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

// UnmarshalText parses a format; anything else is an error.
func (f *LogFormat) UnmarshalText(text []byte) error {
	switch v := LogFormat(text); v {
	case FormatText, FormatJSON:
		*f = v
		return nil
	}
	return fmt.Errorf("must be %s or %s, not %q", FormatText, FormatJSON, text)
}

// MarshalText is the inverse of UnmarshalText.
func (f LogFormat) MarshalText() ([]byte, error) { return []byte(f), nil }
