package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"boneyard/store"
	"boneyard/store/cluster"
)

// newClusterCommand returns the commands that manage the nodes of a cluster, and which of them runs the club.
func newClusterCommand(m *Main) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "List, add, remove and compare the nodes of a cluster, or hand the club over",
		Long: `Cluster asks a running node, which passes on to the node that runs the club what only that one can do.
NODE is a node's name or its address, as "boneyard cluster status" lists them.

The flags are those with which that node was started, and --cluster-listen is its address; on its
machine, with its environment, none are needed.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	s := &m.Settings
	cmd.PersistentFlags().StringVar(&s.Cluster, "cluster", s.Cluster, "`name` of the cluster")
	cmd.PersistentFlags().StringVar(&s.ClusterListen, "cluster-listen", s.ClusterListen, "`host:port` of any node, which is asked")
	cmd.PersistentFlags().StringVar(&s.ClusterKey, "cluster-key", s.ClusterKey, "`file` with the secret that all nodes share")
	// command returns a command that makes a request, perhaps about a node, and reports it as done.
	command := func(use, short, done string) *cobra.Command {
		do, arg, about := strings.Cut(use, " ")
		args := noArguments
		if about {
			args = takes(1, 1, "it is boneyard cluster "+do+" "+arg)
		}
		return &cobra.Command{
			Use: use, Short: short, Args: args,
			RunE: func(cmd *cobra.Command, args []string) error {
				node := strings.Join(args, "")
				if arg == "ADDRESS" {
					if err := cluster.CheckAddress(node); err != nil {
						return usageError{err}
					}
				}
				is, err := m.askCluster(cmd.Context(), cluster.Request{Do: do, Node: node})
				switch {
				case err != nil:
					return err
				case done == "":
					err = writeStatus(cmd.OutOrStdout(), is)
				default:
					_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.ReplaceAll(done, "NODE", node))
				}
				return errors.Join(err, warnOfFew(cmd.ErrOrStderr(), is))
			},
		}
	}
	cmd.AddCommand(
		command("status", "List the nodes", ""),
		newBeginCommand(m),
		command("add ADDRESS", "Add the node that waits at HOST:PORT", "NODE is being added"),
		command("remove NODE", "Remove a node, which may be gone for good", "NODE is removed"),
		command("transfer NODE", "Have another node run the club", "NODE takes the club over"),
		command("compare", "Compare the whole data files of the nodes",
			"the files are being compared: boneyard cluster status shows the outcome"),
	)
	return cmd
}

// newBeginCommand returns the command that starts a new log with a data file.
func newBeginCommand(m *Main) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "begin",
		Short: "Make the data file the beginning of a new log; no node may run",
		Long: `Begin makes a data file, such as a restored backup, the one that a cluster begins with. The log that was
beside it is kept under another name. On the other machines, move the data file and its log away: when all
nodes are started, this one first, they copy this file.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			data := m.Settings.Data
			if err := store.BeginLog(cmd.Context(), data); err != nil {
				return err
			}
			folder := clusterFolder(data)
			kept := folder + "." + time.Now().UTC().Format("20060102-150405.000")
			if err := os.Rename(folder, kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s begins a new log\n", data)
			return err
		},
	}
	dataFlag(cmd, m)
	return cmd
}

// askCluster sends a request to the node in the settings.
func (m *Main) askCluster(ctx context.Context, r cluster.Request) (is cluster.Reply, err error) {
	const askTime = 30 * time.Second // how long the commands wait for the cluster
	s := m.Settings
	if s.Cluster == "" || s.ClusterListen == "" {
		return is, usageError{errors.New("--cluster and --cluster-listen must say which node to ask")}
	}
	if err := cluster.CheckAddress(s.ClusterListen); err != nil {
		return is, settingError{"--cluster-listen", err}
	}
	key, err := readClusterKey(s.ClusterKey)
	if err != nil {
		return is, settingError{"--cluster-key", err}
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	return cluster.Ask(ctx, s.Cluster, key, s.ClusterListen, r)
}

// warnOfFew warns about a cluster in which no node may fail.
func warnOfFew(errs io.Writer, is cluster.Reply) (err error) {
	voters := 0
	for _, n := range is.Nodes {
		if n.Voter {
			voters++
		}
	}
	if voters > 0 && voters < 3 {
		_, err = fmt.Fprintf(errs, "warning: only %d of the nodes have the log; the club stops when one of them fails\n", voters)
	}
	return err
}

// writeStatus lists the nodes, and how their files compare with that of the answering node. It returns an
// error if files differ, or nothing can be written.
func writeStatus(out io.Writer, is cluster.Reply) error {
	var rows [][]string
	var trouble []string
	for _, n := range is.Nodes {
		role, position, behind := "follows", fmt.Sprint(n.Position), fmt.Sprint(n.Behind)
		switch {
		case n.Name == "":
			role, position, behind = "not reachable", "", ""
		case n.Owner:
			role = "runs the club"
		}
		log := "yes"
		if !n.Voter {
			log = "no"
		}
		file := ""
		switch c := n.Compared; {
		case len(c.Differs) > 0:
			file = fmt.Sprintf("differs at %d", c.At)
			trouble = append(trouble, fmt.Sprintf("the data files of %s and %s differ in: %s", is.By, n.Name, strings.Join(c.Differs, ", ")))
		case c.At > 0:
			file = fmt.Sprintf("same at %d", c.At)
		}
		rows = append(rows, []string{n.Name, n.Address, log, role, position, behind, file})
	}
	if err := writeRows(out, "NODE ADDRESS HAS_THE_LOG ROLE POSITION BEHIND FILE", rows); err != nil {
		return err
	}
	if is.Leader == "" {
		trouble = append(trouble, is.By+" reaches no node that leads the log: nothing can be written")
	}
	if len(trouble) > 0 {
		return errors.New(strings.Join(trouble, "; "))
	}
	return nil
}
