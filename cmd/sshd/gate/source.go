package gate

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// source is what limits and penalties count as one caller: an IPv4 address, or an IPv6 /64, since
// that is what a single household or machine is given.
type source netip.Addr

func sourceOf(a netip.Addr) source {
	a = a.Unmap().WithZone("")
	if a.Is6() {
		p, err := a.Prefix(64)
		if err == nil {
			a = p.Addr()
		}
	}
	return source(a)
}

// addrOf returns the address of a TCP peer without port, unmapped; the zero Addr for anything else.
func addrOf(a net.Addr) netip.Addr {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap()
}

// Networks is a set of address ranges.
type Networks []netip.Prefix

// ParseNetworks reads networks such as 10.0.0.0/8, 2001:db8::/32 or single addresses. Empty entries
// are skipped.
func ParseNetworks(list []string) (Networks, error) {
	var ns Networks
	for _, s := range list {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		if !strings.Contains(s, "/") {
			a, err := netip.ParseAddr(s)
			if err != nil {
				return nil, fmt.Errorf("%q is neither an address nor a network", s)
			}
			a = a.Unmap()
			ns = append(ns, netip.PrefixFrom(a, a.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network", s)
		}
		ns = append(ns, p.Masked())
	}
	return ns, nil
}

// Contains reports whether a lies in one of the networks.
func (ns Networks) Contains(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, p := range ns {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
