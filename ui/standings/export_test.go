package standings

// SetMonths has the page offer these months.
func (p *Page) SetMonths(list []string) { p.months = list }
