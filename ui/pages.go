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

// makers make the page of a target.
var makers = map[page.Kind]func(e *page.Env, to page.Target) page.Page{
	page.Lobby:     func(e *page.Env, to page.Target) page.Page { return club.New(e, talker(e), to) },
	page.Teams:     func(e *page.Env, _ page.Target) page.Page { return teams.New(e) },
	page.TeamPage:  func(e *page.Env, to page.Target) page.Page { return teams.NewTeam(e, to.Team, to.Other) },
	page.Standings: func(e *page.Env, to page.Target) page.Page { return standings.New(e, to) },
	page.Games:     func(e *page.Env, to page.Target) page.Page { return games.New(e, to) },
	page.Replay:    func(e *page.Env, to page.Target) page.Page { return games.NewReplay(e, to.Game, to.Coach) },
	page.Rules:     func(e *page.Env, to page.Target) page.Page { return rulebook.New(e, to) },
	page.Settings:  func(e *page.Env, _ page.Target) page.Page { return settings.New(e) },
	page.Table:     func(e *page.Env, to page.Target) page.Page { return play.New(e, to) },
	page.NewTable:  func(e *page.Env, to page.Target) page.Page { return newtable.New(e, e.Visit, to) },
	page.NewArena:  func(e *page.Env, to page.Target) page.Page { return newtable.New(e, e.Visit, to) },
	page.Person:    func(e *page.Env, to page.Target) page.Page { return person.New(e, to) },
	page.Admin:     func(e *page.Env, to page.Target) page.Page { return admin.New(e, talker(e), to) },
	page.Wall:      func(e *page.Env, to page.Target) page.Page { return wall.New(e, to.Event) },
	page.Daily:     func(e *page.Env, to page.Target) page.Page { return daily.New(e, talker(e), to) },
	page.Arena:     func(e *page.Env, to page.Target) page.Page { return arena.New(e, talker(e), to.Event) },
	page.Contest:   func(e *page.Env, to page.Target) page.Page { return contest.New(e, talker(e), to.Event) },
	page.Duplicate: func(e *page.Env, to page.Target) page.Page { return duplicate.New(e, talker(e), to.Event) },
	page.Field:     func(e *page.Env, to page.Target) page.Page { return duplicate.NewField(e, talker(e), to.Event) },
	page.Calendar:  func(e *page.Env, _ page.Target) page.Page { return calendar.New(e, e.Visit) },
	page.Season:    func(e *page.Env, to page.Target) page.Page { return season.New(e, e.Visit, to) },
}

func talker(e *page.Env) feature.Talker { return feature.Talker{Visit: e.Visit} }
