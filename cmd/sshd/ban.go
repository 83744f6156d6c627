package main

import (
	"net/netip"

	"boneyard/cmd/sshd/gate"
	"boneyard/lobby"
	"boneyard/lobby/text"
)

// banned is what a caller reads whose key or network is banned; empty for all others. It asks memory only.
func (c *club) banned(addr netip.Addr, key gate.KeyID) string {
	why, until, banned := c.lobby.Banned(addr, lobby.KeyID(key))
	if !banned {
		return ""
	}
	return text.Printable((&lobby.SanctionError{Kind: lobby.SanctionBan, Why: why, Until: until}).Error())
}
