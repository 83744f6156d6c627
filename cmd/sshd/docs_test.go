package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"boneyard/cmd/sshd/flags"
)

// allMetrics are those of a club and those of a node, as Prometheus reads them.
func allMetrics(t *testing.T) string {
	t.Helper()
	m, _ := mustRun(t, func(s *Settings) { s.Metrics = "127.0.0.1:0" })
	_, page := get(t, fmt.Sprintf("http://%s/metrics", m.MetricsAddr()))
	_, reg := nodeAlone(t)
	w := httptest.NewRecorder()
	promhttp.HandlerFor(reg, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return page + w.Body.String()
}

// The docs mention all metrics, and only existing ones.
func TestDocsNameTheMetricsThatThereAre(t *testing.T) {
	there := make(map[string]bool)
	for _, line := range strings.Split(allMetrics(t), "\n") {
		if name := regexp.MustCompile(`^[a-z_]+`).FindString(line); name != "" {
			there[name] = true
		}
	}
	known := func(name string) bool {
		return there[name] || there[name+"_count"] || there[strings.TrimSuffix(name, "_")]
	}
	var docs string
	for _, file := range []string{"alerts.yml", "alerts_test.yml", "grafana.json", "operation.md", "cluster.md", "performance.md"} {
		text := readFile(t, "../../docs/"+file)
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

// Each alert has a case in which it fires and one in which it does not; Prometheus, if installed, agrees.
func TestEveryAlertIsTested(t *testing.T) {
	rules := readFile(t, "../../docs/alerts.yml")
	tests := readFile(t, "../../docs/alerts_test.yml")
	alerts := regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1)
	require.GreaterOrEqual(t, len(alerts), 15)
	for _, a := range alerts {
		require.Regexp(t, `eval_time: \d+m, alertname: `+a[1]+` }`, string(tests), "a case in which it does not fire")
		require.Regexp(t, `eval_time: \d+m\n +alertname: `+a[1]+`\n +exp_alerts:\n +- exp_labels: `, string(tests), "a case in which it fires")
	}
	for _, name := range []string{"boneyard_cluster_", "boneyard_tables_set_aside"} {
		require.Contains(t, string(rules), name)
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("there is no promtool here")
	}
	for _, args := range [][]string{{"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = "../../docs"
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}

// labelsOf reads a page of metrics and returns the values of each label of each metric.
func labelsOf(page string) map[string]map[string][]string {
	all := make(map[string]map[string][]string)
	for _, m := range regexp.MustCompile(`(?m)^([a-z_]+)\{([^}]*)\}`).FindAllStringSubmatch(page, -1) {
		if all[m[1]] == nil {
			all[m[1]] = make(map[string][]string)
		}
		for _, l := range regexp.MustCompile(`([a-z_]+)="([^"]*)"`).FindAllStringSubmatch(m[2], -1) {
			all[m[1]][l[1]] = append(all[m[1]][l[1]], l[2])
		}
	}
	return all
}

// expressions are the queries of the dashboard and of the alerting rules, each with the text shown with its result.
func expressions(t *testing.T) (found [][2]string) {
	t.Helper()
	rules := readFile(t, "../../docs/alerts.yml")
	for _, rule := range strings.Split(string(rules), "- alert:")[1:] {
		expr := regexp.MustCompile(`expr: (.*)`).FindStringSubmatch(rule)
		require.NotNil(t, expr, rule)
		found = append(found, [2]string{expr[1], rule})
	}
	text := readFile(t, "../../docs/grafana.json")
	var board struct {
		Panels []struct {
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &board))
	for _, p := range board.Panels {
		for _, q := range p.Targets {
			found = append(found, [2]string{q.Expr, q.LegendFormat})
		}
	}
	return found
}

// The queries of the dashboard and of the alerting rules use labels that the metrics have, with values that
// occur, and select only this program: other programs in Go have some of the same metrics.
func TestQueriesOfTheDocsFindSomething(t *testing.T) {
	page := allMetrics(t)
	labels := labelsOf(page)
	all := expressions(t)
	require.Greater(t, len(all), 20)
	asked := 0
	for _, e := range all {
		expr, written := e[0], e[1]
		has := map[string]bool{"job": true, "instance": true, "alertname": true} // which Prometheus gives
		for _, name := range regexp.MustCompile(`\b(?:boneyard|process|go)_[a-z_]+`).FindAllString(expr, -1) {
			require.Contains(t, page, "\n"+name, "%s", expr)
			require.Regexp(t, name+`\{job="(boneyard"|\$job", instance=~"\$instance")`, expr)
			for label := range labels[name] {
				has[label] = true
			}
		}
		for _, sel := range regexp.MustCompile(`([a-z_]+)\{([^}]*)\}`).FindAllStringSubmatch(expr, -1) {
			for _, l := range regexp.MustCompile(`([a-z_]+)(=~|!=|!~|=)"([^"]*)"`).FindAllStringSubmatch(sel[2], -1) {
				if l[1] == "job" || l[1] == "instance" {
					continue
				}
				asked++
				values := labels[sel[1]][l[1]]
				require.NotEmpty(t, values, "%s: %s has no label %s", expr, sel[1], l[1])
				if l[2] == "=" || l[2] == "!=" {
					require.Contains(t, values, l[3], "%s", expr)
				}
			}
		}
		for _, by := range regexp.MustCompile(`by \(([^)]*)\)`).FindAllStringSubmatch(expr, -1) {
			for _, l := range strings.Split(by[1], ",") {
				require.True(t, has[strings.TrimSpace(l)], "%s: no label %s", expr, l)
			}
		}
		for _, l := range regexp.MustCompile(`(?:\$labels\.|\{\{ ?)([a-z_]+)`).FindAllStringSubmatch(written, -1) {
			require.True(t, has[l[1]], "%s: no label %s in %q", expr, l[1], written)
		}
	}
	require.Positive(t, asked)
}

// The unit keeps its security score, and systemd finds nothing wrong with the files.
func TestUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("there is no systemd-analyze here")
	}
	out, err := exec.Command(analyze, "security", "--offline=true", "--threshold=15", "../../docs/boneyard.service").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "Overall exposure level for boneyard.service: 1.")
}

// docs/settings.md has every flag with its variable, its default and its help.
func TestTheReferenceHasEverySetting(t *testing.T) {
	text := readFile(t, "../../docs/settings.md")
	rows := regexp.MustCompile("(?m)^\\| `--.*$").FindAllString(string(text), -1)
	s := DefaultSettings()
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.SortFlags = false
	flags.Declare(all, &s)
	var want []string
	all.VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		usage, _, _ = strings.Cut(usage, " (default")
		variable := variableOf(f.Name)
		require.Contains(t, variables(), variable)
		value := strings.Trim(f.DefValue, "[]")
		if value != "" {
			value = " `" + value + "`"
		}
		want = append(want, fmt.Sprintf("| `--%s` | `%s` |%s | %s |", f.Name, variable, value, strings.ReplaceAll(usage, "|", `\|`)))
	})
	require.Equal(t, strings.Join(want, "\n"), strings.Join(rows, "\n"))
}
