package cluster

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"time"
)

// secretFrom makes the TLS configuration with which nodes authenticate each other: each has a certificate signed by a key derived from the
// shared secret, and accepts no other.
func secretFrom(name string, key []byte) (*tls.Config, error) {
	seed, err := hkdf.Key(sha256.New, key, nil, "boneyard: certificates of the cluster "+name, ed25519.SeedSize)
	if err != nil {
		return nil, err
	}
	root := ed25519.NewKeyFromSeed(seed)
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "boneyard " + name}, NotBefore: begin, NotAfter: end,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, root.Public(), root)
	if err != nil {
		return nil, err
	}
	authority, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	own, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		return nil, err
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: serverName}, DNSNames: []string{serverName},
		NotBefore: begin, NotAfter: end, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	cert, err := x509.CreateCertificate(rand.Reader, leaf, authority, own.Public(), root)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(authority)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{cert}, PrivateKey: own}},
		RootCAs: pool, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert, ServerName: serverName,
	}, nil
}

// serverName is in all nodes' certificates, which prove knowledge of the secret, not an address.
const serverName = "node.boneyard.internal"

var (
	curve = elliptic.P256()
	begin = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) // nodes' clocks may differ
	end   = time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC)
)

// natsLogger passes messages of NATS on to the program's log, most of them at debug level: every second NATS
// reports nodes that it cannot reach, and members logs which nodes come and go. What will not mend by itself
// is logged in our own words, now and then.
type natsLogger struct {
	log *slog.Logger

	mu   sync.Mutex
	said map[string]time.Time // when each of our own messages was last logged
}

const sayAgain = 10 * time.Minute // after which one of our own messages may be repeated

func (l *natsLogger) Noticef(format string, v ...any) { l.debug(fmt.Sprintf(format, v...)) }
func (l *natsLogger) Warnf(format string, v ...any)   { l.debug(fmt.Sprintf(format, v...)) }
func (l *natsLogger) Errorf(format string, v ...any)  { l.debug(fmt.Sprintf(format, v...)) }
func (l *natsLogger) Debugf(string, ...any)           {}
func (l *natsLogger) Tracef(string, ...any)           {}

func (l *natsLogger) Fatalf(format string, v ...any) {
	l.log.Error("nats: " + fmt.Sprintf(format, v...))
}

func (l *natsLogger) debug(said string) {
	l.log.Debug("nats: " + said)
	switch {
	case strings.Contains(said, "TLS route handshake error") && strings.Contains(said, "certificate"):
		l.warn("cluster: a node has another key, or another name of the cluster: compare --cluster-key and --cluster", said)
	case strings.Contains(said, "connect to route") && (strings.Contains(said, "timeout") || strings.Contains(said, "no route") || strings.Contains(said, "unreachable")):
		_, why, _ := strings.Cut(said, "): ")
		l.warn(fmt.Sprintf("cluster: a node does not answer (%s): is that machine up, does a firewall let the port through, and is --peers right?", why), said)
	case strings.Contains(said, "lookup for host"):
		l.warn("cluster: the address of a node cannot be looked up: see --peers", said)
	case strings.Contains(said, "Stream create failed"):
		l.warn("cluster: this node's part of the log is damaged, so the club depends on the other nodes: stop this one, move its data file away with everything beside it "+
			"that begins with the same name, and start it: it copies another's", said)
	}
}

// warn logs one of our own messages, unless it was logged a short while ago.
func (l *natsLogger) warn(say, said string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, ok := l.said[say]; ok && time.Since(at) < sayAgain {
		return
	}
	if l.said == nil {
		l.said = make(map[string]time.Time)
	}
	l.said[say] = time.Now()
	l.log.Warn(say, "nats", said)
}
