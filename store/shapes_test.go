package store_test

import (
	"testing"

	"boneyard/lobby/event/eventtest"
	"boneyard/store"
)

// TestOperationsKeepTheirNames pins the kinds of the log's entries and their fields, which are names of Go types and of their fields: nodes
// of other versions read them, and a log holds them for weeks.
func TestOperationsKeepTheirNames(t *testing.T) {
	eventtest.Shapes(t, "operations.txt", store.OperationTypes)
}
