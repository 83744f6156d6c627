package board

// Direction is the direction of piece i, one of four.
func (p *Plan) Direction(i int) int { return int(p.lies[i].dir) }
