package main

import (
	"encoding/json"
	"fmt"
	"io"

	"minesaudit/internal/config"
	"minesaudit/internal/fit"
)

type profileCheckCmd struct {
	Profile string `arg:"" name:"profile" help:"Profile: a YAML file, or builtin:mines."`
	JSON    bool   `name:"json" help:"Print one JSON object."`
}

// Help is shown under the flags.
func (profileCheckCmd) Help() string {
	return `Loads a profile with its IDLs as indexer run would, and prints what it takes for starts, settlements and voids, where each field comes from and how it is read, what is not published, and which checks that leaves inconclusive. Nothing is connected to.

Exit codes: 0 it can be used, 2 it cannot, each problem with its line, 3 it can, and no check could ever be made by it.

Example:
  indexer profile check mines.yaml`
}

func (c *profileCheckCmd) Run(s *streams) error {
	profile, err := config.LoadProfile(c.Profile)
	if err != nil {
		return err
	}
	report := fit.Check(&profile)
	if c.JSON {
		encoder := json.NewEncoder(s.Out)
		encoder.SetEscapeHTML(false)
		err = encoder.Encode(report)
	} else {
		_, err = io.WriteString(s.Out, report.Text())
	}
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if !report.Checkable {
		return &exitError{code: exitInconclusive}
	}
	return nil
}
