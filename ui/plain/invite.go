package plain

import (
	"strconv"

	"boneyard/table"
)

// Invitation returns the command that leads to a table: to a seat while one may be free, otherwise to watching. It is empty if
// nobody may come. address is where the club is reached.
func Invitation(v *table.View, address string) string {
	id := strconv.FormatInt(int64(v.Table), 10)
	ssh := "ssh -t " + address
	switch {
	case v.HasRoom() && v.Config.Access != table.AccessCode:
		return ssh + " join " + id
	case v.HasRoom() && v.Code != "":
		return ssh + " join " + v.Code
	case v.Config.Watchers:
		return ssh + " watch " + id
	}
	return ""
}
