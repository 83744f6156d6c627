package lobby_test

import (
	"reflect"
	"testing"

	"boneyard/lobby"
	"boneyard/lobby/event/eventtest"
)

// TestJournalsOfEvents pins what the configurations and the journals of events say, since data files hold them.
func TestJournalsOfEvents(t *testing.T) {
	all := map[string]reflect.Type{}
	for kind, of := range lobby.EventKinds() {
		all[string(kind)] = reflect.TypeOf(of.Config)
		for entry, data := range of.Data {
			all[string(kind)+"/"+entry] = data
		}
	}
	eventtest.Shapes(t, "journals.txt", all)
}
