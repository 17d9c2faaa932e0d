package reader

// Excludes reports whether two statements can contradict each other as they are presented: a question, a wish, a report, a plan or a bounded
// statement says nothing against what is so. Two plans can contradict each other, and two bounded statements. So can any text that is not English.
func (p *Prepared) Excludes(other *Prepared) bool {
	if !p.english || !other.english {
		return true
	}
	a, b := p.presented(), other.presented()
	return a == b && (a == Plan || a == Bounded) || a.Holds() && b.Holds()
}

// presented returns how a statement is presented: as its first clause that states something, otherwise as its first clause.
func (p *Prepared) presented() Modality {
	for i := range p.clauses {
		if p.clauses[i].modality.Holds() {
			return p.clauses[i].modality
		}
	}
	if len(p.clauses) == 0 {
		return Asserted
	}
	return p.clauses[0].modality
}
