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

// Form is the format that a webhook accepts.
type Form string

// The forms.
const (
	Discord Form = "discord" // a Discord webhook, or one that accepts the same
	Matrix  Form = "matrix"  // a Matrix room, by the client API; Key is an access token
	JSON    Form = "json"    // anything else
)

// UnmarshalText parses a form; anything else is an error.
func (f *Form) UnmarshalText(b []byte) error {
	switch v := Form(b); v {
	case Discord, Matrix, JSON:
		*f = v
		return nil
	}
	return fmt.Errorf("must be %s, %s or %s, not %q", Discord, Matrix, JSON, b)
}

// MarshalText is the inverse of UnmarshalText.
func (f Form) MarshalText() ([]byte, error) { return []byte(f), nil }

// Hook says where and how news is posted.
type Hook struct {
	URL  string // secret for Discord; never logged
	Form Form
	Key  []byte // signs posts; empty for no signature
}

// CheckURL reports what is wrong with a webhook's address, without repeating it.
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

// Limits of posts.
const (
	waiting  = 100 // news items
	longest  = 500 // characters of an item
	tries    = 8   // for an item, over about four minutes
	timeout  = 10 * time.Second
	firstTry = time.Second      // before the second try, and then twice as long
	mostWait = 10 * time.Minute // even if the webhook asks for more
	ending   = 2 * time.Second  // for waiting items when the club closes
)

// poster posts news items, one after another.
type poster struct {
	Hook
	club   string // used by run only
	log    *slog.Logger
	client *http.Transport // not an http.Client, which would follow redirects and log their targets
	queue  chan lobby.NewsItem
	ctx    context.Context // ends soon after close is called
	cancel context.CancelFunc
	closed chan struct{}
	done   chan struct{}
	first  time.Duration // firstTry, except in tests

	mu      sync.Mutex
	over    bool
	left    int   // omitted items that are not logged yet
	why     error // the reason for the last of them
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

// put queues a news item without waiting.
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

// leaveOut counts a news item that is not posted, and logs the number from time to time. With mu held.
func (p *poster) leaveOut(why error) {
	p.left++
	if p.why = why; p.trouble.Due(time.Now()) {
		p.sayLeftOut()
	}
}

// sayLeftOut logs how many items were omitted since the last time, if any. With mu held.
func (p *poster) sayLeftOut() {
	if p.left > 0 {
		p.log.Warn("webhook: news is left out", "left_out", p.left, "err", text.Clip(p.why.Error(), longest)) // err may quote the answer
		p.left = 0
	}
}

// close ends the poster, after posting what waits if that does not take long.
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

// refused is a webhook's answer that rejects a post.
type refused struct {
	status int
	wait   time.Duration // before trying again; 0 if not given
}

func (r *refused) Error() string { return fmt.Sprintf("the webhook answered %d", r.status) }

// final reports whether the same post would be rejected again.
func (r *refused) final() bool {
	return r.status < 500 && r.status != http.StatusTooManyRequests && r.status != http.StatusRequestTimeout
}

// deliver posts a news item, repeatedly if need be. After a failure such as a timeout, which does not tell
// whether the item has arrived, it may arrive twice, with the same Idempotency-Key.
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
	if p.Form == Matrix { // an identifier is posted only once
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
	_, _ = io.CopyN(io.Discard, answer.Body, 4096) // so that the connection can be reused
	if answer.StatusCode/100 == 2 {
		return nil
	}
	return &refused{answer.StatusCode, retryAfter(answer.Header.Get("Retry-After"), time.Now())}
}

// sign returns the HMAC-SHA256 of a time, a dot, and a body.
func sign(key []byte, at string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// retryAfter parses a wait in seconds, or until a time.
func retryAfter(s string, now time.Time) time.Duration {
	if sec, err := strconv.ParseFloat(s, 64); err == nil && sec > 0 {
		return time.Duration(min(sec, mostWait.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(s); err == nil {
		return min(max(at.Sub(now), 0), mostWait) // at may be in any year
	}
	return 0
}

// unmarked escapes the characters with which Discord marks text, links and mentions.
var unmarked = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `_`, `\_`, `~`, `\~`, `|`, `\|`, "`", "\\`", `>`, `\>`, `<`, `\<`,
	`[`, `\[`, `]`, `\]`, `#`, `\#`, `@`, "@\u200b", `://`, `:\//`)

// body returns a post's body. No name or title in it can mention anybody or become a link.
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
