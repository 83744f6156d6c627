package store

import (
	"testing"

	"boneyard/lobby/event/eventtest"
)

// TestOperationsKeepTheirNames pins the kinds of the log's entries and their fields, which are names of Go types and of their fields: nodes
// of other versions read them, and a log holds them for weeks.
func TestOperationsKeepTheirNames(t *testing.T) { eventtest.Shapes(t, "operations.txt", operations) }
