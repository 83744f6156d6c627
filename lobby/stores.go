package lobby

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boneyard/lobby/event"
	"boneyard/table"
)

// Errors of the stores. Each is wrapped with what was being done.
var (
	ErrNotFound = errors.New("there is no such thing")
	ErrTaken    = errors.New("that name is taken")
)

// KeyID is the SHA-256 of a public key in SSH wire form: the identity of a member.
type KeyID [32]byte

// Account is a member of the club.
type Account struct {
	ID       table.PlayerID
	Name     string
	Key      KeyID
	Bot      bool // says of itself that it is a program
	Created  time.Time
	Settings Settings
	Team     table.TeamID // 0 for none
	Tag      string       // of the team
	TeamName string

	read uint64 // Lobby.edits when it was read
}

// Settings is what a member has chosen. Guests have settings too, for as long as they stay.
type Settings struct {
	Theme       string   `json:"theme"` // dark, light, mono; empty: by the terminal's background
	Faces       string   `json:"faces"` // digits, pips, ascii
	Bell        bool     `json:"bell"`
	Mouse       bool     `json:"mouse"`
	LineMode    bool     `json:"line_mode"`
	BellOffered bool     `json:"bell_offered,omitempty"` // the bell has been offered once, at the first play
	NoGuide     bool     `json:"no_guide,omitempty"`     // the guide to the first round has been skipped
	NoEarnings  bool     `json:"no_earnings,omitempty"`  // what each tile would score is not said below it
	NoReminders bool     `json:"no_reminders,omitempty"` // is not reminded before something of theirs begins
	Calm        bool     `json:"calm,omitempty"`         // nothing lights up or ticks when a play scores
	Ignored     []string `json:"ignored,omitempty"`      // names whose chat is not shown

	IgnoredNets []IgnoredNet `json:"ignored_nets,omitempty"` // networks whose guests' chat is not shown

	Friends       []string `json:"friends,omitempty"`         // names; see Visit.Befriend
	NoFriendNotes bool     `json:"no_friend_notes,omitempty"` // is not told when a friend comes
	ComesQuietly  bool     `json:"comes_quietly,omitempty"`   // nobody is told that a friend, this member, has come
}

// Accounts keeps members.
type Accounts interface {
	ByKey(ctx context.Context, key KeyID) (*Account, error)    // ErrNotFound
	ByName(ctx context.Context, name string) (*Account, error) // by skeleton; ErrNotFound
	// Create makes a member; skeleton is the name after folding and confusables. ErrTaken, also for a key that has a member.
	Create(ctx context.Context, key KeyID, name, skeleton string, now time.Time) (*Account, error)
	Save(ctx context.Context, id table.PlayerID, s Settings, bot bool) error
	Seen(ctx context.Context, id table.PlayerID, now time.Time) error
}

// Team is two or more members who play under one name.
type Team struct {
	ID      table.TeamID
	Name    string
	Tag     string
	Captain table.PlayerID
	Created time.Time
	Ended   time.Time // zero while it has members
	Members []Member  // in order of joining
	Invited []string  // names
	Stand   *Standing // over all games; nil before the first that counts, as for members
	Recent  []GameInfo
}

// TeamRow is a team as a list has it.
type TeamRow struct {
	ID      table.TeamID
	Name    string
	Tag     string
	Captain string
	Members int
	Stand   *Standing // over all games, without its rank and history; nil before the first that counts
	Shield  bool      // it holds the shield of the season; stores leave it empty
}

// Member is a player on a roster.
type Member struct {
	ID     table.PlayerID
	Name   string
	Joined time.Time
	Seen   time.Time // when they last came; zero where nobody asked
	Stand  *Standing
}

// Invitation asks a member to join a team.
type Invitation struct {
	Team table.TeamID
	Name string
	Tag  string
	From string
	At   time.Time
}

// Teams keeps teams. A member is in one team at most (ErrHasTeam). Only the captain invites (ErrCaptain), and
// nobody who is in the team (ErrInTeam). A team, member or invitation that does not exist is ErrNotFound.
type Teams interface {
	CreateTeam(ctx context.Context, captain table.PlayerID, name, skeleton, tag string, now time.Time) (*Team, error) // ErrTaken
	Team(ctx context.Context, id table.TeamID) (*Team, error)
	// FindTeam is the team whose tag looks like the word, or else whose name does; one that has ended if there is no other.
	FindTeam(ctx context.Context, word string) (*Team, error)
	ListTeams(ctx context.Context, after string, limit int) ([]TeamRow, error) // that have not ended, by skeleton, after this one
	Invite(ctx context.Context, team table.TeamID, by, player table.PlayerID, now time.Time) error
	// Invitations are the newest that wait for a member, 50 at most.
	Invitations(ctx context.Context, player table.PlayerID) ([]Invitation, error)
	Accept(ctx context.Context, team table.TeamID, player table.PlayerID, now time.Time) error
	Decline(ctx context.Context, team table.TeamID, player table.PlayerID) error
	LeaveTeam(ctx context.Context, player table.PlayerID, now time.Time) error // the last one ends it; ErrHandOver for a captain
	HandOver(ctx context.Context, team table.TeamID, to table.PlayerID) error
}

