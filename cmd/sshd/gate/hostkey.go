package gate

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/charmbracelet/keygen"
	gossh "golang.org/x/crypto/ssh"
)

// hostKeyName is the file that a new host key is written to.
const hostKeyName = "ssh_host_ed25519_key"

// LoadHostKeys reads the private keys ssh_host_*_key in dir. If there are none it makes an Ed25519 key
// there, readable by the owner only, and the folder if need be. made is the new key's file, empty if
// the keys were there.
func LoadHostKeys(dir string) (keys []gossh.Signer, made string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "ssh_host_*_key"))
	if err != nil {
		return nil, "", fmt.Errorf("look for host keys in %s: %w", dir, err)
	}
	if len(files) == 0 {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, "", fmt.Errorf("make the folder of host keys: %w", err)
		}
		made = filepath.Join(dir, hostKeyName)
		if err := makeHostKey(made); err != nil {
			return nil, "", fmt.Errorf("make a host key: %w", err)
		}
		files = []string{made}
	}
	for _, f := range files {
		pem, err := os.ReadFile(f)
		if err != nil {
			return nil, "", fmt.Errorf("read host key: %w", err)
		}
		key, err := gossh.ParsePrivateKey(pem)
		if err != nil {
			return nil, "", fmt.Errorf("host key %s: %w", f, err)
		}
		keys = append(keys, key)
	}
	return keys, made, nil
}

// makeHostKey writes a new key to path and its public half to path.pub. The private key appears under
// its name only when it is complete and on disk, so that a crash cannot leave half a key.
func makeHostKey(path string) error {
	pair, err := keygen.New(path, keygen.WithKeyType(keygen.Ed25519))
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new_host_key_*") // made with mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.Write(pair.RawPrivateKey())
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	// Link, not rename: if another process was quicker, its key stays.
	if err := os.Link(tmp.Name(), path); err != nil {
		return err
	}
	return os.WriteFile(path+".pub", []byte(pair.AuthorizedKey()+"\n"), 0o644)
}
