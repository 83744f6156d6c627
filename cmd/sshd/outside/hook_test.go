package outside

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"boneyard/lobby"
)

// server is a webhook that answers as told, and records requests.
type server struct {
	*httptest.Server
	came chan *http.Request // their bodies are in bodies
	mu   sync.Mutex
	body []string
}

func newServer(t *testing.T, answer func(try int, w http.ResponseWriter)) *server {
	s := &server{came: make(chan *http.Request, 1000)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.body = append(s.body, string(b))
		n := len(s.body)
		s.mu.Unlock()
		answer(n, w)
		s.came <- r
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.body...)
}

func startHook(t *testing.T, h Hook) (*Teller, *lockedLog) {
	log := &lockedLog{}
	teller := New(Config{Hook: h, Log: slog.New(slog.NewTextHandler(log, nil))})
	teller.hook.first = time.Millisecond
	teller.Start(&fakeClub{})
	t.Cleanup(teller.Close)
	return teller, log
}

func item(id int64, text string) *lobby.NewsItem {
	return &lobby.NewsItem{ID: id, At: noon, Kind: lobby.NewsResult, Text: text, Game: 7}
}

func TestWhatIsPosted(t *testing.T) {
	for _, form := range []Form{Discord, Matrix, JSON} {
		s := newServer(t, func(int, http.ResponseWriter) {})
		teller, _ := startHook(t, Hook{URL: s.URL + "/secret", Form: form, Key: []byte("a key of letters")})
		for i, say := range hostile {
			teller.Told(item(int64(i+1), say))
		}
		for i := range hostile {
			r := <-s.came
			body := s.bodies()[i]
			require.LessOrEqual(t, len(body), 8000)
			var v map[string]any
			require.NoError(t, json.Unmarshal([]byte(body), &v), body)
			if form == Matrix {
				require.Equal(t, http.MethodPut, r.Method)
				require.Equal(t, "/secret/"+r.Header.Get("Idempotency-Key"), r.URL.Path)
				require.Equal(t, "Bearer a key of letters", r.Header.Get("Authorization"))
				require.Equal(t, map[string]any{}, v["m.mentions"])
				continue
			}
			require.Equal(t, http.MethodPost, r.Method)
			require.Equal(t, "sha256="+sign([]byte("a key of letters"), r.Header.Get("X-Boneyard-Timestamp"), []byte(body)),
				r.Header.Get("X-Boneyard-Signature"))
			if form == Discord {
				require.Equal(t, map[string]any{"parse": []any{}}, v["allowed_mentions"])
				require.NotContains(t, v["content"], "@everyone")
				require.NotContains(t, v["content"], "://")
			}
		}
	}
}

