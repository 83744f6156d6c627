package table_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"boneyard/rules"
	"boneyard/table"
)

// TestEveryTableEnds: whatever has happened at a table, it is closed some weeks after everybody has gone.
func TestEveryTableEnds(t *testing.T) {
	bad := map[string]int{}
	tries := uint64(3000)
	if testing.Short() {
		tries = 300
	}
	for seed := range tries {
		rng := rand.New(rand.NewPCG(seed, 9))
		pick := func(n int) int { return rng.IntN(n) }
		cfg := config(func(c *table.Config) {
			c.Pace = []table.Pace{table.PaceNone, table.PaceFast, table.PaceNormal, table.PaceSlow, table.PaceSlow}[pick(5)]
			c.Absence = []table.Absence{table.AbsenceBot, table.AbsenceWait, table.AbsenceForfeit}[pick(3)]
			c.Fill = []table.Fill{table.FillNow, table.FillSoon, table.FillNever}[pick(3)]
			c.Seats = 2 + pick(3)
			c.Access = []table.Access{table.AccessOpen, table.AccessCode}[pick(2)]
			switch pick(4) {
			case 0:
				setRules(c, "block", 4)
			case 1:
				setRules(c, "classic rounds=1", c.Seats)
			}
			c.Watchers = pick(2) == 0
		})
		synctest.Test(t, func(t *testing.T) {
			f := open(t, seed, cfg)
			people := []table.Player{ana, ben, cal, dan, guest}
			var log []string
			for range 10 + pick(60) {
				p := people[pick(len(people))]
				var c table.Command
				switch pick(16) {
				case 0, 1:
					c = table.Sit{Seat: rules.Seat(pick(5)), Code: "K7QX"}
				case 2, 3, 4:
					c = table.Ready{On: pick(5) > 0, Bots: pick(3) == 0}
				case 5:
					c = table.Pause{On: pick(2) == 0}
				case 6:
					c = table.CastVote{Vote: []table.Vote{table.VoteAdjourn, table.VoteBot, table.VoteClaim}[pick(3)], On: true}
				case 7:
					c = table.Continue{}
				case 8:
					c = table.Rematch{}
				case 9:
					if pick(4) == 0 {
						c = table.Stand{}
					}
				case 10:
					f.Presence(p.ID, []table.Presence{table.Here, table.Left, table.Disconnected, table.Disconnected}[pick(4)])
				case 11:
					f.Presence(p.ID, table.Here)
				default:
					synctest.Wait()
					if sub, err := f.Subscribe(p, netOf(p.ID)); err == nil {
						v := sub.View()
						if v.MyMove() {
							c = moveOf(v)
						}
						sub.Close()
					}
				}
				if c != nil {
					err := f.do(p, c)
					if err == nil {
						log = append(log, fmt.Sprintf("%s %T%+v", p.Name, c, c))
					}
				}
				time.Sleep([]time.Duration{0, time.Second, 10 * time.Second, time.Minute, 3 * time.Minute, 25 * time.Hour}[pick(6)])
			}
			before := f.Summary().State
			for _, p := range people {
				f.Presence(p.ID, []table.Presence{table.Left, table.Disconnected}[pick(2)])
			}
			synctest.Wait()
			time.Sleep(60 * 24 * time.Hour)
			synctest.Wait()
			if s := f.Summary(); s.State != table.Closed {
				key := fmt.Sprint(cfg.Pace, " ", cfg.Absence, " ", cfg.Fill, " ", before, "->", s.State)
				if bad[key]++; bad[key] == 1 {
					t.Log(seed, key, cfg.Access, cfg.Seats, s.Asleep, log)
					for _, q := range s.Seats {
						t.Log(q.Player.Name, q.House, q.Presence, q.StandIn, q.Next)
					}
				}
			}
		})
	}
	if len(bad) > 0 {
		t.Error(bad)
	}
}
