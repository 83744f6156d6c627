package rules

// Seat is a place at the table, 1 to 4, in turn order. 0 stands for nobody, or for the gallery.
type Seat uint8

// Side is a player, numbered as the seat, or a partnership: 1 is seats 1+3, 2 is seats 2+4. 0 is none.
type Side uint8

// MaxSeats is the highest number of seats of any game.
const MaxSeats = 4

// Next returns the seat that plays after s at a table of n seats.
func (s Seat) Next(n int) Seat {
	if int(s) >= n {
		return 1
	}
	return s + 1
}

// SideOf returns the side of a seat, with or without partners.
func SideOf(s Seat, teams bool) Side {
	if teams && s > 2 {
		return Side(s - 2)
	}
	return Side(s)
}

// SideCount is the number of sides at a table of n seats.
func SideCount(n int, teams bool) int {
	if teams {
		return 2
	}
	return n
}
