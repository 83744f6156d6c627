package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boneyard/lobby"
	"boneyard/store"
	"boneyard/ui/plain"
)

// newAdminCommand returns the commands that do on the data file what operators do in the club.
func newAdminCommand(m *Main) *cobra.Command {
	const muteUsual = 30 * time.Minute // the default length of a mute; a ban is for good
	admin := &cobra.Command{
		Use:   "admin",
		Short: "Moderate on the data file: mute, ban, reports, suspicions, the audit log",
		Long: `Admin does what the operators' commands /mute, /ban and so on do, but on the data file. It changes
nothing while the server runs: then operators type their commands inside the club, where they take effect
at once. The lists can be read at any time. Every action is in the audit log.

NAME is a member's name. ADDRESS is an address (an IPv6 address stands for its /64) or a network
such as 203.0.113.0/24. A member is matched by key: the network they come from is known only inside the
club, where operators can choose key, net or both. FOR is how long: 30m, 2h, 7d, 4w or forever.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	admin.PersistentFlags().StringVar(&m.Settings.Data, "data", m.Settings.Data, "data `file`")
	punish := func(kind, short string, usual time.Duration) *cobra.Command {
		return adminChange(m, kind+" NAME|ADDRESS [key|net] [FOR] [WHY…]", short, math.MaxInt,
			func(ctx context.Context, out io.Writer, s *store.Store, args []string) error {
				done, err := moderator(s).Punish(ctx, kind, args[0], args[1:], usual)
				if err != nil {
					return err
				}
				return writeSanctions(out, []lobby.Sanction{done})
			})
	}
	pardon := func(kind, short string) *cobra.Command {
		return adminChange(m, "un"+kind+" NAME|ADDRESS|NUMBER", short, 1,
			func(ctx context.Context, out io.Writer, s *store.Store, args []string) error {
				n, err := moderator(s).Pardon(ctx, kind, args[0], time.Now())
				if err == nil && n == 0 {
					err = fmt.Errorf("no %s of %q is in force", kind, args[0])
				}
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(out, "%d lifted\n", n)
				return err
			})
	}
	admin.AddCommand(
		punish(lobby.SanctionMute, "Mute somebody, for 30 minutes unless FOR is given", muteUsual),
		pardon(lobby.SanctionMute, "Unmute somebody"),
		punish(lobby.SanctionBan, "Ban somebody, permanently unless FOR is given", 0),
		pardon(lobby.SanctionBan, "Lift a ban"),
		adminCommand(m, "list", "List the mutes and bans in force", 0, 0, store.OpenReadOnly,
			func(ctx context.Context, out io.Writer, s *store.Store, _ []string) error {
				list, err := s.Sanctions(ctx, time.Now())
				if err != nil {
					return err
				}
				return writeSanctions(out, list)
			}),
		adminList(m, "reports", "List players' reports, the newest first", (*store.Store).Reports, reportCells,
			"AT_(UTC) BY ABOUT TIMES WHERE TEXT"),
		adminList(m, "suspicions", "List possible tricks to gain rating, as the operators' page does", suspicions, suspicionCells, "WHO WHAT"),
		adminList(m, "audit", "List operators' actions, the newest first", (*store.Store).AuditLog, auditCells, "AT_(UTC) BY DID WHOM WHY"),
	)
	return admin
}

func moderator(s *store.Store) *lobby.Moderator {
	const byAdmin = "boneyard admin" // the operator's name in the audit log for changes made by boneyard admin
	return &lobby.Moderator{Accounts: s, Moderation: s, Teams: s, By: byAdmin, Now: time.Now}
}

// onStore is the action of a command on the data file.
type onStore func(ctx context.Context, out io.Writer, s *store.Store, args []string) error

// adminChange returns a command with at least one argument that changes the data file, unless it is a node's.
func adminChange(m *Main, use, short string, most int, run onStore) *cobra.Command {
	cmd := adminCommand(m, use, short, 1, most, openToModerate, run)
	cmd.PreRunE = func(*cobra.Command, []string) error {
		return refuseNodeFile(m.Settings.Data, "moderate inside the club: type /help there")
	}
	return cmd
}

// openToModerate opens the data file, which no server may have open.
func openToModerate(ctx context.Context, path string) (*store.Store, error) {
	o := store.DefaultOptions()
	o.Existing = true
	s, err := store.Open(ctx, path, o)
	if errors.Is(err, store.ErrInUse) {
		err = fmt.Errorf("%w; while it runs, operators moderate inside the club: type /help there", err)
	}
	return s, err
}

// adminCommand returns a command on the data file with least to most arguments.
func adminCommand(m *Main, use, short string, least, most int, open func(context.Context, string) (*store.Store, error), run onStore,
) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args:  takes(least, most, "it is boneyard admin "+use),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			s, err := open(cmd.Context(), m.Settings.Data)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			return run(cmd.Context(), cmd.OutOrStdout(), s, args)
		},
	}
}

// adminList returns a command that writes the newest rows of a list in columns.
func adminList[T any](m *Main, name, short string, find func(*store.Store, context.Context, int) ([]T, error), cells func(*T) []string,
	heads string,
) *cobra.Command {
	var limit int
	cmd := adminCommand(m, name, short, 0, 0, store.OpenReadOnly, func(ctx context.Context, out io.Writer, s *store.Store, _ []string) error {
		list, err := find(s, ctx, limit)
		if err != nil {
			return err
		}
		rows := make([][]string, len(list))
		for i := range list {
			rows[i] = cells(&list[i])
		}
		return writeRows(out, heads, rows)
	})
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if limit < 1 {
			return usageError{errors.New("--limit must be at least 1")}
		}
		return nil
	}
	cmd.Flags().IntVar(&limit, "limit", 100, "the maximum number of rows")
	return cmd
}

func writeSanctions(out io.Writer, list []lobby.Sanction) error {
	rows := make([][]string, len(list))
	for i, s := range list {
		until := "for good"
		if !s.Until.IsZero() {
			until = stamp(s.Until)
		}
		rows[i] = []string{fmt.Sprint(s.ID), s.Kind, s.Name, s.Finds(), until, stamp(s.At), s.By, s.Why}
	}
	return writeRows(out, "NUMBER KIND WHOM BY UNTIL_(UTC) SINCE_(UTC) OPERATOR WHY", rows)
}

func reportCells(r *lobby.Report) []string {
	return []string{stamp(r.At), cmp.Or(r.Name, "a guest"), r.About, fmt.Sprint(r.Times), r.Where, r.Text}
}

// suspicions lists at most limit suspicions of each kind.
func suspicions(s *store.Store, ctx context.Context, limit int) ([]lobby.Suspicion, error) {
	return s.Suspicions(ctx, time.Now().Add(-lobby.SuspectTime), limit)
}

func suspicionCells(s *lobby.Suspicion) []string { return []string{s.Name, s.Did()} }

func auditCells(e *lobby.AuditEntry) []string {
	return []string{stamp(e.At), e.By, e.Did, e.Whom, e.Why}
}

// writeRows writes rows in columns, below their headings.
func writeRows(out io.Writer, heads string, rows [][]string) error {
	_, err := fmt.Fprintln(out, strings.Join(plain.Cells(heads, rows), "\n"))
	return err
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }
