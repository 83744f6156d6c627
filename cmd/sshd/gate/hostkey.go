package gate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/charmbracelet/keygen"
	gossh "golang.org/x/crypto/ssh"

	"boneyard/store/fsync"
)

// LoadHostKeys reads the private keys ssh_host_*_key in dir. If there are none, it makes an Ed25519 key
// there, readable by its owner only, and dir itself if need be. made is the new key's file, or empty. As
// OpenSSH does, it refuses a key that anybody but its owner may read or write: with it, they can pose as this
// server. For a symbolic link, the mode of its target counts.
func LoadHostKeys(dir string) (keys []gossh.Signer, made string, err error) {
	const hostKeyName = "ssh_host_ed25519_key" // the file name of a new host key
	files, err := HostKeyFiles(dir)
	if err != nil {
		return nil, "", err
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
		key, err := readHostKey(f)
		if err != nil {
			return nil, "", err
		}
		// Clients would get one of the two, and people would compare it with the fingerprint of the other.
		sameType := func(k gossh.Signer) bool { return k.PublicKey().Type() == key.PublicKey().Type() }
		if other := slices.IndexFunc(keys, sameType); other >= 0 {
			return nil, "", fmt.Errorf("host keys %s and %s are both of type %s: keep one of them; to change to the other one later, call it %s",
				files[other], f, key.PublicKey().Type(), strings.TrimSuffix(f, "_key")+nextSuffix)
		}
		keys = append(keys, key)
	}
	return keys, made, nil
}

// HostKeyFiles lists the private keys ssh_host_*_key in dir; none if dir does not exist.
func HostKeyFiles(dir string) ([]string, error) { return keyFiles(dir, "_key") }

// keyFiles lists the files ssh_host_* in dir that end in end. If dir cannot be read it returns an error,
// since LoadHostKeys would make a new key where it finds none.
func keyFiles(dir, end string) (files []string, err error) {
	all, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for host keys: %w", err)
	}
	for _, f := range all {
		if ok, _ := filepath.Match("ssh_host_*"+end, f.Name()); ok {
			files = append(files, filepath.Join(dir, f.Name()))
		}
	}
	return files, nil
}

// nextSuffix ends the names of keys that will follow those in use.
const nextSuffix = "_key.next"

// LoadNextHostKeys reads the private keys ssh_host_*_key.next in dir, for [Config.NextHostKeys].
func LoadNextHostKeys(dir string) (keys []gossh.Signer, err error) {
	files, err := keyFiles(dir, nextSuffix)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		key, err := readHostKey(f)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// RenewPublic rewrites each public half ssh_host_*_key.pub in dir that does not match its key, as happens
// when a key is replaced: ssh-keygen -l shows the public half rather than the key's own. It returns the files
// that it has rewritten.
func RenewPublic(dir string) (renewed []string, err error) {
	halves, err := keyFiles(dir, "_key.pub")
	for _, f := range halves {
		key, wrong := readHostKey(strings.TrimSuffix(f, ".pub"))
		was, unread := os.ReadFile(f)
		if errors.Is(wrong, fs.ErrNotExist) {
			continue
		}
		if wrong = errors.Join(wrong, unread); wrong == nil && !isHalf(was, key) {
			wrong = os.WriteFile(f, gossh.MarshalAuthorizedKey(key.PublicKey()), 0o644)
			renewed = append(renewed, f)
		}
		err = errors.Join(err, wrong)
	}
	return renewed, err
}

// isHalf reports whether file holds the public half of key.
func isHalf(file []byte, key gossh.Signer) bool {
	half, _, _, _, err := gossh.ParseAuthorizedKey(file)
	return err == nil && bytes.Equal(half.Marshal(), key.PublicKey().Marshal())
}

func readHostKey(path string) (gossh.Signer, error) {
	pem, err := ReadPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("read host key: %w", err)
	}
	key, err := gossh.ParsePrivateKey(pem)
	if err != nil {
		return nil, fmt.Errorf("host key %s: %w", path, err)
	}
	return key, nil
}

// ReadPrivate reads a file of at most 64 kB, such as a key, that only its owner may use; it refuses any
// other.
func ReadPrivate(path string) ([]byte, error) {
	const maxPrivate = 64 << 10 // the size limit of a private key file, in bytes
	// Opening a pipe would otherwise block until somebody writes to it.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	case info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows": // Windows has no such modes
		return nil, fmt.Errorf("%s has mode %04o: others than its owner can use it; try chmod 600 %[1]s", path, info.Mode().Perm())
	case info.Size() > maxPrivate:
		return nil, fmt.Errorf("%s is too long for a key", path)
	}
	return io.ReadAll(io.LimitReader(f, maxPrivate))
}

// makeHostKey writes a new key to path and its public half to path.pub.
func makeHostKey(path string) error {
	pair, err := keygen.New(path, keygen.WithKeyType(keygen.Ed25519))
	if err != nil {
		return err
	}
	// If another process was quicker, its key stays.
	err = fsync.Create(path, func(f *os.File) error {
		_, err := f.Write(pair.RawPrivateKey())
		return err
	})
	if err != nil {
		return err
	}
	return os.WriteFile(path+".pub", []byte(pair.AuthorizedKey()+"\n"), 0o644)
}
