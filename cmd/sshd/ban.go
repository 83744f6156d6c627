package main

import (
	"net/netip"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/lobby/text"
)

// banned returns the text for a caller whose key or network is banned; empty for all others. It reads memory
// only.
func (c *club) banned(addr netip.Addr, key gate.KeyID) string {
	why, until, banned := c.lobby.Banned(addr, lobby.KeyID(key))
	if !banned {
		return ""
	}
	return text.Printable((&lobby.SanctionError{Kind: lobby.SanctionBan, Why: why, Until: until}).Error())
}
