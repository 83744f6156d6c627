package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"
)

// programName is the program's installed name. As "sshd" it would hide OpenSSH's.
const programName = "boneyard"

// release, revision and its time are set by the linker for a build without the repository:
//
//	go build -ldflags '-X main.release=v1.2.0 -X main.revision=0123456789ab -X main.revised=2026-11-25T12:00:00Z' ./cmd/sshd
var release, revision, revised string

// buildVersion says what the program was built from.
type buildVersion struct {
	Release  string // such as v1.2.0, or "devel"
	Revision string // of the repository, or "unknown"
	Time     string // of the revision, in RFC 3339; may be empty
	Modified bool   // the sources had uncommitted changes
	Go       string
}

// readVersion reads what the Go command and the linker stored in the program.
func readVersion() buildVersion {
	v := buildVersion{Release: "devel", Revision: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if ok {
		v.Go = info.GoVersion
		// For an untagged revision the Go command makes up a version from its time, which says nothing new.
		if m := info.Main.Version; m != "" && m != "(devel)" && !strings.HasPrefix(m, "v0.0.0-") {
			v.Release, _, _ = strings.Cut(m, "+")
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Revision = s.Value[:min(12, len(s.Value))]
			case "vcs.time":
				v.Time = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	if release != "" {
		v.Release = release
	}
	if revision != "" {
		v.Revision = revision[:min(12, len(revision))]
	}
	if revised != "" {
		v.Time = revised
	}
	return v
}

// short returns the version in a few words, for screens.
func (v buildVersion) short() string {
	s := v.Release
	if v.Revision != "unknown" {
		s += " (" + v.Revision
		if v.Modified {
			s += ", modified"
		}
		s += ")"
	}
	return s
}

// String returns the version in one line.
func (v buildVersion) String() string {
	s := fmt.Sprintf("%s %s, revision %s", programName, v.Release, v.Revision)
	if v.Modified {
		s += " with changes"
	}
	if v.Time != "" {
		s += " of " + v.Time
	}
	return s + ", built with " + v.Go
}

// collector returns a metric that is always 1, with the version in its labels.
func (v buildVersion) collector() prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "boneyard_build_info",
		Help: "Always 1; the labels say from what the program was built.",
		ConstLabels: prometheus.Labels{
			"version": v.Release, "revision": v.Revision, "modified": fmt.Sprint(v.Modified), "goversion": v.Go,
		},
	})
	g.Set(1)
	return g
}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and what the program was built from",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), readVersion())
			return err
		},
	}
}
