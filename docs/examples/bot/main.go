// Command bot plays one game at the domino club by the protocol of docs/commands.md, and always takes what scores most.
// Its key needs an account first: ssh -i KEY -p 2222 HOST register NAME --bot
package main

import (
	"encoding/json"
	"log"
	"os"
	"slices"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

type option struct {
	Play, Arm string
	Points    int
}

type object struct {
	Type, Duty, Error string
	Version           uint64
	Options           []option
	Scores            []int
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: bot HOST:PORT KEYFILE KNOWN_HOSTS 'play new bots=now --json --bot'")
	}
	key := must(ssh.ParsePrivateKey(must(os.ReadFile(os.Args[2]))))
	client := must(ssh.Dial("tcp", os.Args[1], &ssh.ClientConfig{
		User: "bot", Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: must(knownhosts.New(os.Args[3])),
	}))
	session := must(client.NewSession())
	session.Stderr = os.Stderr
	send, read := json.NewEncoder(must(session.StdinPipe())), json.NewDecoder(must(session.StdoutPipe()))
	must(0, session.Start(os.Args[4]))
	must(0, send.Encode(map[string]any{"ready": true}))
	for o := (object{}); read.Decode(&o) == nil; o = (object{}) {
		switch {
		case o.Type == "error":
			log.Print(o.Error)
		case o.Type == "result":
			log.Print("the game is over with the scores ", o.Scores)
			must(0, send.Encode(map[string]any{"leave": true}))
		case o.Duty == "play":
			best := slices.MaxFunc(o.Options, func(a, b option) int { return a.Points - b.Points })
			must(0, send.Encode(map[string]any{"play": best.Play, "arm": best.Arm, "version": o.Version}))
		}
	}
	must(0, session.Wait())
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
