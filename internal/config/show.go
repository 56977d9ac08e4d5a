package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// Shown is a setting in force, as `indexer config` prints it.
type Shown struct {
	Key    string `json:"-"`
	Value  any    `json:"value"` // of a secret: scheme and host, or a mark
	Secret bool   `json:"secret,omitempty"`
	From   string `json:"from"` // flag, $VARIABLE, file, default, or another setting's key
}

// Origin tells where a flag's value came from: flag, $VARIABLE, file or default.
func (r *Resolver) Origin(ctx *kong.Context, flag string) string {
	for _, path := range ctx.Path {
		if path.Flag != nil && path.Flag.Name == flag && !path.Resolved {
			return "flag"
		}
	}
	if from, ok := r.gave[flag]; ok {
		return from
	}
	if variable := envOf(flag); r.env(variable) != "" {
		return "$" + variable
	}
	return "default"
}

// Show lists the settings in force in the order of the Config's fields, none of
// them with a secret in it. origin is asked for each flag.
func (s *Settings) Show(origin func(flag string) string) []Shown {
	redactor := s.Redactor()
	var all []Shown
	value := reflect.ValueOf(s.Config)
	for i, f := range reflect.VisibleFields(value.Type()) {
		key := f.Tag.Get("yaml")
		if key == "" || key == "-" {
			continue
		}
		shown := Shown{Key: key, From: origin(f.Tag.Get("name"))}
		switch v := value.Field(i).Interface().(type) {
		case []Node:
			if len(v) == 0 {
				continue
			}
			shown.Value, shown.Secret, shown.From = shownNodes(v), true, "file"
		case Secret:
			shown.Value, shown.Secret = RedactURL(v.Reveal()), true
		case time.Duration:
			shown.Value = v.String()
		case string:
			shown.Value = redactor.String(v)
		default:
			shown.Value = v
		}
		if key == "program" && shown.From == "default" {
			shown.From = "profile" // only that can have named it
		}
		all = append(all, shown)
	}
	return all
}

// ShownYAML writes settings as a file that --config reads, with where each came
// from as a comment. Secrets are comments altogether: half an address would be
// worse than none.
func ShownYAML(all []Shown) ([]byte, error) {
	var head strings.Builder
	head.WriteString("# What run would use. --config reads this; secrets stay where they are:\n")
	doc := &yaml.Node{Kind: yaml.MappingNode}
	for _, s := range all {
		if s.Secret {
			if nodes, ok := s.Value.([]shownNode); ok {
				for i, n := range nodes {
					fmt.Fprintf(&head, "#   %s[%d]: %s (%s)\n", s.Key, i, n, s.From)
				}
				continue
			}
			value := s.Value
			if value == "" {
				value = "not set"
			}
			fmt.Fprintf(&head, "#   %s: %s (%s)\n", s.Key, value, s.From)
			continue
		}
		key, value := &yaml.Node{}, &yaml.Node{}
		key.SetString(s.Key)
		if err := value.Encode(s.Value); err != nil {
			return nil, fmt.Errorf("encode %s: %w", s.Key, err)
		}
		value.LineComment = s.From
		doc.Content = append(doc.Content, key, value)
	}
	body, err := yaml.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("encode the configuration: %w", err)
	}
	return append([]byte(head.String()), body...), nil
}

// ShownJSON writes settings as one object: {KEY: {value, from, secret}}.
func ShownJSON(all []Shown) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{")
	for i, s := range all {
		entry, err := json.Marshal(s)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", s.Key, err)
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n  %q: %s", s.Key, entry)
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}