// Kind tells the three standings apart.
type Kind string

// Standings of teams, of pairs (partners at open tables), and of players.
const (
	KindTeam   Kind = "team"
	KindPair   Kind = "pair"
	KindPlayer Kind = "player"
)

// StandingsQuery asks for one table of standings.
type StandingsQuery struct {
	Kind  Kind
	Game  string // a preset, or empty for all
	Month string // "2026-11", or empty for all time
	Limit int
}

// Standing is one row of the standings.
type Standing struct {
	Rank        int
	ID          int64
	Name        string // of a pair: "ana + ben"
	Tag         string // of a team
	Rating      int    // as shown
	Provisional bool
	Games       int
	Won         int
	Lost        int
	Shared      int // games that ended with equal highest scores
	For         int // points
	Against     int
	Streak      int    // wins in a row; losses are negative
	LastFive    string // such as "WWLWL", the newest last
	History     []int  // the last ratings as shown, at most 24, the newest last
	Shield      bool   // a player or a team that holds the shield of the season; stores leave it empty
}

// HeadToHead is what two teams did against each other.
type HeadToHead struct {
	A, B       Standing
	WonA, WonB int
	PointsA    int
	PointsB    int
	Games      []GameInfo // the newest first
}

// Standings answers from the journal's results.
type Standings interface {
	// Standings are sorted, the best first: settled ratings before provisional ones.
	Standings(ctx context.Context, q StandingsQuery) ([]Standing, error)
	// Standing is the row of one player, pair or team over all games and all time, nil if there is none.
	Standing(ctx context.Context, kind Kind, id int64) (*Standing, error)
	// Ratings are those of the best players, at most limit.
	Ratings(ctx context.Context, limit int) (map[table.PlayerID]int, error)
	// HeadToHead counts rated games, also of teams that have ended. ErrNotFound.
	HeadToHead(ctx context.Context, a, b table.TeamID) (*HeadToHead, error)
	Months(ctx context.Context) ([]string, error) // months with rated games, the newest first
}

// GameInfo is a game in one line of a list.
type GameInfo struct {
	ID       table.GameID
	Table    table.ID
	Rules    string
	Seats    []string // names by seat
	Scores   []int    // by side
	Winner   int      // side, 0 without a result
	Ending   table.Ending
	Rated    bool
	Teams    [2]string // tags, of a team game
	Started  time.Time
	Ended    time.Time // zero if it is not over
	Rounds   int
	Finished bool
	Changes  []table.Delta // what it did to ratings; here and below only with a record
	Times    []time.Time   // when each line of the record was written
}

// MaxWords is how many words a search for games may have.
const MaxWords = 8

// GamesQuery asks for games; empty fields match all.
type GamesQuery struct {
	Text   string         // each word begins a word among player names, team tags, rules, the date (2026-11-21) and the month's name
	Player table.PlayerID // games in which this member sat
	With   table.PlayerID // and this one, too
	Before table.GameID   // for paging: only games with a lower number
	Limit  int
	Mine   table.PlayerID // also unfinished games of this member
}

// Games answers from the journal.
type Games interface {
	// Games returns ErrManyWords for a text of more than MaxWords words.
	Games(ctx context.Context, q GamesQuery) ([]GameInfo, error)
	// Record returns the lines of a finished game, ErrNotFound for one that is not over.
	Record(ctx context.Context, id table.GameID) (GameInfo, []string, error)
}

// Line is something said in the lobby, or at an event.
type Line = table.ChatLine

// Kinds of a [NewsItem], besides those of events, which their types say.
const (
	NewsResult   = "result"
	NewsComeback = "comeback"
	NewsBest     = "best"
	NewsStreak   = "streak"
	NewsTeam     = "team"
)

// NewsItem is something that others did.
type NewsItem struct {
	ID     int64
	At     time.Time
	Kind   string       // one of the kinds above
	Text   string       // one line
	Game   table.GameID // to open, 0 if none
	Points int          // of a best play
}

