package lobby

import (
	"context"
	"errors"
	"fmt"
	"time"

	"boneyard/lobby/text"
	"boneyard/table"
)

// The lobby's refusals are sentences for the person who asked. Those of names, titles and lines are in
// package text, those of commands at a table in package table.
const (
	// ErrOver is returned by a visit that has ended: closed, kicked, or taken over by another session.
	ErrOver text.Refusal = "This session has ended; please connect again."
	// ErrDraining is returned for anything that would begin while the server is shutting down.
	ErrDraining              = text.Refusal(table.ErrDraining)
	ErrTrouble  text.Refusal = "That didn't work; please try again."
	ErrApart    text.Refusal = "Nothing can be changed while the rest of the club can't be reached."
	// ErrUnsure is returned when the club was cut off during a write.
	ErrUnsure text.Refusal = "The rest of the club can't be reached; whether that was done shows when it is back."
	// ErrUpgrading is returned for changes that a node with an older program could not apply.
	ErrUpgrading     text.Refusal = "That works once all machines of the club run the same version."
	ErrNoGuests      text.Refusal = "Guests can't enter at the moment. Connect with an SSH key; the key is your account."
	ErrGuestsWatch   text.Refusal = "Guests can watch. To play, connect with an SSH key; the key is your account."
	ErrMembersOnly   text.Refusal = "That's for members. Connect with an SSH key; the key is your account."
	ErrOperatorsOnly text.Refusal = "Only an operator may do that."
	ErrNameTaken     text.Refusal = "Somebody has that name, or one that looks like it; please choose another."
	ErrHasAccount    text.Refusal = "This key has an account already; connect again to use it."

	ErrNoTable       text.Refusal = "There is no such table."
	ErrNoLiveGame    text.Refusal = "There is no live game you can watch."
	ErrNoCode        text.Refusal = "No table has that code or number."
	ErrManyTables    text.Refusal = "Too many of your tables are already waiting for players."
	ErrManySeats     text.Refusal = "You are at too many tables; stand up at one of them first."
	ErrRatedSeat     text.Refusal = "You have a seat in a rated game, where programs may not play; wait until it is over."
	ErrManyFromHere  text.Refusal = "There are too many tables from your network; please join one."
	ErrClubFull      text.Refusal = "There is no room for another table; please join one."
	ErrNoTeamOfYours text.Refusal = "Only a member of one of its teams can create a team table."

	ErrTooFast         text.Refusal = "Not so fast, please."
	ErrManyCodes       text.Refusal = "Too many wrong codes; please wait a minute."
	ErrManyAccounts    text.Refusal = "Too many accounts were just created from your network; please try again in a few minutes."
	ErrManyMade        text.Refusal = "You or your network just created too many tables; please wait a minute."
	ErrManyGames       text.Refusal = "You or your network just started too many games; please wait a minute."
	ErrManyTeams       text.Refusal = "You or your network just created too many teams; please try again later."
	ErrManyInvitations text.Refusal = "You have sent too many invitations; please wait a minute."
	ErrManyCaptains    text.Refusal = "You have handed over or invited too often; please wait a minute."
	ErrManyReports     text.Refusal = "You or your network have sent too many reports; please wait a few minutes."
	ErrManyNewcomers   text.Refusal = "Too many newcomers are talking at once; please wait a moment."
	// ErrTooMuch is returned for the fourth line within three seconds.
	ErrTooMuch text.Refusal = "You are writing too fast; please wait a moment."

	ErrNobody        text.Refusal = "Nobody here has that name."
	ErrNoMember      text.Refusal = "No member has that name."
	ErrNoKey         text.Refusal = "That person has no key; choose net."
	ErrNotNetwork    text.Refusal = "That is neither a name nor a network such as 203.0.113.0/24."
	ErrWideNetwork   text.Refusal = "That network is too large; the largest is a /8, or a /16 of IPv6."
	ErrNoNetwork     text.Refusal = "That member isn't here, so the network is unknown; choose key, or give the address."
	ErrSharedAddress text.Refusal = "Many people share that guest's address; choose net to include them all."
	ErrNoCommand     text.Refusal = "There is no such command; /help lists them."

	// ErrNoTeam is returned for what only members of a team can do, and for a team that does not exist.
	ErrNoTeam        text.Refusal = "There is no such team, or you are in none."
	ErrHasTeam       text.Refusal = "You can be in only one team; leave yours first."
	ErrTeamTaken     text.Refusal = "A team has that name or tag, or one that looks like it; please choose another."
	ErrTeamFull      text.Refusal = "The team is full."
	ErrCaptain       text.Refusal = "Only the team's captain may do that."
	ErrChallenger    text.Refusal = "Only the captain of a team can challenge another one."
	ErrBannedCaptain text.Refusal = "That member is banned and can't be captain."
	ErrHandOver      text.Refusal = "Hand the team over to another member before you leave it."
	ErrLeaving       text.Refusal = "You are leaving your team in another session."
	ErrTeamSeat      text.Refusal = "You are seated for your team; stand up there before you leave the team."
	ErrInTeam        text.Refusal = "That member is in the team already."
	ErrNoReply       text.Refusal = "Nobody has sent you a message yet; /tell NAME TEXT sends one."
	ErrYourself      text.Refusal = "That's you."
	ErrInviteWhere   text.Refusal = "Sit down at a table first, and type this in its chat."
	ErrInviteFull    text.Refusal = "There is no free seat at this table."
	ErrInviteMany    text.Refusal = "A table has room for three others; please name no more."
	ErrAway          text.Refusal = "That member isn't here; only members can leave a message."
	ErrManyTells     text.Refusal = "Too many people are writing to them; please wait a moment."
	ErrManyTellsLeft text.Refusal = "You have left too many messages for members who are away; please wait a few minutes."
	ErrTellsFull     text.Refusal = "No more messages can wait for that member; please try again when they have read some."
	ErrNotWanted     text.Refusal = "That member isn't accepting messages from you."
	ErrNotInvited    text.Refusal = "That invitation is no longer open."
	// ErrNoGame is returned for a game that does not exist or is not over.
	ErrNoGame       text.Refusal = "No finished game has that number."
	ErrManyWords    text.Refusal = "A search may have at most 8 words."
	ErrManySearches text.Refusal = "Too many people are searching right now; please try again in a moment."
	ErrSlow         text.Refusal = "That search is taking too long; please try again, or search for something else."
)

