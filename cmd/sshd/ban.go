package main

import (
	"net/netip"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/lobby/text"
)

// banned returns what to tell a caller whose key or network is banned, or "". It reads only memory.
func (c *club) banned(addr netip.Addr, key gate.KeyID) string {
	why, until, banned := c.lobby.Banned(addr, lobby.KeyID(key))
	if !banned {
		return ""
	}
	return text.Printable((&lobby.SanctionError{Kind: lobby.SanctionBan, Why: why, Until: until}).Error())
}
