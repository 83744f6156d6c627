package outside

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"boneyard/lobby"
	"boneyard/lobby/text"
	"boneyard/table"
)

// Form is what a webhook understands.
type Form string

// The forms.
const (
	Discord Form = "discord" // a webhook of Discord's, or one that takes the same
	Matrix  Form = "matrix"  // a room of Matrix, by the API of clients; Key is an access token
	JSON    Form = "json"    // anything else
)

// UnmarshalText reads a form; anything else is an error.
func (f *Form) UnmarshalText(b []byte) error {
	switch v := Form(b); v {
	case Discord, Matrix, JSON:
		*f = v
		return nil
	}
	return fmt.Errorf("must be %s, %s or %s, not %q", Discord, Matrix, JSON, b)
}

// MarshalText is the reverse of UnmarshalText.
func (f Form) MarshalText() ([]byte, error) { return []byte(f), nil }

// Hook is where each piece of news is posted.
type Hook struct {
	URL  string // secret for Discord; never logged
	Form Form
	Key  []byte // signs what is posted; empty: nothing is signed
}

// CheckURL reports what is wrong with the address of a webhook. It does not repeat the address.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return errors.New("must be an address such as https://example.org/hook")
	case u.Scheme == "https":
		return nil
	case u.Scheme == "http" && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()):
		return nil
	}
	return errors.New("must begin with https://, since what is posted must not be changed on its way; http:// leads to this machine only")
}

// What is posted is bounded.
const (
	waiting  = 100 // pieces of news at most
	longest  = 500 // characters of one
	tries    = 8   // of one, in about four minutes
	timeout  = 10 * time.Second
	firstTry = time.Second      // after which it is tried again, and then twice as long
	mostWait = 10 * time.Minute // even if the other side asks for more
	ending   = 2 * time.Second  // for what waits when the club ends
)

// poster posts news, one after another.
type poster struct {
	Hook
	club   string // belongs to run
	log    *slog.Logger
	client *http.Transport // and no http.Client, which would follow redirects and log where they lead to
	queue  chan lobby.NewsItem
	ctx    context.Context // ends soon after close was called
	cancel context.CancelFunc
	closed chan struct{}
	done   chan struct{}
	first  time.Duration // firstTry, but for tests

	mu      sync.Mutex
	over    bool
	left    int   // out, since that was logged
	why     error // the last was
	trouble table.Seldom
}