// SanctionError is returned on entering to a person who is banned, and on speaking to one who is muted.
type SanctionError struct {
	Kind  string    // SanctionMute or SanctionBan
	Why   string    // may be empty
	Until time.Time // zero: for good
}

// Error returns a sentence for the person.
func (e *SanctionError) Error() string {
	what := "You are muted"
	if e.Kind == SanctionBan {
		what = "You are banned from this club"
	}
	if !e.Until.IsZero() {
		what += " until " + e.Until.UTC().Format("2006-01-02 15:04 UTC")
	}
	if e.Why != "" {
		return fmt.Sprintf("%s: %s", what, e.Why)
	}
	return what + "."
}

// IsForPlayer reports whether an error's text is a sentence for people to read. Others belong in the log.
func IsForPlayer(err error) bool {
	var refusal table.Refusal
	var sanction *SanctionError
	return errors.As(err, &refusal) || errors.As(err, &sanction) || errors.Is(err, table.ErrConfig) || errors.Is(err, ErrTrouble)
}

// troubleError is a fault of the club's own. The person reads ErrTrouble; the cause is in the log.
type troubleError struct{ cause error }

func (e *troubleError) Error() string        { return ErrTrouble.Error() }
func (e *troubleError) Unwrap() error        { return e.cause }
func (e *troubleError) Is(target error) bool { return target == ErrTrouble }

// trouble turns a store's error, if any, into one that a person may read. Refusals stay as they are; the
// cause of anything else is logged and hidden, except for the end of the caller's own context, where nobody
// waits for the answer.
func (l *Lobby) trouble(doing string, err error) error {
	if err == nil {
		return nil
	}
	if refusal, ok := errors.AsType[text.Refusal](err); ok {
		if refusal == ErrSlow {
			l.log.Warn("store: "+doing, "err", err)
		}
		return refusal
	}
	if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		l.log.Error("store: "+doing, "err", err)
	}
	return &troubleError{fmt.Errorf("%s: %w", doing, err)}
}

// missing is trouble, but returns none, unless that is empty, for ErrNotFound.
func (l *Lobby) missing(none text.Refusal, doing string, err error) error {
	if none != "" && errors.Is(err, ErrNotFound) {
		return none
	}
	return l.trouble(doing, err)
}
