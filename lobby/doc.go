// Package lobby knows who is in the club and what is going on in it: people, tables, teams, chat, news and standings.
// It knows nothing of screens, lines or SQL: pages ask it, and it asks the stores declared here.
package lobby
