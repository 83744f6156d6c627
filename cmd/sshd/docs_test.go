package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the dashboard, the alarms and the docs speak of is measured, and what is measured is in the docs.
func TestDocsNameTheMetricsThatThereAre(t *testing.T) {
	m, _ := mustRun(t, func(s *Settings) { s.Metrics = "127.0.0.1:0" })
	_, page := get(t, fmt.Sprintf("http://%s/metrics", m.MetricsAddr()))
	there := make(map[string]bool)
	for _, line := range strings.Split(page, "\n") {
		if name := regexp.MustCompile(`^[a-z_]+`).FindString(line); name != "" {
			there[name] = true
		}
	}
	known := func(name string) bool {
		return there[name] || there[name+"_count"] || there[strings.TrimSuffix(name, "_")]
	}
	var docs string
	for _, file := range []string{"alerts.yml", "grafana.json", "operation.md"} {
		text, err := os.ReadFile("../../docs/" + file)
		require.NoError(t, err)
		docs += string(text)
		for _, name := range regexp.MustCompile(`\b(boneyard|process|go_sched)_[a-z_]+`).FindAllString(string(text), -1) {
			require.True(t, known(name) || strings.Contains(name, "host_keys"), "%s speaks of %s", file, name)
		}
	}
	for name := range there {
		base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
		require.True(t, !strings.HasPrefix(name, "boneyard_") || strings.Contains(docs, base), "no document speaks of %s", name)
	}
}
