package board

// Direction is the one of four directions in which piece i lies.
func (p *Plan) Direction(i int) int { return int(p.lies[i].dir) }
