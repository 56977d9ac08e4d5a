package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"minesaudit/internal/verify"
)

// version is set by the linker for releases.
var version = "dev"

type versionCmd struct{}

func (versionCmd) Run(s *streams) error {
	v, revision := build()
	_, err := fmt.Fprintf(s.Out, "indexer %s (%s, rules %d, %s, %s/%s)\n", v, revision, verify.RulesVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func build() (v, revision string) {
	revision = "unknown revision"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
	}
	return version, revision
}

// registerBuild adds minesaudit_build_info, always 1.
func registerBuild(reg prometheus.Registerer) {
	v, revision := build()
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "minesaudit_build_info", Help: "The running binary, as labels.",
		ConstLabels: prometheus.Labels{"version": v, "revision": strings.ReplaceAll(revision, " ", "_"), "goversion": runtime.Version(), "rules": fmt.Sprint(verify.RulesVersion)},
	})
	info.Set(1)
	reg.MustRegister(info)
}
