package conflict

// habits are what few texts say: what somebody does without, chooses, goes by, uses for what
// and allows. Most texts have none.
type habits struct {
	denials    []denial
	belongings []belonging
	choices    []choice
	journeys   []journey
	means      []means
	permits    []permit
}

// noting is where a parser writes them down.
func (p *parser) noting() *habits {
	if p.habits == nil {
		p.habits = &habits{}
	}
	return p.habits
}

// habitsOf reads the habits that a clause tells of; t are its tokens.
func (p *parser) habitsOf(c *clause, t []token) {
	if !p.note || !telltale[c.verb] {
		return
	}
	p.deny(c)
	if j, ok := p.journeyOf(c); ok {
		h := p.noting()
		h.journeys = append(h.journeys, j)
	}
	if m, ok := p.meansOf(c, t); ok {
		h := p.noting()
		h.means = append(h.means, m)
	}
}

// telltale are the verbs that tell of habits.
var telltale = func() map[string]bool {
	m := lemmas("be have keep follow eat stay like give use cancel")
	for _, verbs := range []map[string]bool{ingests, avoids, owns, parts, losing, leaves, replaces, turnsTo, disbands, selfMoving, going, carries} {
		for v := range verbs {
			m[v] = true
		}
	}
	for v := range doings {
		m[v] = true
	}
	return m
}()

// compareHabits holds them against those of another statement.
func compareHabits(a, b *Analysis) Result {
	if a.habits == nil && b.habits == nil {
		return Result{}
	}
	if r := compareDenials(a, b); r.Score > 0 {
		return r
	}
	if a.habits == nil || b.habits == nil {
		return Result{}
	}
	for _, rule := range []func(a, b *habits) Result{compareChoices, compareJourneys, compareMeans, comparePermits} {
		if r := rule(a.habits, b.habits); r.Score > 0 {
			return r
		}
	}
	return Result{}
}
