package attack

import (
	"context"
	"encoding/json"
	"io"

	"boneyard/cmd/sshload/server"
)

// hostileCommand starts this program as the hostile clients, if hostileVariable is set as well: nobody calls it by hand. They
// are a process of their own, so that those whose delays are measured do not wait for attackers on their own side.
const (
	Command  = "hostile"
	Variable = "SSHLOAD_HOSTILE"
)

// Run reads a campaign, attacks until there is nothing more to read, and writes what it has done.
func Run(in io.Reader, out io.Writer) error {
	var o Campaign
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return err
	}
	club, err := server.Loopback(o.Club)
	if err != nil {
		return err
	}
	o.Club = club
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, in) // ends with whoever has started this, too
		cancel()
	}()
	return json.NewEncoder(out).Encode(o.run(ctx))
}
