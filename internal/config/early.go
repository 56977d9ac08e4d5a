package config

import (
	"reflect"
	"strings"
)

// EarlyRedactor knows what may be secret before anything is parsed, for the
// errors of parsing itself: every argument that looks like an address and the
// variables of the secrets.
func EarlyRedactor(args []string, lookup func(string) (string, bool)) *Redactor {
	var secrets []string
	for _, arg := range args {
		if name, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(name, "-") {
			arg = value
		}
		if strings.Contains(arg, "://") || dsnPassword.MatchString(arg) {
			secrets = append(secrets, arg)
		}
	}
	for _, variable := range secretEnv() {
		if value, ok := lookup(variable); ok {
			secrets = append(secrets, value)
		}
	}
	return NewRedactor(secrets...)
}

// secretEnv lists the variables that hold secrets.
func secretEnv() []string {
	var names []string
	for f := range reflect.TypeFor[Config]().Fields() {
		if f.Type == reflect.TypeFor[Secret]() {
			names = append(names, f.Tag.Get("env"))
		}
	}
	return names
}

// EnvNames lists every variable that sets a field of a Config, the _FILE ones of
// the secrets too.
func EnvNames() []string {
	var names []string
	for f := range reflect.TypeFor[Config]().Fields() {
		name := f.Tag.Get("env")
		if name == "" {
			continue // stands in the file only
		}
		names = append(names, name)
		if f.Type == reflect.TypeFor[Secret]() {
			names = append(names, name+fileSuffix)
		}
	}
	return names
}
