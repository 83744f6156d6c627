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
	"math/big"
	"time"
)

// secretFrom returns the TLS configuration with which nodes authenticate each other: each has a certificate
// signed by a key derived from the shared secret, and accepts no other.
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

// serverName is in all nodes' certificates: they prove knowledge of the secret, not an address.
const serverName = "node.boneyard.internal"

var (
	curve = elliptic.P256()
	begin = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) // nodes' clocks may differ
	end   = time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC)
)
