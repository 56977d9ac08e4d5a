package config

import (
	"fmt"
	"reflect"

	"github.com/alecthomas/kong"
)

// Resolver gives kong the values of the configuration file and of the _FILE
// variables, for the flags of a Config wherever one is embedded. It gives
// nothing where the flag's own variable is set, so that the environment wins.
//
// What it finds wrong it keeps for Validate, which kong calls once everything
// is resolved: one error then lists all of it.
type Resolver struct {
	lookup func(string) (string, bool)
	file   map[string]any // the file's values by key; nil until it is read
	nodes  []Node         // the file's
	bad    problems
	gave   map[string]string // where a flag's value came from, of those given here
}

var _ kong.Resolver = (*Resolver)(nil)

// NewResolver returns a Resolver that reads variables with lookup, in main
// os.LookupEnv, which is what kong itself uses.
func NewResolver(lookup func(string) (string, bool)) *Resolver {
	return &Resolver{lookup: lookup, gave: map[string]string{}}
}

// Validate returns what was wrong with the file and the variables.
func (r *Resolver) Validate(*kong.Application) error { return r.bad.err() }

// Resolve is called for each flag that the command line does not set.
func (r *Resolver) Resolve(ctx *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	key := flag.Tag.Get("yaml")
	if key == "" || key == "-" {
		return nil, nil // not a flag of a Config
	}
	if r.file == nil {
		r.file = r.readConfig(ctx, parent)
	}
	variable := envOf(flag.Name)
	own := r.env(variable)
	if flag.Target.Type() == reflect.TypeFor[Secret]() {
		if path := r.env(variable + fileSuffix); path != "" {
			r.gave[flag.Name] = "$" + variable + fileSuffix
			return r.secret(own, variable, path), nil
		}
	}
	if own != "" {
		return nil, nil
	}
	if value, ok := r.file[key]; ok {
		r.gave[flag.Name] = "file"
		return value, nil
	}
	if _, set := r.lookup(variable); set {
		return flag.Default, nil // kong would take the empty text as the value
	}
	return nil, nil
}

// env is the variable's value; an empty one is as good as none.
func (r *Resolver) env(variable string) string {
	value, _ := r.lookup(variable)
	return value
}

func (r *Resolver) secret(own, variable, path string) any {
	if own != "" {
		r.bad.addf("$%s and $%s are both set: keep one", variable, variable+fileSuffix)
		return nil
	}
	secret, err := secretFromFile(variable+fileSuffix, path)
	if err != nil {
		r.bad.add(err)
		return nil
	}
	return secret.Reveal()
}

// readConfig reads the file that the sibling flag --config names, if any.
func (r *Resolver) readConfig(ctx *kong.Context, parent *kong.Path) map[string]any {
	for _, flag := range parent.Flags {
		if flag.Name != "config" {
			continue
		}
		path, _ := ctx.FlagValue(flag).(string)
		if path == "" {
			break
		}
		values, nodes, bad := readConfigFile(path)
		r.nodes = nodes
		r.bad = append(r.bad, bad.within(path)...)
		return values
	}
	return map[string]any{}
}

// Nodes gives the file's list of nodes once everything is resolved. It is no flag's
// value, and so goes into a Config by hand.
func (r *Resolver) Nodes() []Node { return r.nodes }

func readConfigFile(path string) (map[string]any, []Node, problems) {
	data, err := readFile(path)
	if err != nil {
		var bad problems
		bad.addf("%s names no readable configuration file: %w", field("config"), err)
		return map[string]any{}, nil, bad
	}
	return parseConfigFile(data)
}

// parseConfigFile returns the values that a file sets, by key, in the text form
// that the flag takes, and its nodes.
func parseConfigFile(data []byte) (map[string]any, []Node, problems) {
	var shape Config
	set, bad := decodeStrict(data, &shape)
	values := make(map[string]any, len(set))
	fields := keysOf(reflect.TypeFor[Config]())
	for key := range set {
		if _, isFlag := fields[key]; !isFlag || key == nodesKey {
			continue
		}
		value := reflect.ValueOf(shape).Field(fields[key]).Interface()
		if secret, ok := value.(Secret); ok {
			values[key] = secret.Reveal()
		} else {
			values[key] = fmt.Sprint(value)
		}
	}
	return values, shape.Nodes, bad
}

// nodesKey is the key of the one setting that is no flag.
const nodesKey = "nodes"
