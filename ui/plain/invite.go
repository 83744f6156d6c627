package plain

import (
	"strconv"

	"boneyard/table"
)

// Invitation is the command that leads to a table: to a seat while one may be free, else to look on. It is empty where nobody
// may. address is how the club is reached.
func Invitation(v *table.View, address string) string {
	id := strconv.FormatInt(int64(v.Table), 10)
	ssh := "ssh -t " + address
	switch {
	case v.Config.Access == table.AccessCode && v.Code != "" && !v.InGame():
		return ssh + " join " + v.Code
	case v.Config.Access != table.AccessCode && v.MaySit():
		return ssh + " join " + id
	case v.Config.Watchers:
		return ssh + " watch " + id
	}
	return ""
}
