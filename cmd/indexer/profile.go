package main

type profileCmd struct {
	Init  profileInitCmd  `cmd:"" help:"Propose a profile for a program by its IDL, for you to correct."`
	Check profileCheckCmd `cmd:"" help:"Tell what a profile maps, what is missing, and which checks that costs."`
}
