package golden_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	_ "boneyard/ui/golden"
)

// Every package of ui knows -update, with or without golden files: "go test ./ui/... -update" must not fail.
func TestEveryPackageKnowsUpdate(t *testing.T) {
	out, err := exec.Command("go", "list", "-test", "-f", `{{.ImportPath}} {{join .Deps " "}} `, "boneyard/ui/...").Output()
	require.NoError(t, err)
	tests := 0
	for line := range strings.SplitSeq(string(out), "\n") {
		if name, deps, _ := strings.Cut(line, " "); strings.HasSuffix(name, ".test") {
			tests++
			require.True(t, strings.Contains(deps, "boneyard/ui/golden "), `%s: import _ "boneyard/ui/golden"`, name)
		}
	}
	require.Greater(t, tests, 20)
}
