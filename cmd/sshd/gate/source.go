package gate

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"boneyard/lobby/limit"
)

// source is what limits and penalties count as one caller, see [limit.Household].
type source netip.Prefix

func sourceOf(a netip.Addr) source { return source(limit.Household(a)) }

// addrOf returns a TCP peer's address without its port, unmapped; the zero Addr for anything else.
func addrOf(a net.Addr) netip.Addr {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return tcp.AddrPort().Addr().Unmap()
}

// Networks is a set of address ranges.
type Networks []netip.Prefix

// ParseNetworks parses networks such as 10.0.0.0/8, 2001:db8::/32 or single addresses. It skips empty
// entries.
func ParseNetworks(list []string) (Networks, error) {
	var ns Networks
	for _, s := range list {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		p, err := netip.ParsePrefix(s)
		if err != nil {
			var a netip.Addr
			a, err = netip.ParseAddr(s)
			p = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("%q is neither an address nor a network", s)
		}
		if p.Addr().Is4In6() { // it would contain nothing
			return nil, fmt.Errorf("%q is an IPv4 network written as IPv6", s)
		}
		ns = append(ns, p.Masked())
	}
	return ns, nil
}

// Contains reports whether a lies in one of the networks.
func (ns Networks) Contains(a netip.Addr) bool {
	return slices.ContainsFunc(ns, func(p netip.Prefix) bool { return p.Contains(a.Unmap().WithZone("")) })
}