func newPoster(h Hook, log *slog.Logger) *poster {
	p := &poster{
		Hook: h, log: log, queue: make(chan lobby.NewsItem, waiting), closed: make(chan struct{}), done: make(chan struct{}), first: firstTry,
		client: http.DefaultTransport.(*http.Transport).Clone(),
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// put has a piece of news posted, without waiting.
func (p *poster) put(n lobby.NewsItem) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	select {
	case p.queue <- n:
	default:
		p.leaveOut(errors.New("too much waits to be posted"))
	}
}

// leaveOut logs that a piece of news is not posted, or from time to time how many were not. With mu held.
func (p *poster) leaveOut(why error) {
	p.left++
	if p.why = why; p.trouble.Due(time.Now()) {
		p.sayLeftOut()
	}
}

// sayLeftOut logs how many were left out since that was logged, if any. With mu held.
func (p *poster) sayLeftOut() {
	if p.left > 0 {
		p.log.Warn("webhook: news is left out", "left_out", p.left, "err", text.Clip(p.why.Error(), longest)) // which may quote the answer
		p.left = 0
	}
}

// close ends the poster, which first posts what waits if that does not take long.
func (p *poster) close() {
	p.mu.Lock()
	if p.over {
		p.mu.Unlock()
		return
	}
	p.over = true
	close(p.queue)
	p.mu.Unlock()
	close(p.closed)
	timer := time.AfterFunc(ending, p.cancel)
	defer timer.Stop()
	<-p.done
	p.mu.Lock()
	p.sayLeftOut()
	p.mu.Unlock()
	p.cancel()
	p.client.CloseIdleConnections()
}

// run posts the news of a club.
func (p *poster) run(club string) {
	p.club = club
	defer close(p.done)
	for n := range p.queue {
		if err := p.deliver(&n); err != nil {
			p.mu.Lock()
			p.leaveOut(err)
			p.mu.Unlock()
		}
	}
}

// refused is the answer of a webhook that has not taken what was posted.
type refused struct {
	status int
	wait   time.Duration // after which to try again; 0 if it does not say
}

func (r *refused) Error() string { return fmt.Sprintf("the webhook answered %d", r.status) }

// final reports whether the same would be refused again.
func (r *refused) final() bool {
	return r.status < 500 && r.status != http.StatusTooManyRequests && r.status != http.StatusRequestTimeout
}

// deliver posts a piece of news, again and again if need be. After a failure that leaves open whether it has
// arrived, such as a timeout, it may arrive twice; it has the same Idempotency-Key.
func (p *poster) deliver(n *lobby.NewsItem) error {
	wait := p.first
	for try := 1; ; try++ {
		err := p.post(n)
		var no *refused
		if err == nil || try == tries || errors.As(err, &no) && no.final() {
			return err
		}
		d := wait/2 + rand.N(wait)
		if no != nil && no.wait > 0 {
			d = min(no.wait+rand.N(p.first), mostWait)
		}
		wait *= 2
		select {
		case <-time.After(d):
		case <-p.closed:
			return fmt.Errorf("the club ends: %w", err)
		}
	}
}

func (p *poster) post(n *lobby.NewsItem) error {
	ctx, cancel := context.WithTimeout(p.ctx, timeout)
	defer cancel()
	id := idOf(p.club, n)
	method, address := http.MethodPost, p.URL
	if p.Form == Matrix { // with the same number it is said once
		method, address = http.MethodPut, strings.TrimSuffix(p.URL, "/")+"/"+url.PathEscape(id)
	}
	body := p.body(n, id)
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address of the webhook cannot be used")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Boneyard")
	r.Header.Set("Idempotency-Key", id)
	switch {
	case p.Form == Matrix:
		r.Header.Set("Authorization", "Bearer "+string(p.Key))
	case len(p.Key) > 0:
		at := strconv.FormatInt(time.Now().Unix(), 10)
		r.Header.Set("X-Boneyard-Timestamp", at)
		r.Header.Set("X-Boneyard-Signature", "sha256="+sign(p.Key, at, body))
	}
	if u := r.URL.User; u != nil && p.Form != Matrix {
		password, _ := u.Password()
		r.SetBasicAuth(u.Username(), password)
	}
	answer, err := p.client.RoundTrip(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 4096) // so that the connection can be used again
	if answer.StatusCode/100 == 2 {
		return nil
	}
	return &refused{answer.StatusCode, retryAfter(answer.Header.Get("Retry-After"), time.Now())}
}

// sign is the HMAC-SHA256 of a time, a dot, and a body.
func sign(key []byte, at string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// retryAfter reads how long to wait, in seconds, or until when.
func retryAfter(s string, now time.Time) time.Duration {
	if sec, err := strconv.ParseFloat(s, 64); err == nil && sec > 0 {
		return time.Duration(min(sec, mostWait.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(s); err == nil {
		return min(max(at.Sub(now), 0), mostWait) // at is any year
	}
	return 0
}

// unmarked takes their meaning from the characters with which Discord marks text, links and mentions.
var unmarked = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `_`, `\_`, `~`, `\~`, `|`, `\|`, "`", "\\`", `>`, `\>`, `<`, `\<`, `[`, `\[`, `]`, `\]`,
	`#`, `\#`, `@`, "@\u200b", `://`, `:\//`)

// body is what is posted. No name or title in it calls anybody, and none is a link.
func (p *poster) body(n *lobby.NewsItem, id string) []byte {
	say := text.Clip(text.Printable(n.Text), longest)
	var v any
	switch p.Form {
	case Discord:
		const noPreviews = 1 << 2
		v = struct {
			Content string `json:"content"`
			Flags   int    `json:"flags"`
			Allowed any    `json:"allowed_mentions"`
		}{unmarked.Replace(say), noPreviews, map[string][]string{"parse": {}}}
	case Matrix:
		v = struct {
			Type     string   `json:"msgtype"`
			Body     string   `json:"body"`
			Mentions struct{} `json:"m.mentions"` // nobody
		}{Type: "m.notice", Body: say}
	default:
		v = struct {
			ID   string       `json:"id"`
			At   string       `json:"at"`
			Kind string       `json:"kind"`
			Text string       `json:"text"`
			Game table.GameID `json:"game,omitempty"`
		}{id, stamp(n.At), n.Kind, say, n.Game}
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only a bug leads here
	}
	return b
}
