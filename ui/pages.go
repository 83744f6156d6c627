package ui

import (
	"boneyard/ui/admin"
	"boneyard/ui/arena"
	"boneyard/ui/calendar"
	"boneyard/ui/club"
	"boneyard/ui/contest"
	"boneyard/ui/daily"
	"boneyard/ui/duplicate"
	"boneyard/ui/feature"
	"boneyard/ui/games"
	"boneyard/ui/newtable"
	"boneyard/ui/page"
	"boneyard/ui/person"
	"boneyard/ui/play"
	"boneyard/ui/rulebook"
	"boneyard/ui/season"
	"boneyard/ui/settings"
	"boneyard/ui/standings"
	"boneyard/ui/teams"
	"boneyard/ui/wall"
)

// pages have number keys, in this order.
var pages = []struct {
	kind page.Kind
	name string
}{
	{page.Lobby, "Lobby"},
	{page.Teams, "Teams"},
	{page.Standings, "Standings"},
	{page.Games, "Games"},
	{page.Rules, "Rules"},
	{page.Settings, "Settings"},
}

// makePage makes the page of a target.
func makePage(e *page.Env, to page.Target) page.Page {
	v := e.Visit
	talker := feature.Talker{Visit: v}
	switch to.Kind {
	case page.Table:
		return play.New(e, to)
	case page.NewTable, page.NewArena:
		return newtable.New(e, v, to)
	case page.Teams:
		return teams.New(e)
	case page.TeamPage:
		return teams.NewTeam(e, to.Team, to.Other)
	case page.Standings:
		return standings.New(e, to)
	case page.Games:
		return games.New(e, to)
	case page.Replay:
		return games.NewReplay(e, to.Game, to.Coach)
	case page.Rules:
		return rulebook.New(e, to)
	case page.Settings:
		return settings.New(e)
	case page.Person:
		return person.New(e, to)
	case page.Daily:
		return daily.New(e, talker, to)
	case page.Admin:
		return admin.New(e, talker, to)
	case page.Wall:
		return wall.New(e, to.Event)
	case page.Arena:
		return arena.New(e, talker, to.Event)
	case page.Contest:
		return contest.New(e, talker, to.Event)
	case page.Duplicate:
		return duplicate.New(e, talker, to.Event)
	case page.Field:
		return duplicate.NewField(e, talker, to.Event)
	case page.Calendar:
		return calendar.New(e, v)
	case page.Season:
		return season.New(e, v, to)
	}
	return club.New(e, talker, to)
}
