package ui

import (
	"boneyard/ui/admin"
	"boneyard/ui/club"
	"boneyard/ui/games"
	"boneyard/ui/newtable"
	"boneyard/ui/page"
	"boneyard/ui/play"
	"boneyard/ui/rulebook"
	"boneyard/ui/settings"
	"boneyard/ui/standings"
	"boneyard/ui/teams"
)

// makePage makes the page that a target names.
func makePage(e *page.Env, to page.Target) page.Page {
	switch to.Kind {
	case page.Table:
		return play.New(e, to.Table)
	case page.NewTable:
		return newtable.New(e)
	case page.Teams:
		return teams.New(e)
	case page.TeamPage:
		return teams.NewTeam(e, to.Team, to.Other)
	case page.Standings:
		return standings.New(e, to)
	case page.Games:
		return games.New(e, to)
	case page.Replay:
		return games.NewReplay(e, to.Game)
	case page.Rules:
		return rulebook.New(e, to.Rules)
	case page.Settings:
		return settings.New(e)
	case page.Admin:
		return admin.New(e)
	}
	return club.New(e, to)
}