// Talk keeps the chat of the lobby and of events, and the club's news.
type Talk interface {
	// Say keeps a line that was said at an event, or with 0 in the lobby, and returns its number.
	Say(ctx context.Context, at event.ID, l Line) (int64, error)
	// History returns the last lines, the oldest first.
	History(ctx context.Context, at event.ID, limit int) ([]Line, error)
	AddNews(ctx context.Context, n NewsItem) (int64, error)
	News(ctx context.Context, limit int) ([]NewsItem, error) // the newest first
	// TellsFull reports whether KeepTell would keep no line of a sender.
	TellsFull(ctx context.Context, to, from table.PlayerID, most, each int) (bool, error)
	// KeepTell keeps a line for a member who is away, unless most lines are kept for them, or each of the same sender. A line of
	// the club, from nobody, takes the place of its oldest.
	KeepTell(ctx context.Context, to table.PlayerID, l Line, most, each int) (kept bool, err error)
	// TakeTells returns what is kept for a member, the oldest first, and keeps it no longer.
	TakeTells(ctx context.Context, to table.PlayerID) ([]Line, error)
}

// Kinds of a [Sanction].
const (
	SanctionMute = "mute" // may not speak
	SanctionBan  = "ban"  // may not enter
)

// Sanction is a mute or a ban, of a member, a network, or both.
type Sanction struct {
	ID     int64
	Kind   string         // SanctionMute or SanctionBan
	Player table.PlayerID // a member; 0 for a network only
	Name   string         // as the operator named whom it hits: a player's name, or a network
	Key    *KeyID         // of a banned member
	Net    string         // a network in CIDR notation, such as 203.0.113.7/32; empty for a member only
	Until  time.Time      // zero: for good
	Why    string
	By     string
	At     time.Time
}

// Finds says by what a sanction finds whom it hits: "key", "203.0.113.7/32", or both.
func (s *Sanction) Finds() string {
	switch {
	case s.Player == 0:
		return s.Net
	case s.Net == "":
		return "key"
	}
	return "key, " + s.Net
}

// AuditEntry is what an operator did.
type AuditEntry struct {
	At   time.Time
	By   string
	Did  string
	Whom string
	Why  string
}

// Report is a complaint about a player.
type Report struct {
	At    time.Time
	By    table.PlayerID // 0 for guests, in what the store returns
	Name  string         // of the member who complains, as the store knows them; empty for a guest
	About string
	Text  string
	Where string
	Times int // how often the same person has complained about the same

	Network string // a guest's, as a salted hash; empty in what the store returns
}

// Suspicion is something in the rated games of the last days that may be a trick to gain rating: two
// opponents who met often, a player who beat several newcomers, or one who lost many games quickly, by
// leaving or with so few tiles of their own choice that they could not have gained.
type Suspicion struct {
	Player   table.PlayerID
	Name     string
	Other    table.PlayerID // the opponent who has won less often; 0 for quick losses and for wins against newcomers
	Against  string         // the opponent's name
	Games    int            // of the two against each other, or of the player
	Count    int            // of these, how many Player has won, or lost quickly
	New      int            // how many opponents, on the day after they joined, Player has beaten in Count games; else 0
	Networks int            // that those came from

	OneNetwork bool // both are in the club now, and come from one network; the lobby's to fill in
}

// Did reports what makes somebody suspect.
func (s *Suspicion) Did() string {
	switch {
	case s.New > 0:
		return fmt.Sprintf("beat newcomers in %d of %d games; accounts: %d, networks: %d", s.Count, s.Games, s.New, s.Networks)
	case s.Against == "":
		return fmt.Sprintf("quick losses: %d of %d games", s.Count, s.Games)
	}
	return fmt.Sprintf("beat %s in %d of %d games", s.Against, s.Count, s.Games)
}

// Moderation keeps sanctions, the audit log and reports, and looks for suspicions in the journal's results.
type Moderation interface {
	AddSanction(ctx context.Context, s Sanction) (int64, error)
	LiftSanction(ctx context.Context, kind, whom string, now time.Time) (int, error) // by name, address, or number; how many were lifted
	Sanctions(ctx context.Context, now time.Time) ([]Sanction, error)                // in force
	Audit(ctx context.Context, e AuditEntry) error
	AuditLog(ctx context.Context, limit int) ([]AuditEntry, error)
	// AddReport keeps a complaint, or adds it to the one that the same person has made about the same; last
	// is when that was done before, zero if never. The guests of a network are one person here.
	AddReport(ctx context.Context, r Report) (last time.Time, err error)
	Reports(ctx context.Context, limit int) ([]Report, error)
	// Suspicions returns at most limit of each kind, the plainest first.
	Suspicions(ctx context.Context, since time.Time, limit int) ([]Suspicion, error)
}

// Stores are where the lobby keeps things, by subject. All are the same store, but for tests and for what
// watches one of them.
type Stores struct {
	Tables     table.Journal
	Accounts   Accounts
	Teams      Teams
	Standings  Standings
	Games      Games
	Reviews    Reviews
	Talk       Talk
	Moderation Moderation
	Events     Events
}

// Events keeps events, their time, and which club's they are.
type Events interface {
	event.Store
	event.TimeStore
	ClubID(ctx context.Context) (id uint64, err error) // 0 if none is kept
	KeepClubID(ctx context.Context, id uint64) error   // unless one is kept; not 0
}
