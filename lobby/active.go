package lobby

import "time"

// Active notes that the person has just done something, such as pressing a key. It is cheap, and may be called with each key.
func (v *Visit) Active() { v.person.active.Store(v.lobby.now().UnixNano()) }

// attentive is how long ago somebody may have done something last who counts as waiting for a game, not as asleep.
const attentive = 30 * time.Second

// idle is how long somebody who is here has done nothing.
func (p *person) idle(now time.Time) time.Duration {
	return max(now.Sub(time.Unix(0, p.active.Load())), 0)
}