// A post that fails for a while is repeated, in order and with the same number; a rejected one is not.
func TestRetries(t *testing.T) {
	s := newServer(t, func(try int, w http.ResponseWriter) {
		switch try {
		case 1:
			w.WriteHeader(http.StatusBadGateway)
		case 2:
			w.Header().Set("Retry-After", "0.01")
			w.WriteHeader(http.StatusTooManyRequests)
		case 4:
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(http.StatusFound)
		case 5:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	teller, log := startHook(t, Hook{URL: s.URL + "/secret", Form: JSON})
	for i := range 4 {
		teller.Told(item(int64(i+1), "news"))
	}
	var ids []string
	for range 6 {
		r := <-s.came
		require.Empty(t, r.Header.Get("X-Boneyard-Signature"))
		ids = append(ids, r.Header.Get("Idempotency-Key"))
	}
	require.Equal(t, ids[0], ids[1])
	require.Equal(t, ids[0], ids[2])
	require.Len(t, map[string]bool{ids[2]: true, ids[3]: true, ids[4]: true, ids[5]: true}, 4)
	teller.Close()
	require.Contains(t, log.String(), "the webhook answered 302")
	require.NotContains(t, log.String(), "secret")
}

// A webhook that hangs delays nobody: excess news is omitted, and closing does not wait for it.
func TestAWebhookThatHangs(t *testing.T) {
	hang := make(chan struct{})
	s := newServer(t, func(int, http.ResponseWriter) { <-hang })
	teller, log := startHook(t, Hook{URL: s.URL + "/secret", Form: JSON})
	for i := range 3 * waiting {
		teller.Told(item(int64(i+1), "news"))
	}
	require.Contains(t, log.String(), "too much waits")
	teller.hook.cancel() // as if the time that is left at the end were over
	teller.Close()
	teller.Told(item(1, "after the end"))
	close(hang)
	require.NotContains(t, log.String(), "secret")

	teller, log = startHook(t, Hook{URL: "http://127.0.0.1:1/secret", Form: JSON})
	teller.Told(item(1, "news"))
	teller.Close()
	require.Contains(t, log.String(), "refused")
	require.NotContains(t, log.String(), "secret")
}

// Whatever a webhook answers, the log stays short, and does not say its address. A name and a password in that are sent.
func TestAHostileAnswer(t *testing.T) {
	s := newServer(t, func(try int, w http.ResponseWriter) {
		switch try {
		case 1:
			w.Header().Set("Location", "/secret/%zz"+strings.Repeat("x", 100_000))
			w.WriteHeader(http.StatusFound)
		default:
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_, _ = conn.Write(bytes.Repeat([]byte("y\x01"), 100_000))
				_, _ = conn.Write([]byte("\r\n\r\n"))
				_ = conn.Close()
			}
		}
	})
	for i := range 2 {
		teller, log := startHook(t, Hook{URL: strings.Replace(s.URL, "://", "://ana:pass@", 1) + "/secret", Form: JSON})
		teller.Told(item(int64(i+1), "news"))
		name, password, _ := (<-s.came).BasicAuth()
		require.Equal(t, "ana pass", name+" "+password)
		teller.Close()
		require.Contains(t, log.String(), "left out")
		require.Less(t, len(log.String()), 2*longest)
		require.NotContains(t, log.String(), "secret")
	}
}

func TestRetryAfter(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"": 0, "5": 5 * time.Second, "0.5": time.Second / 2, "-3": 0, "NaN": 0, "Inf": mostWait, "1e99": mostWait, "soon": 0,
		"Sat, 21 Nov 2026 12:00:30 GMT": 30 * time.Second, "Sat, 21 Nov 2026 11:00:00 GMT": 0,
		"Fri, 31 Dec 9999 23:59:59 GMT": mostWait,
	} {
		require.Equal(t, want, retryAfter(s, noon), s)
	}
}

func TestCheckURL(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://discord.com/api/webhooks/1/secret": true, "http://localhost:9/secret": true, "http://[::1]/secret": true,
		"http://example.org/secret": false, "ftp://example.org/secret": false, "secret": false, "https:///secret": false,
		"http://%zz/secret": false,
	} {
		err := CheckURL(address)
		require.Equal(t, ok, err == nil, address)
		if err != nil {
			require.NotContains(t, err.Error(), "secret")
		}
	}
}

// The log accounts for all omitted news.
func TestAllThatIsLeftOutIsLogged(t *testing.T) {
	hang := make(chan struct{})
	s := newServer(t, func(int, http.ResponseWriter) { <-hang })
	teller, log := startHook(t, Hook{URL: s.URL + "/secret", Form: JSON})
	for i := range 3 * waiting {
		teller.Told(item(int64(i+1), "news"))
	}
	teller.hook.cancel() // as if the time that is left at the end were over
	teller.Close()
	close(hang)
	sum := 0
	for _, m := range regexp.MustCompile(`left_out=(\d+)`).FindAllStringSubmatch(log.String(), -1) {
		n, _ := strconv.Atoi(m[1])
		sum += n
	}
	require.Equal(t, 3*waiting, sum, log.String())
}
