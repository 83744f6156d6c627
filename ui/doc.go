// Package ui is the club on a terminal: it leads one person from page to page. It knows pages, keys and the
// frame around a page; it does not know SSH, stores or the rules of a game.
package ui
