package board

// Size is the size in which the tiles are drawn.
func (p *Plan) Size() Size { return p.size }

// String names the size.
func (s Size) String() string {
	if s < Strip || s > Large {
		return "any"
	}
	return [...]string{"strip", "small", "medium", "large"}[s-1]
}
