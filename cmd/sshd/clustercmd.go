package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"boneyard/store"
	"boneyard/store/cluster"
)

// askTime is how long the commands wait for the cluster.
const askTime = 30 * time.Second

// newClusterCommand returns the commands for which nodes a cluster has, and which of them runs the club.
func newClusterCommand(m *Main) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "List, add and remove the nodes of a cluster, or hand the club over",
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
	change := func(do, arg, short, done string) *cobra.Command {
		return &cobra.Command{
			Use: do + " " + arg, Short: short, Args: takes(1, 1, "it is boneyard cluster "+do+" "+arg),
			RunE: func(cmd *cobra.Command, args []string) error {
				if _, err := m.askCluster(cmd.Context(), cluster.Request{Do: do, Node: args[0]}); err != nil {
					return err
				}
				_, err := fmt.Fprintf(cmd.OutOrStdout(), done+"\n", args[0])
				return err
			},
		}
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "status", Short: "List the nodes", Args: noArguments,
			RunE: func(cmd *cobra.Command, _ []string) error {
				is, err := m.askCluster(cmd.Context(), cluster.Request{Do: "status"})
				if err != nil {
					return err
				}
				return writeStatus(cmd.OutOrStdout(), is)
			},
		},
		newBeginCommand(m),
		change("add", "ADDRESS", "Add the node that waits at HOST:PORT", "%s is being added"),
		change("remove", "NODE", "Remove a node, which may be gone for good", "%s is removed"),
		change("transfer", "NODE", "Have another node run the club", "%s takes the club over"),
	)
	return cmd
}

// newBeginCommand returns the command that makes a file the beginning of a new log.
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

// askCluster asks the node of the settings.
func (m *Main) askCluster(ctx context.Context, r cluster.Request) (is cluster.Reply, err error) {
	s := m.Settings
	if s.Cluster == "" || s.ClusterListen == "" {
		return is, usageError{errors.New("--cluster and --cluster-listen must say which node to ask")}
	}
	key, err := readClusterKey(s.ClusterKey)
	if err != nil {
		return is, settingError{"--cluster-key", err}
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	return cluster.Ask(ctx, s.Cluster, key, s.ClusterListen, r)
}

// writeStatus lists the nodes. It fails if nothing can be written.
func writeStatus(out io.Writer, is cluster.Reply) error {
	var rows [][]string
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
		rows = append(rows, []string{n.Name, n.Address, log, role, position, behind})
	}
	if err := writeRows(out, []string{"NODE", "ADDRESS", "HAS THE LOG", "ROLE", "POSITION", "BEHIND"}, rows); err != nil {
		return err
	}
	if is.Leader == "" {
		return fmt.Errorf("%s reaches no node that leads the log: nothing can be written", is.By)
	}
	return nil
}
